//! How one series differs from another: by the shape of its marks and the rhythm of its line, so
//! that colour only helps.

use plotters::style::RGBColor;

use super::canvas::{Canvas, Point};
use super::style::CARD;

pub const RADIUS: i32 = 8;
const LINE: i32 = 3;

/// Hues of Okabe and Ito, darkened where a line on white needs it. Neighbours differ in grey too.
const COLOURS: [RGBColor; 6] = [
    RGBColor(0, 114, 178),
    RGBColor(30, 30, 30),
    RGBColor(196, 78, 0),
    RGBColor(0, 128, 96),
    RGBColor(150, 70, 125),
    RGBColor(120, 110, 60),
];
const SHAPES: [Shape; 8] = [
    Shape::Disc,
    Shape::OpenSquare,
    Shape::Up,
    Shape::OpenDisc,
    Shape::Diamond,
    Shape::OpenUp,
    Shape::Square,
    Shape::OpenDiamond,
];
/// Dash and gap; `None` is a whole line.
const RHYTHMS: [Option<(i32, i32)>; 3] = [None, Some((18, 8)), Some((5, 7))];

/// The shape of a mark: a circle, a square, a square on its corner, a triangle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    Disc,
    OpenDisc,
    Square,
    OpenSquare,
    Diamond,
    OpenDiamond,
    Up,
    OpenUp,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Look {
    pub colour: RGBColor,
    pub shape: Shape,
    rhythm: Option<(i32, i32)>,
}

impl Look {
    /// The look of a series by its place: of the first 24 no two are alike, in grey neither.
    pub fn of(place: usize) -> Look {
        Look {
            colour: COLOURS[place % COLOURS.len()],
            shape: SHAPES[place % SHAPES.len()],
            rhythm: RHYTHMS[place % RHYTHMS.len()],
        }
    }

    pub fn line(&self, canvas: &mut Canvas, points: &[Point]) {
        match self.rhythm {
            None => canvas.path(points, LINE, self.colour),
            Some(rhythm) => canvas.dashes(points, LINE, rhythm, self.colour),
        }
    }

    pub fn mark(&self, canvas: &mut Canvas, at: Point) {
        self.shape.draw(canvas, at, RADIUS, self.colour);
    }
}

impl Shape {
    /// Draws it around a point. An open one hides what lies under it.
    pub fn draw(self, canvas: &mut Canvas, at: Point, radius: i32, colour: RGBColor) {
        match self {
            Shape::Disc => canvas.dot(at, radius, colour),
            Shape::Square => canvas.polygon(&square(at, radius - 1), colour),
            Shape::Diamond => canvas.polygon(&diamond(at, radius + 2), colour),
            Shape::Up => canvas.polygon(&triangle(at, radius + 2), colour),
            Shape::OpenDisc => {
                canvas.dot(at, radius, colour);
                canvas.dot(at, radius - 3, CARD);
            }
            Shape::OpenSquare => {
                canvas.polygon(&square(at, radius - 1), colour);
                canvas.polygon(&square(at, radius - 4), CARD);
            }
            Shape::OpenDiamond => {
                canvas.polygon(&diamond(at, radius + 2), colour);
                canvas.polygon(&diamond(at, radius - 2), CARD);
            }
            Shape::OpenUp => {
                canvas.polygon(&triangle(at, radius + 2), colour);
                // Lower by one, so that its rim is as thick on all sides.
                canvas.polygon(&triangle((at.0, at.1 + 1), radius - 4), CARD);
            }
        }
    }
}

fn square((x, y): Point, half: i32) -> [Point; 4] {
    [(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)]
}

fn diamond((x, y): Point, half: i32) -> [Point; 4] {
    [(x, y - half), (x + half, y), (x, y + half), (x - half, y)]
}

/// Its centre of gravity at the point.
fn triangle((x, y): Point, half: i32) -> [Point; 3] {
    [(x, y - half), (x + half, y + half * 7 / 10), (x - half, y + half * 7 / 10)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_series_look_alike_in_grey() {
        let looks: Vec<_> = (0..24).map(Look::of).map(|look| (look.shape, look.rhythm)).collect();
        for (at, look) in looks.iter().enumerate() {
            assert!(!looks[..at].contains(look), "{at}");
        }
    }
}
