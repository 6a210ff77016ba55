//! What stands around every picture of a report: its message, where its numbers come from, notes.

use report::scene::{Basis, Scene};

use super::canvas::{self, Canvas};
use super::lettering::Lettering;
use super::style::{CARD, END, INK, MARGIN, MUTED, WIDTH, size};
use crate::Picture;

/// The height that message and basis take.
pub const HEIGHT: i32 = 160;
/// Where lines of text may reach from one margin to the other.
const ROOM: i32 = WIDTH - 2 * MARGIN;
/// From a line of notes to the next, and the most that there are.
const LINE: i32 = 32;
const MOST_LINES: usize = 4;

/// A picture before its drawing.
pub struct Sheet {
    pub name: &'static str,
    pub title: String,
    pub basis: Basis,
    /// What follows the basis's word.
    pub rest: String,
    /// What a reader must know; each begins a line.
    pub notes: Vec<String>,
    /// Day and revision of the numbers.
    pub source: String,
}

impl Sheet {
    /// Of a report; `more` follows where it ran.
    pub fn of(
        scene: Scene,
        name: &'static str,
        title: String,
        more: &str,
        notes: impl Into<Vec<String>>,
    ) -> Sheet {
        let rest = format!("{}{more}", scene.rest());
        Sheet { name, title, basis: scene.basis, rest, notes: notes.into(), source: scene.source }
    }

    /// The picture; `draw` returns the height at which the notes begin.
    pub fn picture(self, draw: impl FnOnce(&mut Canvas) -> i32) -> Picture {
        picture(self.name, self.title.clone(), |canvas| {
            self.basis(canvas);
            let y = draw(canvas);
            self.notes(canvas, y)
        })
    }

    /// Whether all was measured, in a box that is then full, and what follows it.
    fn basis(&self, canvas: &mut Canvas) {
        let full = self.basis == Basis::Measured;
        let word = Lettering::new(size::SMALL, if full { CARD } else { INK }).bold();
        let end = MARGIN + word.width(self.basis.word()) + 32;
        canvas.fill((MARGIN, 104), (end, 142), INK);
        if !full {
            canvas.fill((MARGIN + 3, 107), (end - 3, 139), CARD);
        }
        canvas.text((MARGIN + 16, 123), &word, self.basis.word());
        let after = Lettering::new(size::LARGE, INK);
        canvas.text((end + 16, 123), &after, &after.fit(&self.rest, END - end - 16));
    }

    /// The lines below a picture, from the height `y` down, broken where they are longer. Returns
    /// the picture's height.
    fn notes(&self, canvas: &mut Canvas, y: i32) -> i32 {
        let note = Lettering::new(size::NOTE, MUTED);
        let source = note.fit(&self.source, ROOM / 3);
        let broken = self.notes.iter().flat_map(|text| note.wrapped(text, ROOM, MOST_LINES));
        let mut lines: Vec<String> = broken.collect();
        if lines.len() > MOST_LINES {
            let rest = lines.split_off(MOST_LINES - 1).join(" ");
            lines.push(note.fit(&rest, ROOM - note.width(&source) - 40));
        }
        // The source stands at the end of the last line, or below it.
        let is_free = |last: &String| note.width(last) + 40 + note.width(&source) <= ROOM;
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
}

/// A picture below its message. `draw` returns the picture's height.
pub fn picture(
    name: &'static str,
    title: String,
    draw: impl FnOnce(&mut Canvas) -> i32,
) -> Picture {
    let (svg, words) = canvas::svg(&title, |canvas| {
        let mut letters = Lettering::new(size::TITLE, INK).bold();
        // A long message is set smaller before it is cut.
        while letters.width(&title) > ROOM && letters.em > 0.75 * size::TITLE {
            letters.em -= 1.0;
        }
        canvas.text((MARGIN, 64), &letters, &letters.fit(&title, ROOM));
        draw(canvas)
    });
    Picture { name, title, words, svg }
}
