//! What stands above and below every picture of a report.

use anyhow::Result;

use super::canvas::{Canvas, Surface};
use super::font::Lettering;
use super::scene::{Basis, Scene};
use super::style::{CARD, INK, MARGIN, MUTED, WIDTH, size};

/// The height that message and basis take.
pub const HEIGHT: i32 = 160;
/// From a line of notes to the next, and the most that there are.
const LINE: i32 = 32;
const MOST_LINES: usize = 4;

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

/// The lines below a picture: what a reader must know, and where the numbers are from.
pub struct Notes {
    lines: Vec<String>,
    source: String,
}

impl Notes {
    /// Notes that begin a line each and are broken where they are longer.
    pub fn of(notes: &[&str], scene: &Scene) -> Notes {
        Notes::with_source(notes, &scene.source)
    }

    /// The same with another source than that of one report.
    pub fn with_source(notes: &[&str], source: &str) -> Notes {
        let note = Notes::lettering();
        let room = WIDTH - 2 * MARGIN;
        let source = note.fit(source, room / 3);
        let broken = notes.iter().flat_map(|text| note.wrapped(text, room, MOST_LINES));
        let mut lines: Vec<String> = broken.collect();
        if lines.len() > MOST_LINES {
            let rest = lines.split_off(MOST_LINES - 1).join(" ");
            lines.push(note.fit(&rest, room - note.width(&source) - 40));
        }
        // The source stands at the end of the last line, or below it.
        let is_free = |last: &String| note.width(last) + 40 + note.width(&source) <= room;
        if !lines.last().is_some_and(is_free) {
            lines.push(String::new());
        }
        Notes { lines, source }
    }

    /// The height that they take with what is free below them.
    pub fn height(&self) -> i32 {
        LINE * (self.lines.len() as i32 + 1)
    }

    /// Draws them from the height `y` down.
    ///
    /// # Errors
    /// The canvas refused.
    pub fn draw<DB: Surface>(&self, canvas: &mut Canvas<DB>, y: i32) -> Result<()> {
        let note = Notes::lettering();
        for (at, line) in (0..).zip(&self.lines) {
            canvas.text((MARGIN, y + LINE * at), &note, line)?;
        }
        let last = y + LINE * (self.lines.len() as i32 - 1);
        canvas.text((WIDTH - MARGIN, last), &note.right(), &self.source)
    }

    fn lettering() -> Lettering {
        Lettering::new(size::NOTE, MUTED)
    }
}
