//! Grid lines, labels of axes, and the mark where an axis is cut.

use report::format;

use super::canvas::{Canvas, Point};
use super::labels;
use super::lettering::{Lettering, second};
use super::scale::Scale;
use super::style::{CARD, HAIR, MUTED, RAIL, size};

/// The labels of a level axis that have room, each with its pixel.
pub fn ticks(scale: &Scale) -> Vec<(i32, String)> {
    labels::fitting(scale.ticks().into_iter().map(|tick| (scale.at(tick), format::tick(tick))))
}

/// Upright lines from `top` to `bottom` at labelled pixels, the labels below, and below them what
/// lies `along` the axis.
pub fn level(
    canvas: &mut Canvas,
    labels: &[(i32, String)],
    (top, bottom): (i32, i32),
    (left, right): (i32, i32),
    along: &str,
) {
    let centred = second().centred();
    for (x, text) in labels {
        canvas.line((*x, top), (*x, bottom), 2, HAIR);
        canvas.text((*x, bottom + 26), &centred, text);
    }
    canvas.text(((left + right) / 2, bottom + 60), &centred, along);
}

/// The marks and labels of an axis above a plane, and what lies along it.
pub fn above(
    canvas: &mut Canvas,
    labels: &[(i32, String)],
    top: i32,
    (left, right): (i32, i32),
    along: &str,
) {
    let centred = second().centred();
    canvas.line((left, top), (right, top), 3, RAIL);
    for (x, text) in labels {
        canvas.line((*x, top - 8), (*x, top), 3, RAIL);
        canvas.text((*x, top - 25), &centred, text);
    }
    canvas.text(((left + right) / 2, top - 60), &centred, along);
}

/// Level lines at the ticks of an upright axis, and their labels left of it.
pub fn upright(
    canvas: &mut Canvas,
    scale: &Scale,
    (left, right): (i32, i32),
    label: impl Fn(f64) -> String,
) {
    for tick in scale.ticks() {
        let y = scale.at(tick);
        canvas.line((left, y), (right, y), 2, HAIR);
        canvas.text((left - 14, y), &second().right(), &label(tick));
    }
}

/// The left and the lower edge of a plane.
pub fn edges(canvas: &mut Canvas, (left, top): Point, (right, bottom): Point) {
    canvas.line((left, top), (left, bottom), 3, RAIL);
    canvas.line((left, bottom), (right, bottom), 3, RAIL);
}

/// Two slanted strokes where a scale is cut.
pub fn slashes(canvas: &mut Canvas, scale: &Scale, y: i32) {
    let Some((from, to)) = scale.cut() else { return };
    let middle = (from + to) / 2;
    canvas.polygon(&slanted((middle, y), 14), CARD);
    canvas.polygon(&slanted((middle - 10, y), 2), MUTED);
    canvas.polygon(&slanted((middle + 10, y), 2), MUTED);
}

/// Nothing from `top` to `bottom` where a scale is cut, and the mark of that at the height `mark`.
pub fn gap(canvas: &mut Canvas, scale: &Scale, (top, bottom): (i32, i32), mark: i32) {
    let Some((from, to)) = scale.cut() else { return };
    let middle = (from + to) / 2;
    canvas.fill((middle - 13, top), (middle + 13, bottom), CARD);
    canvas.text((middle, mark), &Lettering::new(size::LARGE, MUTED).centred(), "//");
}

/// A slanted stroke of this half width through a point.
fn slanted((x, y): Point, half: i32) -> [Point; 4] {
    let (lean, rise) = (6, 14);
    [
        (x - half + lean, y - rise),
        (x + half + lean, y - rise),
        (x + half - lean, y + rise),
        (x - half - lean, y + rise),
    ]
}
