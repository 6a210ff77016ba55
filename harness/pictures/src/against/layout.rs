//! Where things lie on the picture of a GPU against a CPU.

use report::against::{Against, Entry, Side};

use super::words;
use crate::kit::scale::Scale;
use crate::kit::style::{END, MARGIN};
use crate::kit::{caption, rows};

/// Above the highest row: message, basis, heads of the columns.
pub const HEAD: i32 = caption::HEIGHT + 88;
/// Width of each column of numbers at the right.
pub const COLUMN: i32 = 128;
/// Widest name of a step that is shown whole.
pub const WIDEST_NAME: i32 = 430;
/// Free room in the plot, left and right of the marks.
const ROOM: i32 = 24;

/// A row of the picture.
#[derive(Clone, Copy)]
pub enum Row<'a> {
    /// The name of a processor.
    Side(&'a Side),
    /// One of its steps.
    Step(&'a Side, &'a Entry),
    /// What was published for a step.
    Published(&'a Entry),
}

/// Where things lie.
pub struct Layout<'a> {
    /// From top to bottom, each with the height of its middle.
    pub rows: Vec<(Row<'a>, i32)>,
    /// The ends of the plot.
    pub left: i32,
    pub right: i32,
    /// The height of the axis.
    pub bottom: i32,
    /// Rates in the unit of the figure.
    pub scale: Option<Scale>,
}

impl Layout<'_> {
    pub fn of(against: &Against) -> Layout<'_> {
        let mut order = Vec::new();
        let mut below = Vec::new();
        for side in [&against.gpu, &against.cpu] {
            order.push((Row::Side(side), 60));
            for entry in side.steps.iter().rev() {
                below.push((entry, words::below(side, entry)));
                order.push((Row::Step(side, entry), 62));
                // Published figures are so many times this CPU's thread: without it they have no
                // place.
                let is_placed = against.thread.is_some() && !entry.published.is_empty();
                order.extend(is_placed.then_some((Row::Published(entry), 46)));
            }
        }
        let mut bottom = HEAD;
        let rows = order.into_iter().map(|(row, height)| {
            bottom += height;
            (row, bottom - height / 2)
        });
        let rows: Vec<_> = rows.collect();
        let names = below.iter().map(|(it, below)| (it.step.as_str(), it.detour, below.as_str()));
        let left = MARGIN + rows::room(names, WIDEST_NAME).max(240) + 40;
        let right = END - 4 * COLUMN - 20;
        let thread = against.thread();
        let published = below.iter().flat_map(|(entry, _)| &entry.published);
        let published = published.filter_map(|one| Some(one.times * thread?.rate));
        let rates = below.iter().map(|(entry, _)| entry.rate).chain(published);
        let rates = rates.map(|rate| against.figure.rate(rate));
        let scale = Scale::logarithmic(rates, left + ROOM, right - ROOM);
        Layout { rows, left, right, bottom: bottom + 10, scale }
    }

    /// The height of a step's row.
    pub fn y(&self, step: &Entry) -> i32 {
        let is_it = |row: &Row| matches!(row, Row::Step(_, entry) if std::ptr::eq(*entry, step));
        self.rows.iter().find(|(row, _)| is_it(row)).map_or(self.bottom, |(_, y)| *y)
    }

    pub fn has_published(&self) -> bool {
        self.rows.iter().any(|(row, _)| matches!(row, Row::Published(_)))
    }
}
