//! Where things lie on the picture of a ladder.

use crate::plot::axis::Axis;
use crate::plot::canvas::Point;
use crate::plot::numbers;
use crate::plot::rows;
use crate::plot::rungs::{Picture, Rung};
use crate::plot::style::{MARGIN, WIDTH};

/// Above the highest rung: message, basis, heads of the columns.
pub const HEAD: i32 = 214;
/// From the lowest rung to the notes.
pub const AXIS: i32 = 114;
/// Width of each column of numbers at the right.
pub const COLUMN: i32 = 140;
/// Widest name of a step that is shown whole.
pub const WIDEST_NAME: i32 = 400;
/// Room in the plot for a factor, beside the leftmost and the rightmost rung.
const FACTOR_ROOM: i32 = 116;

/// Where things lie.
pub struct Layout {
    /// From one rung to the next.
    pitch: i32,
    /// The height of the axis.
    pub bottom: i32,
    /// The ladder's left rail.
    pub left: i32,
    /// Its right rail.
    pub right: i32,
    /// Speeds; none where no step has one.
    pub axis: Option<Axis>,
}

/// Many steps stand closer.
fn pitch(rows: i32) -> i32 {
    if rows <= 16 { 66 } else { 58 }
}

impl Layout {
    /// The layout of a picture.
    pub fn of(picture: &Picture) -> Layout {
        let count = picture.rungs.len().max(1) as i32;
        let pitch = pitch(count);
        let below: Vec<_> = picture.rungs.iter().map(|rung| subtitle(picture, rung)).collect();
        let names = picture.rungs.iter().zip(&below);
        let names = names.map(|(rung, below)| (rung.name.as_str(), rung.detour, below.as_str()));
        let left = MARGIN + rows::room(names, WIDEST_NAME) + 40;
        let right = WIDTH - MARGIN - 2 * COLUMN - 16;
        let climbs = picture.rungs.iter().filter_map(Rung::climb);
        let speeds: Vec<f64> = climbs.map(|climb| climb.speed).collect();
        Layout {
            pitch,
            bottom: HEAD + count * pitch,
            left,
            right,
            axis: Axis::new(&speeds, left + FACTOR_ROOM, right - FACTOR_ROOM),
        }
    }

    /// The height of a rung; the first is the lowest.
    pub fn y(&self, at: usize) -> i32 {
        self.bottom - self.pitch / 2 - at as i32 * self.pitch
    }

    /// The place of a speed.
    pub fn x(&self, speed: f64) -> i32 {
        let start = self.left + FACTOR_ROOM;
        self.axis.as_ref().map_or(start, |axis| axis.x(speed))
    }

    /// The pixels between which the axis is cut.
    pub fn cut(&self) -> Option<(i32, i32)> {
        self.axis.as_ref()?.cut()
    }

    /// The end of the rung on which this one stands.
    pub fn foot(&self, picture: &Picture, at: usize) -> Option<Point> {
        let below = picture.stands_on(at)?;
        let climb = picture.rungs[below].climb()?;
        Some((self.x(climb.speed), self.y(below)))
    }
}

/// What stands under a step's name.
pub fn subtitle(picture: &Picture, rung: &Rung) -> String {
    let mut text = rung.title.clone();
    if rung.detour {
        text = format!("detour · {text}");
    }
    match rung.climb().and_then(|climb| climb.n) {
        Some(n) if Some(n) != picture.usual_n => format!("{text} · n = {}", numbers::count(n)),
        _ => text,
    }
}
