//! Names of steps at the left of pictures that have a row for each.

use super::canvas::Canvas;
use super::lettering::{Lettering, second};
use super::style::{END, HAIR, INK, MARGIN, MUTED, size};

/// How a step's name is written.
pub fn name(detour: bool) -> Lettering {
    if detour {
        Lettering::new(size::LARGE, MUTED)
    } else {
        Lettering::new(size::LARGE, INK).bold()
    }
}

/// A step's name, and what stands below it, at the height `y`, no wider than `room`.
pub fn step(canvas: &mut Canvas, y: i32, room: i32, (step, detour): (&str, bool), below: &str) {
    let name = name(detour);
    canvas.text((MARGIN, y - 13), &name, &name.fit(step, room));
    canvas.text((MARGIN, y + 15), &second(), &second().fit(below, room));
}

/// The room that names and what stands below them need, at most `most`.
pub fn room<'s>(steps: impl Iterator<Item = (&'s str, bool, &'s str)>, most: i32) -> i32 {
    let widths = steps
        .map(|(step, detour, below)| name(detour).width(step).max(second().width(below)).min(most));
    widths.max().unwrap_or(0)
}

/// A line between two rows.
pub fn rule(canvas: &mut Canvas, y: i32) {
    canvas.line((MARGIN, y), (END, y), 1, HAIR);
}

/// Numbers at the height `y`, in columns of one width, the last at the right edge.
pub fn columns(canvas: &mut Canvas, y: i32, column: i32, lettering: &Lettering, texts: &[String]) {
    let first = END - column * (texts.len() as i32 - 1);
    for (x, text) in (first..).step_by(column as usize).zip(texts) {
        canvas.text((x, y), &lettering.right(), &lettering.fit(text, column - 10));
    }
}

/// The heads of such columns, in at most two lines, the last at the height `y`.
pub fn heads(canvas: &mut Canvas, y: i32, column: i32, texts: &[&str]) {
    let first = END - column * (texts.len() as i32 - 1);
    for (x, text) in (first..).step_by(column as usize).zip(texts) {
        let lines = second().wrapped(text, column - 10, 2);
        let top = y - 26 * (lines.len() as i32 - 1);
        for (y, line) in (top..).step_by(26).zip(&lines) {
            canvas.text((x, y), &second().right(), line);
        }
    }
}
