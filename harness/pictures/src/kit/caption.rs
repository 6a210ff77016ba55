//! What stands above and below every picture of a report.

use report::scene::{Basis, Scene};

use super::canvas::Canvas;
use super::lettering::Lettering;
use super::style::{CARD, END, INK, MARGIN, MUTED, WIDTH, size};

/// The height that message and basis take.
pub const HEIGHT: i32 = 160;
/// From a line of notes to the next, and the most that there are.
const LINE: i32 = 32;
const MOST_LINES: usize = 4;

/// The picture's message.
pub fn message(canvas: &mut Canvas, message: &str) {
    let room = WIDTH - 2 * MARGIN;
    let mut title = Lettering::new(size::TITLE, INK).bold();
    // A long message is set smaller before it is cut.
    while title.width(message) > room && title.em > 0.75 * size::TITLE {
        title.em -= 1.0;
    }
    canvas.text((MARGIN, 64), &title, &title.fit(message, room));
}

/// Whether all was measured, in a box that is then full, and what follows it.
pub fn basis(canvas: &mut Canvas, basis: Basis, rest: &str) {
    let full = basis == Basis::Measured;
    let word = Lettering::new(size::SMALL, if full { CARD } else { INK }).bold();
    let end = MARGIN + word.width(basis.word()) + 32;
    canvas.fill((MARGIN, 104), (end, 142), INK);
    if !full {
        canvas.fill((MARGIN + 3, 107), (end - 3, 139), CARD);
    }
    canvas.text((MARGIN + 16, 123), &word, basis.word());
    let after = Lettering::new(size::LARGE, INK);
    canvas.text((end + 16, 123), &after, &after.fit(rest, END - end - 16));
}

/// The basis of a report, where it ran, and more.
pub fn scene(canvas: &mut Canvas, scene: &Scene, more: &str) {
    basis(canvas, scene.basis, &format!("{}{more}", scene.rest()));
}

/// The lines below a picture, from the height `y` down: what a reader must know, and where the
/// numbers are from. Notes begin a line each and are broken where they are longer. Returns the
/// picture's height.
pub fn notes(canvas: &mut Canvas, y: i32, notes: &[&str], source: &str) -> i32 {
    let note = Lettering::new(size::NOTE, MUTED);
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
    for (at, line) in (0..).zip(&lines) {
        canvas.text((MARGIN, y + LINE * at), &note, line);
    }
    let last = y + LINE * (lines.len() as i32 - 1);
    canvas.text((END, last), &note.right(), &source);
    last + 48
}
