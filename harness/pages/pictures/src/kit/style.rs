//! Colours and sizes of the pictures.
//!
//! The hues are those of Okabe and Ito, which readers with any colour vision can tell apart. No
//! meaning rests on colour alone: a step that is slower goes left, with its factor on the left, in
//! grey too. Sizes are in pixels of a wide picture, 1600; a page usually shows it at half of that.

use plotters::style::RGBColor;

/// Where everything begins at the left.
pub const MARGIN: i32 = 56;

/// What a picture is drawn on. A page shows the wide one, a phone the narrow one, which has its smallest words in 11
/// pixels where all of it is 305 pixels wide.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Paper {
    Wide,
    /// Names and numbers stand above what is drawn instead of left and right of it.
    Narrow,
}

impl Paper {
    /// Where everything ends at the right.
    pub const fn end(self) -> i32 {
        match self {
            Paper::Wide => 1600 - MARGIN,
            Paper::Narrow => 586,
        }
    }

    /// The edges that are seen at the left and at the right: a phone has no room for a wide margin.
    pub const fn edges(self) -> (i32, i32) {
        match self {
            Paper::Wide => (0, self.end() + MARGIN),
            Paper::Narrow => (MARGIN - 12, self.end() + 12),
        }
    }

    /// From the margin to the end.
    pub const fn room(self) -> i32 {
        self.end() - MARGIN
    }

    pub fn is_narrow(self) -> bool {
        self == Paper::Narrow
    }
}

/// The picture's own ground: it stays light on a dark page.
pub const CARD: RGBColor = RGBColor(255, 255, 255);
/// Text that is read first.
pub const INK: RGBColor = RGBColor(30, 30, 30);
/// Text that is read second. Contrast to the card: 7 to 1.
pub const MUTED: RGBColor = RGBColor(90, 90, 90);
/// Grid lines.
pub const HAIR: RGBColor = RGBColor(225, 225, 225);
/// Axes, and the risers between the rungs of a ladder.
pub const RAIL: RGBColor = RGBColor(150, 150, 150);
/// Faster than the parent (blue).
pub const GAIN: RGBColor = RGBColor(0, 114, 178);
/// Slower than the parent, or wrong (vermillion, a shade darker for the contrast of text).
pub const LOSS: RGBColor = RGBColor(196, 78, 0);
/// A CPU next to a GPU (green; its marks are squares, to differ in grey too).
pub const HOST: RGBColor = RGBColor(0, 128, 96);

/// Sizes of text, in pixels per em.
pub mod size {
    /// The message.
    pub const TITLE: f64 = 40.0;
    /// Names and factors.
    pub const LARGE: f64 = 25.0;
    /// Titles of steps, labels of axes, what follows a factor.
    pub const SMALL: f64 = 21.0;
    /// Footnotes.
    pub const NOTE: f64 = 20.0;
}

/// The colour mixed with the card, `share` of it left.
pub fn tint(colour: RGBColor, share: f64) -> RGBColor {
    let mix = |a: u8, b: u8| (f64::from(a) * share + f64::from(b) * (1.0 - share)).round() as u8;
    RGBColor(mix(colour.0, CARD.0), mix(colour.1, CARD.1), mix(colour.2, CARD.2))
}

/// The unit as it stands above a column: "10⁹/s" of "10⁹ elements/s".
pub fn short_unit(unit: &str) -> String {
    let counted = unit.split_once(' ');
    counted.map_or_else(
        || unit.to_owned(),
        |(scale, counted)| {
            let time = counted.rsplit_once('/').map_or("s", |(_, time)| time);
            format!("{scale}/{time}")
        },
    )
}

#[cfg(test)]
mod tests {
    #[test]
    fn units_above_columns_are_short() {
        assert_eq!(["10⁹ elements/s", "GB/s"].map(super::short_unit), ["10⁹/s", "GB/s"]);
    }
}
