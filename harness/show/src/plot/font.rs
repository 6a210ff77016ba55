//! Lettering: an embedded font, so that a picture needs none of the system's and looks the same
//! everywhere.
//!
//! plotters can draw with a registered font but leaves out the space before each glyph, which sets
//! text unevenly; so the glyphs of a bitmap are placed here. In an SVG the browser places them,
//! with this font where it has it and the nearest of its own where not.

use std::convert::Infallible;
use std::sync::LazyLock;

use ab_glyph::{Font, FontRef, PxScale, ScaleFont, point};
use plotters::style::RGBColor;
use plotters_backend::text_anchor::{HPos, Pos, VPos};
use plotters_backend::{BackendColor, BackendCoord, BackendTextStyle, FontFamily, FontStyle};

/// What an SVG asks for: the embedded font's name, then fonts of like widths.
const FAMILY: &str = "Inter, Segoe UI, Roboto, Helvetica Neue, Arial, sans-serif";

/// Half the height of a small x, in ems: an SVG written by plotters sets its baseline that far
/// below a centred text's position, and so does the bitmap.
const HALF_X: f32 = 0.273;
/// From there down to where capitals and digits are centred, in ems.
pub const CENTRE_CAPITALS: f64 = 0.091;
/// plotters counts a font's size in line heights and divides it by this for the em.
const LINE_HEIGHT: f64 = 1.24;

static REGULAR: LazyLock<FontRef<'static>> =
    LazyLock::new(|| embedded(include_bytes!("../../assets/Inter-Regular-subset.otf")));
static BOLD: LazyLock<FontRef<'static>> =
    LazyLock::new(|| embedded(include_bytes!("../../assets/Inter-Bold-subset.otf")));

fn embedded(bytes: &'static [u8]) -> FontRef<'static> {
    FontRef::try_from_slice(bytes).expect("the embedded font is a font (see the test below)")
}

/// How a piece of text looks and which of its ends stands at its position.
#[derive(Clone, Copy)]
pub struct Lettering {
    /// Pixels per em.
    pub em: f64,
    /// Bold or regular.
    pub bold: bool,
    /// Colour.
    pub colour: RGBColor,
    /// The part of the text that stands at its position; vertically it is always the middle.
    pub anchor: HPos,
}

impl Lettering {
    /// Regular text that begins at its position.
    pub fn new(em: f64, colour: RGBColor) -> Lettering {
        Lettering { em, bold: false, colour, anchor: HPos::Left }
    }

    /// The same in bold.
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

    /// The width of a text in pixels.
    pub fn width(&self, text: &str) -> i32 {
        let font = self.font().as_scaled(self.scale());
        let advance = |c| font.h_advance(font.glyph_id(c));
        text.chars().map(advance).sum::<f32>().ceil() as i32
    }

    /// The text, cut with an ellipsis where it is wider than `room`.
    pub fn fit(&self, text: &str, room: i32) -> String {
        if self.width(text) <= room {
            return text.to_owned();
        }
        let mut short = text.to_owned();
        while short.pop().is_some() {
            let cut = format!("{}…", short.trim_end());
            if self.width(&cut) <= room {
                return cut;
            }
        }
        String::new()
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

    fn font(&self) -> &'static FontRef<'static> {
        if self.bold { &BOLD } else { &REGULAR }
    }

    /// ab_glyph's scale is a line height too.
    fn scale(&self) -> PxScale {
        let font = self.font();
        let units = font.units_per_em().unwrap_or(1000.0);
        PxScale::from(self.em as f32 * font.height_unscaled() / units)
    }
}

impl BackendTextStyle for Lettering {
    type FontError = Infallible;

    fn color(&self) -> BackendColor {
        BackendColor { alpha: 1.0, rgb: (self.colour.0, self.colour.1, self.colour.2) }
    }

    fn size(&self) -> f64 {
        self.em * LINE_HEIGHT
    }

    fn style(&self) -> FontStyle {
        if self.bold { FontStyle::Bold } else { FontStyle::Normal }
    }

    fn anchor(&self) -> Pos {
        Pos::new(self.anchor, VPos::Center)
    }

    fn family(&self) -> FontFamily<'_> {
        FontFamily::Name(FAMILY)
    }

    /// A box without height: the position is the middle whatever the text.
    fn layout_box(&self, text: &str) -> Result<((i32, i32), (i32, i32)), Infallible> {
        Ok(((0, 0), (self.width(text), 0)))
    }

    fn draw<E, DrawFunc: FnMut(i32, i32, BackendColor) -> Result<(), E>>(
        &self,
        text: &str,
        (left, middle): BackendCoord,
        mut draw: DrawFunc,
    ) -> Result<Result<(), E>, Infallible> {
        let (font, scale) = (self.font(), self.scale());
        let scaled = font.as_scaled(scale);
        let baseline = middle as f32 + self.em as f32 * HALF_X;
        let mut pen = left as f32;
        for letter in text.chars() {
            let id = font.glyph_id(letter);
            let glyph = id.with_scale_and_position(scale, point(pen, baseline));
            pen += scaled.h_advance(id);
            let Some(outline) = font.outline_glyph(glyph) else {
                continue; // a space
            };
            let corner = outline.px_bounds().min;
            let mut result = Ok(());
            outline.draw(|x, y, coverage| {
                if result.is_ok() && coverage > 0.0 {
                    let colour =
                        BackendColor { alpha: f64::from(coverage.min(1.0)), ..self.color() };
                    result = draw(corner.x as i32 + x as i32, corner.y as i32 + y as i32, colour);
                }
            });
            if result.is_err() {
                return Ok(result);
            }
        }
        Ok(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::style::INK;

    /// Every sign that the pictures write has a glyph in both fonts.
    #[test]
    fn signs_are_in_the_font() {
        for font in [&*REGULAR, &*BOLD] {
            for sign in "Az09×·⁰¹⁹–—…→≤≥√\u{2009}é".chars() {
                assert_ne!(font.glyph_id(sign).0, 0, "{sign:?}");
            }
        }
    }

    #[test]
    fn digits_align_and_text_grows() {
        let text = Lettering::new(20.0, INK);
        assert_eq!(text.width("1111"), text.width("8888"));
        // Inter's digits are 1824 of 2816 units wide.
        assert_eq!(text.width("0000"), (4.0f64 * 20.0 * 1824.0 / 2816.0).ceil() as i32);
        assert!(text.bold().width("rung") > text.width("rung"));
    }

    #[test]
    fn what_does_not_fit_is_cut() {
        let text = Lettering::new(20.0, INK);
        assert_eq!(text.fit("rung", 1000), "rung");
        let cut = text.fit("a reason that is much too long", 120);
        assert!(cut.starts_with("a reas") && cut.ends_with('…'), "{cut}");
        assert!(text.width(&cut) <= 120);
        assert_eq!(text.fit("rung", 0), "");
    }

    #[test]
    fn lines_break_between_words() {
        let text = Lettering::new(20.0, INK);
        let room = text.width("shared memory") - 1;
        assert_eq!(text.wrapped("shared memory", room, 2), ["shared", "memory"]);
        assert_eq!(text.wrapped("shared memory", room + 1, 2), ["shared memory"]);
        let cut = text.wrapped("shared memory of a block and more", room, 2);
        assert!(cut.len() == 2 && cut[1].starts_with("memory") && cut[1].ends_with('…'), "{cut:?}");
        assert!(text.wrapped("", room, 2).is_empty());
    }
}
