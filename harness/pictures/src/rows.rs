//! Names of steps at the left of pictures that have a row for each.

use super::canvas::Canvas;
use super::lettering::{Lettering, second};
use super::style::{END, HAIR, INK, MARGIN, MUTED, size};

/// How a step's name is written.
pub fn name(detour: bool) -> Lettering {
    if detour { Lettering::new(size::BODY, MUTED) } else { Lettering::new(size::BODY, INK).bold() }
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
    for (at, text) in texts.iter().rev().enumerate() {
        let text = lettering.fit(text, column - 10);
        canvas.text((END - column * at as i32, y), &lettering.right(), &text);
    }
}

/// The heads of such columns, in at most two lines, the last at the height `y`.
pub fn heads(canvas: &mut Canvas, y: i32, column: i32, texts: &[&str]) {
    for (at, text) in texts.iter().rev().enumerate() {
        let lines = second().wrapped(text, column - 10, 2);
        for (above, line) in lines.iter().rev().enumerate() {
            let corner = (END - column * at as i32, y - 26 * above as i32);
            canvas.text(corner, &second().right(), line);
        }
    }
}
