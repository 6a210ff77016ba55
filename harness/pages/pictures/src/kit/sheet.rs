//! What stands around every picture of a report: its message, where its numbers come from, notes.

use report::provenance::{Basis, Provenance};

use super::canvas::{self, Canvas};
use super::lettering::Lettering;
use super::style::{CARD, INK, MARGIN, MUTED, Paper, size};
use crate::Picture;

/// The height that message and basis take.
pub const HEIGHT: i32 = 160;
/// From a line of notes to the next, and the most that there are on a wide paper.
const LINE: i32 = 32;
const MOST_LINES: usize = 4;
/// On a narrow one: of notes and of what follows the basis, and of the message.
const NARROW_LINES: usize = 20;
const NARROW_MESSAGE: (f64, i32, usize) = (30.0, 38, 6);

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
    /// Room that a narrow picture needs above its drawing beyond that of a wide one.
    pub over: i32,
}

impl Sheet {
    /// Of a report; `more` follows where it ran.
    pub fn of(
        provenance: Provenance,
        name: &'static str,
        title: String,
        more: &str,
        notes: impl Into<Vec<String>>,
    ) -> Sheet {
        let rest = provenance.with_verified(format!("{}{more}", provenance.rest()));
        Sheet {
            name,
            title,
            basis: provenance.basis,
            rest,
            notes: notes.into(),
            source: provenance.source,
            over: 0,
        }
    }

    /// The picture; `draw` returns the height at which the notes begin.
    pub fn picture(self, draw: impl Fn(&mut Canvas) -> i32) -> Picture {
        let over = self.over + LINE * self.narrow_rest().len() as i32;
        picture(self.name, self.title.clone(), over, |canvas| self.around(canvas, &draw))
    }

    /// The same without a drawing for phones.
    pub fn wide(self, draw: impl Fn(&mut Canvas) -> i32) -> Picture {
        wide(self.name, self.title.clone(), |canvas| self.around(canvas, &draw))
    }

    fn around(&self, canvas: &mut Canvas, draw: impl Fn(&mut Canvas) -> i32) -> i32 {
        self.basis(canvas);
        let y = draw(canvas);
        self.notes(canvas, y)
    }

    /// What follows the basis, in lines below it.
    fn narrow_rest(&self) -> Vec<String> {
        let after = Lettering::new(size::SMALL, INK);
        let rest = self.rest.trim_start_matches(" · ");
        after.wrapped(rest, Paper::Narrow.room(), NARROW_LINES)
    }

    /// Whether all was measured, in a box that is then full, and what follows it.
    fn basis(&self, canvas: &mut Canvas) {
        let full = self.basis == Basis::Measured;
        let word = Lettering::new(size::SMALL, if full { CARD } else { INK }).bold();
        let end = MARGIN + word.width(self.basis.word()) + 32;
        let narrow = self.narrow_rest();
        let y = match canvas.paper {
            Paper::Wide => 123,
            Paper::Narrow => 123 - self.over - LINE * narrow.len() as i32,
        };
        canvas.fill((MARGIN, y - 19), (end, y + 19), INK);
        if !full {
            canvas.fill((MARGIN + 3, y - 16), (end - 3, y + 16), CARD);
        }
        canvas.text((MARGIN + 16, y), &word, self.basis.word());
        if canvas.paper.is_narrow() {
            let after = Lettering::new(size::SMALL, INK);
            for (y, line) in (y + LINE + 8..).step_by(LINE as usize).zip(&narrow) {
                canvas.text((MARGIN, y), &after, line);
            }
        } else {
            let after = Lettering::new(size::LARGE, INK);
            let room = canvas.paper.end() - end - 16;
            canvas.text((end + 16, y), &after, &after.fit(&self.rest, room));
        }
    }

    /// The lines below a picture, from the height `y` down, broken where they are longer. Returns
    /// the picture's height.
    fn notes(&self, canvas: &mut Canvas, y: i32) -> i32 {
        let note = Lettering::new(size::NOTE, MUTED);
        let (end, room) = (canvas.paper.end(), canvas.paper.room());
        let (share, most) = match canvas.paper {
            Paper::Wide => (3, MOST_LINES),
            Paper::Narrow => (1, NARROW_LINES),
        };
        let source = note.fit(&self.source, room / share);
        let broken = self.notes.iter().flat_map(|text| note.wrapped(text, room, most));
        let mut lines: Vec<String> = broken.collect();
        if lines.len() > most {
            let rest = lines.split_off(most - 1).join(" ");
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
        canvas.text((end, last), &note.right(), &source);
        last + 48
    }
}

/// A picture below its message; what lies between message and drawing needs so much more room on a narrow paper. `draw`
/// returns the picture's height.
pub fn picture(
    name: &'static str,
    title: String,
    over: i32,
    draw: impl Fn(&mut Canvas) -> i32,
) -> Picture {
    let (svg, _) = canvas::svg(&title, Paper::Narrow, |canvas| {
        let (em, line, most) = NARROW_MESSAGE;
        let letters = Lettering::new(em, INK).bold();
        let lines = letters.wrapped(&title, canvas.paper.room(), most);
        let first = 64 - over - line * (lines.len() as i32 - 1);
        for (y, text) in (first..).step_by(line as usize).zip(&lines) {
            canvas.text((MARGIN, y), &letters, text);
        }
        (first - 36, draw(canvas))
    });
    Picture { narrow: Some(svg), ..wide(name, title, draw) }
}

/// The same on a wide paper only.
fn wide(name: &'static str, title: String, draw: impl Fn(&mut Canvas) -> i32) -> Picture {
    let (svg, words) = canvas::svg(&title, Paper::Wide, |canvas| {
        let room = canvas.paper.room();
        let mut letters = Lettering::new(size::TITLE, INK).bold();
        // A long message is set smaller before it is cut.
        while letters.width(&title) > room && letters.em > 0.75 * size::TITLE {
            letters.em -= 1.0;
        }
        canvas.text((MARGIN, 64), &letters, &letters.fit(&title, room));
        (0, draw(canvas))
    });
    Picture { name, title, words, svg, narrow: None }
}
