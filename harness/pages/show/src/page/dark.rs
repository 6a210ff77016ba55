//! The pictures' colours on a dark page.

use std::collections::BTreeSet;
use std::fmt::Write;

/// Rules that give every colour of these pictures its counterpart: as light as the other was dark,
/// of the same hue. A rule of the page has precedence over the attributes that plotters writes.
pub fn rules<'s>(pictures: impl Iterator<Item = &'s str>) -> String {
    let colours: BTreeSet<(u8, u8, u8)> = pictures.flat_map(colours).collect();
    let mut rules = String::new();
    for (r, g, b) in colours {
        let light = format!("#{r:02X}{g:02X}{b:02X}");
        let (r, g, b) = counterpart((r, g, b));
        for attribute in ["fill", "stroke"] {
            // Writing to a String cannot fail.
            let _ = write!(
                rules,
                "svg [{attribute}=\"{light}\"]{{{attribute}:#{r:02x}{g:02x}{b:02x}}}"
            );
        }
    }
    format!("@media screen and (prefers-color-scheme: dark){{{rules}}}")
}

/// The colours in an SVG's attributes. Its text has no quotation marks that are not escaped.
fn colours(svg: &str) -> impl Iterator<Item = (u8, u8, u8)> {
    svg.split("=\"#").skip(1).filter_map(|rest| {
        let digits = rest.get(..6).filter(|_| rest.get(6..7) == Some("\""))?;
        let channel = |at: usize| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok();
        Some((channel(0)?, channel(2)?, channel(4)?))
    })
}

/// Lightness of what was white, and of what was black.
const DARKEST: f64 = 0.105;
const LIGHTEST: f64 = 0.97;

/// The colour with its lightness turned round (in HSL).
fn counterpart((r, g, b): (u8, u8, u8)) -> (u8, u8, u8) {
    let [r, g, b] = [r, g, b].map(|channel| f64::from(channel) / 255.0);
    let (least, most) = (r.min(g).min(b), r.max(g).max(b));
    let lightness = (least + most) / 2.0;
    let turned = LIGHTEST - (LIGHTEST - DARKEST) * lightness;
    // Each channel keeps its place between the least and the most: that is hue and saturation.
    let room = |lightness: f64| 1.0 - (2.0 * lightness - 1.0).abs();
    let share = if room(lightness) > 1e-9 { (most - least) / room(lightness) } else { 0.0 };
    let half = share * room(turned) / 2.0;
    let place = |channel: f64| {
        let at = if most > least { (channel - least) / (most - least) } else { 0.5 };
        (255.0 * (turned - half + 2.0 * half * at)).round().clamp(0.0, 255.0) as u8
    };
    (place(r), place(g), place(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn light_turns_dark_and_hues_stay() {
        assert_eq!(counterpart((255, 255, 255)), (27, 27, 27));
        let (r, g, b) = counterpart((30, 30, 30));
        assert!(r > 215 && r == g && g == b);
        let (r, g, b) = counterpart((0, 114, 178));
        assert!(b > g && g > r && b > 200, "{r} {g} {b}");
    }

    #[test]
    fn only_colours_become_rules() {
        let svg = "<rect fill=\"#FFFFFF\"/><text fill=\"#1E1E1E\">=&quot;#000000&quot; =\"#nothex\"</text>";
        let rules = rules([svg].into_iter());
        assert_eq!(rules.matches("fill:").count(), 2, "{rules}");
        assert!(rules.contains("svg [fill=\"#FFFFFF\"]{fill:#1b1b1b}"), "{rules}");
    }
}
