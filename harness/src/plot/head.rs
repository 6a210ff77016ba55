//! What stands above and below every picture of a report.

use anyhow::Result;

use super::canvas::{Canvas, Surface};
use super::font::Lettering;
use super::scene::{Basis, Scene};
use super::style::{CARD, INK, MARGIN, MUTED, WIDTH, size};

/// The height that message and basis take.
pub const HEIGHT: i32 = 160;
/// The height that two lines of notes take below a picture.
pub const FOOT: i32 = 96;

/// The picture's message.
///
/// # Errors
/// The canvas refused.
pub fn message<DB: Surface>(canvas: &mut Canvas<DB>, message: &str) -> Result<()> {
    let room = WIDTH - 2 * MARGIN;
    let mut title = Lettering::new(size::TITLE, INK).bold();
    // A long message is set smaller before it is cut.
    while title.width(message) > room && title.em > 0.75 * size::TITLE {
        title.em -= 1.0;
    }
    canvas.text((MARGIN, 64), &title, &title.fit(message, room))
}

/// Whether all was measured, in a box that is then full, and what follows it.
///
/// # Errors
/// The canvas refused.
pub fn basis<DB: Surface>(canvas: &mut Canvas<DB>, basis: Basis, rest: &str) -> Result<()> {
    let full = basis == Basis::Measured;
    let word = Lettering::new(size::SMALL, if full { CARD } else { INK }).bold();
    let end = MARGIN + word.width(basis.word()) + 32;
    canvas.fill((MARGIN, 104), (end, 142), INK)?;
    if !full {
        canvas.fill((MARGIN + 3, 107), (end - 3, 139), CARD)?;
    }
    canvas.text((MARGIN + 16, 123), &word, basis.word())?;
    let after = Lettering::new(size::BODY, INK);
    let room = WIDTH - MARGIN - end - 16;
    canvas.text((end + 16, 123), &after, &after.fit(rest, room))
}

/// Notes in up to two lines from the height `y` down, and where the numbers are from.
///
/// # Errors
/// The canvas refused.
pub fn notes<DB: Surface>(
    canvas: &mut Canvas<DB>,
    y: i32,
    [first, second]: [&str; 2],
    scene: &Scene,
) -> Result<()> {
    let note = Lettering::new(size::NOTE, MUTED);
    let source = note.fit(&scene.source, (WIDTH - 2 * MARGIN) / 3);
    let room = WIDTH - 2 * MARGIN;
    canvas.text((MARGIN, y), &note, &note.fit(first, room))?;
    let second = note.fit(second, room - note.width(&source) - 40);
    canvas.text((MARGIN, y + 32), &note, &second)?;
    canvas.text((WIDTH - MARGIN, y + 32), &note.right(), &source)
}
