//! Where things lie on the picture of a GPU against a CPU.

use report::against::{Against, Entry};

use super::words;
use crate::scale::Scale;
use crate::style::{END, MARGIN};
use crate::{caption, rows};

/// Above the highest row: message, basis, heads of the columns.
pub const HEAD: i32 = caption::HEIGHT + 88;
/// From the lowest row to what stands below the axis.
pub const AXIS: i32 = 108;
/// Width of each column of numbers at the right.
pub const COLUMN: i32 = 128;
/// Widest name of a step that is shown whole.
pub const WIDEST_NAME: i32 = 430;
/// Height of the row of a step; of one that names a processor; of one with published figures.
const STEP: i32 = 62;
const SIDE: i32 = 60;
const PUBLISHED: i32 = 46;
/// Free room in the plot, left and right of the marks.
const ROOM: i32 = 24;

/// A row of the picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Row {
    /// The name of a processor.
    Gpu,
    Cpu,
    /// One of its steps.
    GpuStep(usize),
    CpuStep(usize),
    /// What was published for a step of the GPU.
    Published(usize),
}

impl Row {
    fn height(self) -> i32 {
        match self {
            Row::Gpu | Row::Cpu => SIDE,
            Row::GpuStep(_) | Row::CpuStep(_) => STEP,
            Row::Published(_) => PUBLISHED,
        }
    }
}

/// Where things lie.
pub struct Layout {
    /// From top to bottom, each with the height of its middle.
    pub rows: Vec<(Row, i32)>,
    /// The ends of the plot.
    pub left: i32,
    pub right: i32,
    /// The height of the axis.
    pub bottom: i32,
    /// Rates in the unit of the figure.
    pub scale: Option<Scale>,
}

impl Layout {
    pub fn of(against: &Against) -> Layout {
        // Published figures are so many times this CPU's thread: without it they have no place.
        let is_placed = |entry: &Entry| against.thread.is_some() && !entry.published.is_empty();
        let mut order = vec![Row::Gpu];
        for (at, entry) in against.gpu.steps.iter().enumerate().rev() {
            order.push(Row::GpuStep(at));
            order.extend(is_placed(entry).then_some(Row::Published(at)));
        }
        order.push(Row::Cpu);
        order.extend((0..against.cpu.steps.len()).rev().map(Row::CpuStep));
        let mut bottom = HEAD;
        let rows = order.into_iter().map(|row| {
            let middle = bottom + row.height() / 2;
            bottom += row.height();
            (row, middle)
        });
        let rows: Vec<_> = rows.collect();

        let sides = [&against.gpu, &against.cpu];
        let entries =
            || sides.into_iter().flat_map(|side| side.steps.iter().map(move |it| (side, it)));
        let below: Vec<String> = entries().map(|(side, it)| words::below(side, it)).collect();
        let names = entries().zip(&below);
        let names = names.map(|((_, it), below)| (it.step.as_str(), it.detour, below.as_str()));
        let left = MARGIN + rows::room(names, WIDEST_NAME).max(240) + 40;
        let right = END - 4 * COLUMN - 20;
        let published = entries().flat_map(|(_, entry)| &entry.published);
        let published = published.filter_map(|one| Some(one.times * against.thread()?.rate));
        let rates = entries().map(|(_, entry)| entry.rate).chain(published);
        let rates = rates.map(|rate| against.figure.rate(rate));
        let scale = Scale::logarithmic(rates, left + ROOM, right - ROOM);
        Layout { rows, left, right, bottom: bottom + 10, scale }
    }

    /// The place of a rate in the unit of the figure.
    pub fn x(&self, rate: f64) -> i32 {
        self.scale.as_ref().map_or(self.left, |scale| scale.at(rate))
    }

    /// The height of a row.
    pub fn y(&self, row: Row) -> i32 {
        let found = self.rows.iter().find(|(other, _)| *other == row);
        found.map_or(self.bottom, |(_, y)| *y)
    }

    pub fn has_published(&self) -> bool {
        self.rows.iter().any(|(row, _)| matches!(row, Row::Published(_)))
    }
}
