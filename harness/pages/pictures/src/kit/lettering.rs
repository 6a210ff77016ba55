//! Lettering: how text looks, and how wide it is.
//!
//! A browser draws the letters, in Inter where it has that font and in the nearest of its own where
//! not. To keep labels apart, their widths are added up from the advance widths of Inter 3.19,
//! which are at the end of this file; the other fonts of the list are of like widths.

use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, FontStyle, IntoFont, RGBColor, TextStyle};

use super::style::{MUTED, size};

/// What an SVG asks for.
pub const FAMILY: &str = "Inter, Segoe UI, Roboto, Helvetica Neue, Arial, sans-serif";
/// From the height at which plotters centres small letters down to where capitals and digits are
/// centred, in ems.
pub const CENTRE_CAPITALS: f64 = 0.091;
/// plotters counts a font's size in line heights and divides it by this for the em.
const LINE_HEIGHT: f64 = 1.24;

/// How a piece of text looks and which of its ends stands at its position.
#[derive(Clone, Copy)]
pub struct Lettering {
    /// Pixels per em.
    pub em: f64,
    pub bold: bool,
    pub colour: RGBColor,
    /// The part of the text that stands at its position; vertically it is always the middle.
    pub anchor: HPos,
}

/// How everything is written that is read second.
pub fn second() -> Lettering {
    Lettering::new(size::SMALL, MUTED)
}

impl Lettering {
    /// Regular text that begins at its position.
    pub fn new(em: f64, colour: RGBColor) -> Lettering {
        Lettering { em, bold: false, colour, anchor: HPos::Left }
    }

    pub fn bold(self) -> Lettering {
        Lettering { bold: true, ..self }
    }

    /// The same, ending at its position.
    pub fn right(self) -> Lettering {
        Lettering { anchor: HPos::Right, ..self }
    }

    /// The same, centred at its position.
    pub fn centred(self) -> Lettering {
        Lettering { anchor: HPos::Center, ..self }
    }

    pub fn style(&self) -> TextStyle<'static> {
        let weight = if self.bold { FontStyle::Bold } else { FontStyle::Normal };
        let font = (FAMILY, self.em * LINE_HEIGHT, weight).into_font();
        let pos = Pos::new(self.anchor, VPos::Center);
        TextStyle { font, color: self.colour.to_backend_color(), pos }
    }

    pub fn width(&self, text: &str) -> i32 {
        let units: u32 = text.chars().map(|letter| advance(letter, self.bold)).sum();
        (self.em * f64::from(units) / UNITS_PER_EM).ceil() as i32
    }

    /// The text, cut with an ellipsis where it is wider than `room`.
    pub fn fit(&self, text: &str, room: i32) -> String {
        if self.width(text) <= room {
            return text.to_owned();
        }
        let cut = |end: usize| format!("{}…", text[..end].trim_end());
        let ends: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        // A longer beginning is no narrower.
        let fitting = ends.partition_point(|&end| self.width(&cut(end)) <= room);
        fitting.checked_sub(1).map_or_else(String::new, |last| cut(ends[last]))
    }

    /// The text in lines, at most `most`; broken between words, and cut where a word or the last
    /// line is wider than `room`.
    pub fn wrapped(&self, text: &str, room: i32, most: usize) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        for word in text.split(' ').filter(|word| !word.is_empty()) {
            let fits = |line: &String| self.width(&format!("{line} {word}")) <= room;
            let is_full = lines.len() == most;
            match lines.last_mut() {
                Some(line) if is_full || fits(line) => {
                    line.push(' ');
                    line.push_str(word);
                }
                _ => lines.push(word.to_owned()),
            }
        }
        lines.iter().map(|line| self.fit(line, room)).collect()
    }
}

const UNITS_PER_EM: f64 = 2816.0;

/// The advance width of a letter; of one that is in no table that of a wide capital, or a whole em
/// where letters are square.
fn advance(letter: char, bold: bool) -> u32 {
    let ascii = u32::from(letter).checked_sub(0x20).map(|at| at as usize);
    let table = if bold { &BOLD } else { &REGULAR };
    if let Some(&width) = ascii.and_then(|at| table.get(at)) {
        return width.into();
    }
    match OTHERS.iter().find(|(letters, ..)| letters.contains(letter)) {
        Some((_, width, of_bold)) => *if bold { of_bold } else { width },
        None if letter >= '\u{1100}' => UNITS_PER_EM as u32,
        None => 2144,
    }
}

/// Of ' ' to '~'. Digits are the tabular ones, all of one width, so that columns of numbers align.
#[rustfmt::skip]
const REGULAR: [u16; 95] = [
    792, 784, 1136, 1776, 1796, 2288, 1800, 624, 1020, 1020, 1408, 1856, 788, 1296, 776, 1004,
    1824, 1824, 1824, 1824, 1824, 1824, 1824, 1824, 1824, 1824, 776, 788, 1856, 1856, 1856, 1428,
    2636, 1904, 1832, 2048, 2024, 1684, 1652, 2092, 2084, 744, 1528, 1836, 1584, 2504, 2120, 2144,
    1788, 2144, 1800, 1796, 1808, 2088, 1904, 2672, 1808, 1872, 1760, 1020, 1004, 1020, 1320, 1272,
    1400, 1588, 1748, 1572, 1748, 1640, 1016, 1716, 1664, 668, 668, 1532, 668, 2448, 1648, 1680,
    1716, 1716, 1048, 1472, 1024, 1636, 1568, 2288, 1520, 1568, 1524, 1020, 920, 1020, 1856,
];
#[rustfmt::skip]
const BOLD: [u16; 95] = [
    653, 914, 1105, 1829, 1844, 2420, 1898, 588, 1152, 1152, 1590, 1914, 853, 1320, 838, 1098,
    1920, 1920, 1920, 1920, 1920, 1920, 1920, 1920, 1920, 1920, 838, 853, 1914, 1914, 1914, 1584,
    2902, 2106, 1861, 2118, 2048, 1725, 1647, 2142, 2101, 790, 1605, 1942, 1598, 2576, 2070, 2202,
    1824, 2204, 1848, 1844, 1882, 2054, 2106, 2917, 2012, 2040, 1878, 1152, 1098, 1152, 1373, 1342,
    1400, 1634, 1789, 1654, 1789, 1683, 1086, 1783, 1758, 766, 766, 1638, 766, 2568, 1751, 1728,
    1781, 1781, 1151, 1582, 1094, 1751, 1650, 2394, 1616, 1650, 1610, 1152, 1052, 1152, 1914,
];
/// Other signs that the pictures write, regular and bold; of like ones the widest.
const OTHERS: [(&str, u32, u32); 9] = [
    ("\u{2009}\u{202f}", 512, 435),
    ("\u{a0}", 792, 653),
    ("·", 776, 838),
    ("¹", 882, 904),
    ("⁰²³⁴⁵⁶⁷⁸⁹⁻", 1240, 1302),
    ("‘’", 560, 682),
    ("–", 1408, 1408),
    ("×−≤≥√≈±", 1856, 1914),
    ("…", 2312, 2250),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::style::INK;

    #[test]
    fn digits_align_and_what_does_not_fit_is_cut() {
        let text = Lettering::new(20.0, INK);
        assert_eq!(text.width("0000"), (4.0f64 * 20.0 * 1824.0 / 2816.0).ceil() as i32);
        assert!(text.bold().width("rung") > text.width("rung"));
        let cut = text.fit("a reason that is much too long", 120);
        assert!(cut.starts_with("a reas") && cut.ends_with('…') && text.width(&cut) <= 120);
        assert_eq!((text.fit("rung", 1000), text.fit("rung", 0)), ("rung".into(), "".into()));
    }

    /// What a compiler says can be long.
    #[test]
    fn long_texts_are_cut_quickly() {
        let text = Lettering::new(20.0, INK);
        let started = std::time::Instant::now();
        let reason = "error: identifier is undefined ".repeat(113_000 / 31);
        assert!(text.fit(&reason, 900).ends_with('…'));
        assert!(text.wrapped(&reason, 900, 4).len() == 4);
        assert!(started.elapsed().as_secs_f64() < 0.5, "{:?}", started.elapsed());
    }

    #[test]
    fn lines_break_between_words() {
        let text = Lettering::new(20.0, INK);
        let room = text.width("shared memory") - 1;
        assert_eq!(text.wrapped("shared memory", room, 2), ["shared", "memory"]);
        assert_eq!(text.wrapped("shared memory", room + 1, 2), ["shared memory"]);
        let cut = text.wrapped("shared memory of a block and more", room, 2);
        assert!(cut.len() == 2 && cut[1].starts_with("memory") && cut[1].ends_with('…'), "{cut:?}");
    }
}
