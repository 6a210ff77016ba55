//! Names of steps at the left of pictures that have a row for each.

use anyhow::Result;

use super::canvas::{Canvas, Surface};
use super::font::Lettering;
use super::style::{INK, MARGIN, MUTED, size};

/// How a step's name is written.
pub fn name(detour: bool) -> Lettering {
    if detour { Lettering::new(size::BODY, MUTED) } else { Lettering::new(size::BODY, INK).bold() }
}

/// How everything is written that is read second.
pub fn second() -> Lettering {
    Lettering::new(size::SMALL, MUTED)
}

/// A step's name, and what stands below it, at the height `y`, no wider than `room`.
///
/// # Errors
/// The canvas refused.
pub fn step<DB: Surface>(
    canvas: &mut Canvas<DB>,
    y: i32,
    room: i32,
    (step, detour): (&str, bool),
    below: &str,
) -> Result<()> {
    let name = name(detour);
    canvas.text((MARGIN, y - 13), &name, &name.fit(step, room))?;
    canvas.text((MARGIN, y + 15), &second(), &second().fit(below, room))
}

/// The room that names and what stands below them need, at most `most`.
pub fn room<'s>(steps: impl Iterator<Item = (&'s str, bool, &'s str)>, most: i32) -> i32 {
    let widths = steps
        .map(|(step, detour, below)| name(detour).width(step).max(second().width(below)).min(most));
    widths.max().unwrap_or(0)
}
