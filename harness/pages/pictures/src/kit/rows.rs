//! Pictures that have a row for each step: names at the left, columns of numbers at the right.

use report::Row;

use super::canvas::Canvas;
use super::lettering::{Lettering, second};
use super::style::{HAIR, INK, MARGIN, MUTED, Paper, size};

/// What stands at the left of a row.
pub struct Name<'s> {
    pub step: &'s str,
    pub detour: bool,
    pub below: String,
}

impl<'s> Name<'s> {
    pub fn of(row: &'s Row, below: String) -> Name<'s> {
        Name { step: &row.step, detour: row.detour, below }
    }

    fn lettering(&self) -> Lettering {
        match self.detour {
            true => Lettering::new(size::LARGE, MUTED),
            false => Lettering::new(size::LARGE, INK).bold(),
        }
    }

    /// On a wide paper at the height `y`, no wider than `room`.
    pub fn draw(&self, canvas: &mut Canvas, y: i32, room: i32) {
        let name = self.lettering();
        canvas.text((MARGIN, y - 13), &name, &name.fit(self.step, room));
        canvas.text((MARGIN, y + 15), &second(), &second().fit(&self.below, room));
    }
}

/// The room that names need, at most `most`.
pub fn room<'n, 's: 'n>(names: impl IntoIterator<Item = &'n Name<'s>>, most: i32) -> i32 {
    let width = |it: &Name| it.lettering().width(it.step).max(second().width(&it.below)).min(most);
    names.into_iter().map(width).max().unwrap_or(0)
}

/// How the numbers of a step are written.
pub fn number(is_second: bool) -> Lettering {
    Lettering::new(size::LARGE, if is_second { MUTED } else { INK })
}

/// A line between two rows.
pub fn rule(canvas: &mut Canvas, y: i32) {
    canvas.line((MARGIN, y), (canvas.paper.end(), y), 1, HAIR);
}

/// The columns of a picture of rows: a name at the left and numbers at the right of what is drawn, or both above it on a
/// narrow paper.
pub struct Table {
    /// The widest name.
    pub widest: i32,
    /// How many columns of numbers there are, and the width of each.
    pub columns: i32,
    pub column: i32,
    /// From what is drawn to the numbers.
    pub gap: i32,
}

/// On a narrow paper: the height of what is drawn of a row, of a line above it, and the width of a number next to a name.
const DRAWN: i32 = 56;
const LINE: i32 = 32;
const NUMBER: i32 = 124;

impl Table {
    /// Between which pixels rows are drawn that have names of this width.
    pub fn ends(&self, paper: Paper, names: i32) -> (i32, i32) {
        match paper {
            Paper::Wide => {
                (MARGIN + names + 40, paper.end() - self.columns * self.column - self.gap)
            }
            // Labels of an axis are centred at its ends.
            Paper::Narrow => (MARGIN + 24, paper.end() - 24),
        }
    }

    /// The height of a row that has this on a wide paper, and from its lower edge to the middle of what is drawn.
    pub fn pitch(&self, paper: Paper, wide: i32) -> (i32, i32) {
        match paper {
            Paper::Wide => (wide, wide / 2),
            Paper::Narrow => (DRAWN + LINE * self.lines(), DRAWN / 2),
        }
    }

    /// How many lines are above what is drawn: numbers that have no room next to a name have a line of their own.
    fn lines(&self) -> i32 {
        if self.columns > 2 { 2 } else { 1 }
    }

    /// The width of a column of numbers.
    pub fn width(&self, paper: Paper) -> i32 {
        match paper {
            Paper::Wide => self.column,
            Paper::Narrow if self.lines() == 1 => NUMBER,
            Paper::Narrow => paper.room() / self.columns,
        }
    }

    /// A name next to what is drawn at the height `y`.
    pub fn name(&self, canvas: &mut Canvas, y: i32, name: &Name) {
        if canvas.paper == Paper::Wide {
            return name.draw(canvas, y, self.widest);
        }
        let taken = if self.lines() == 1 { self.columns * NUMBER } else { 0 };
        let (mut letters, room) = (name.lettering(), canvas.paper.room() - taken);
        letters.em = if letters.width(name.step) > room { size::NOTE } else { letters.em };
        let y = y - DRAWN / 2 - LINE * self.lines() + LINE / 2;
        canvas.label((MARGIN, y), &letters, &letters.fit(name.step, room));
    }

    /// The numbers of a row, the last at the right edge.
    pub fn numbers(&self, canvas: &mut Canvas, y: i32, letters: &Lettering, texts: &[String]) {
        let column = self.width(canvas.paper);
        let y = Self::numbers_at(canvas.paper, y);
        for (x, text) in ends(canvas.paper, column, texts.len()).zip(texts) {
            let text = letters.fit(text, column - 10);
            match canvas.paper {
                Paper::Wide => canvas.text((x, y), &letters.right(), &text),
                Paper::Narrow => canvas.label((x - letters.width(&text), y), letters, &text),
            }
        }
    }

    /// The height of the numbers of a row that is drawn at the height `y`.
    pub fn numbers_at(paper: Paper, y: i32) -> i32 {
        if paper.is_narrow() { y - (DRAWN + LINE) / 2 } else { y }
    }

    /// The heads of the numbers, in at most two lines, the last at the height `y`.
    pub fn heads(&self, canvas: &mut Canvas, y: i32, texts: &[&str]) {
        let column = self.width(canvas.paper);
        for (x, text) in ends(canvas.paper, column, texts.len()).zip(texts) {
            let lines = second().wrapped(text, column - 10, 2);
            let top = y - 26 * (lines.len() as i32 - 1);
            for (y, line) in (top..).step_by(26).zip(&lines) {
                canvas.text((x, y), &second().right(), line);
            }
        }
    }
}

/// The right end of each of so many columns.
pub fn ends(paper: Paper, column: i32, count: usize) -> impl Iterator<Item = i32> {
    (1..=count as i32).rev().map(move |after| paper.end() - column * (after - 1))
}
