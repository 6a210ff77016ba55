//! Grid lines, labels of axes, and the mark where an axis is cut.

use report::format;

use super::canvas::{Canvas, Point};
use super::labels;
use super::lettering::{Lettering, second};
use super::scale::Scale;
use super::style::{CARD, HAIR, MUTED, Paper, RAIL, size};

/// A label of an axis with its pixel.
pub type Tick = (i32, String);

/// The edges of what is drawn between axes.
#[derive(Clone, Copy)]
pub struct Plane {
    pub left: i32,
    pub right: i32,
    pub top: i32,
    pub bottom: i32,
}

impl Plane {
    /// Upright lines at labelled pixels, the labels below, and below them what lies `along` the axis.
    pub fn level(&self, canvas: &mut Canvas, ticks: &[Tick], along: &str) {
        let centred = second().centred();
        for (x, text) in ticks {
            canvas.line((*x, self.top), (*x, self.bottom), 2, HAIR);
            canvas.tick((*x, self.bottom + 26), text);
        }
        let lines = match canvas.paper {
            Paper::Wide => vec![along.to_owned()],
            Paper::Narrow => centred.wrapped(along, canvas.paper.room() - 60, 2),
        };
        for (y, line) in (self.bottom + 60..).step_by(26).zip(&lines) {
            canvas.text(((self.left + self.right) / 2, y), &centred, line);
        }
    }

    /// The marks and labels of an axis above the plane, and what lies along it.
    pub fn above(&self, canvas: &mut Canvas, ticks: &[Tick], along: &str) {
        let Plane { left, right, top, .. } = *self;
        let centred = second().centred();
        canvas.line((left, top), (right, top), 3, RAIL);
        for (x, text) in ticks {
            canvas.line((*x, top - 8), (*x, top), 3, RAIL);
            canvas.tick((*x, top - 25), text);
        }
        canvas.text(((left + right) / 2, top - 60), &centred, along);
    }

    /// Level lines at the ticks of an upright axis, and their labels left of it.
    pub fn upright(&self, canvas: &mut Canvas, scale: &Scale, label: impl Fn(f64) -> String) {
        for tick in scale.ticks() {
            let y = scale.at(tick);
            self.line(canvas, y, 2);
            let text = label(tick);
            if self.left - 14 - second().width(&text) >= canvas.paper.edges().0 {
                canvas.text((self.left - 14, y), &second().right(), &text);
            }
        }
    }

    pub fn line(&self, canvas: &mut Canvas, y: i32, width: i32) {
        canvas.line((self.left, y), (self.right, y), width, HAIR);
    }

    pub fn edges(&self, canvas: &mut Canvas) {
        let Plane { left, right, top, bottom } = *self;
        canvas.line((left, top), (left, bottom), 3, RAIL);
        canvas.line((left, bottom), (right, bottom), 3, RAIL);
    }

    /// Nothing where a scale is cut, and the mark of that at the height `mark`.
    pub fn gap(&self, canvas: &mut Canvas, scale: &Scale, mark: i32) {
        let Some((from, to)) = scale.cut() else { return };
        let middle = (from + to) / 2;
        canvas.fill((middle - 13, self.top), (middle + 13, self.bottom), CARD);
        canvas.text((middle, mark), &Lettering::new(size::LARGE, MUTED).centred(), "//");
    }
}

/// The labels of a level axis that have room.
pub fn ticks(scale: &Scale) -> Vec<Tick> {
    labels::fitting(scale.ticks().into_iter().map(|tick| (scale.at(tick), format::tick(tick))))
}

/// Two slanted strokes where a scale is cut.
pub fn slashes(canvas: &mut Canvas, scale: &Scale, y: i32) {
    let Some((from, to)) = scale.cut() else { return };
    let middle = (from + to) / 2;
    for (x, half, colour) in [(middle, 14, CARD), (middle - 10, 2, MUTED), (middle + 10, 2, MUTED)]
    {
        canvas.polygon(&slanted((x, y), half), colour);
    }
}

/// A slanted stroke of this half width through a point.
fn slanted((x, y): Point, half: i32) -> [Point; 4] {
    let corner = |side: i32, up: i32| (x + side * half + 6 * up, y - 14 * up);
    [corner(-1, 1), corner(1, 1), corner(1, -1), corner(-1, -1)]
}
