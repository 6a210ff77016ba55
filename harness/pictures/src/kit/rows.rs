//! Pictures that have a row for each step: names at the left, columns of numbers at the right.

use report::Row;

use super::canvas::Canvas;
use super::lettering::{Lettering, second};
use super::style::{END, HAIR, INK, MARGIN, MUTED, size};

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

    /// At the height `y`, no wider than `room`.
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
    canvas.line((MARGIN, y), (END, y), 1, HAIR);
}

/// Numbers at the height `y`, in columns of one width, the last at the right edge.
pub fn columns(canvas: &mut Canvas, y: i32, column: i32, letters: &Lettering, texts: &[String]) {
    for (x, text) in ends(column, texts.len()).zip(texts) {
        canvas.text((x, y), &letters.right(), &letters.fit(text, column - 10));
    }
}

/// The heads of such columns, in at most two lines, the last at the height `y`.
pub fn heads(canvas: &mut Canvas, y: i32, column: i32, texts: &[&str]) {
    for (x, text) in ends(column, texts.len()).zip(texts) {
        let lines = second().wrapped(text, column - 10, 2);
        let top = y - 26 * (lines.len() as i32 - 1);
        for (y, line) in (top..).step_by(26).zip(&lines) {
            canvas.text((x, y), &second().right(), line);
        }
    }
}

/// The right end of each of so many columns.
pub fn ends(column: i32, count: usize) -> impl Iterator<Item = i32> {
    (1..=count as i32).rev().map(move |after| END - column * (after - 1))
}
