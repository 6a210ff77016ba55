//! Where things lie on the picture of a GPU against a CPU.

use crate::against::{Against, Entry, Side, words};
use crate::plot::numbers;
use crate::plot::scale::Scale;
use crate::plot::style::{MARGIN, WIDTH};
use crate::plot::{head, rows};

/// Above the highest row: message, basis, heads of the columns.
pub const HEAD: i32 = head::HEIGHT + 88;
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
/// Above and below the legend of published figures.
const LEGEND: i32 = 44;
/// Free room in the plot, left and right of the marks.
const ROOM: i32 = 24;

/// A row of the picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Row {
    /// The GPU's name.
    Gpu,
    /// A step of the GPU.
    GpuStep(usize),
    /// What was published for it.
    Published(usize),
    /// The CPU's name.
    Cpu,
    /// A step of the CPU.
    CpuStep(usize),
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
    /// The left end of the plot.
    pub left: i32,
    /// Its right end.
    pub right: i32,
    /// The height of the axis.
    pub bottom: i32,
    /// Rates in 10⁹ interactions per second.
    pub scale: Option<Scale>,
    has_legend: bool,
}

impl Layout {
    /// The layout of a picture.
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
        let entries = || sides.into_iter().flat_map(|side| &side.steps);
        let below: Vec<String> =
            sides.iter().flat_map(|side| side.steps.iter().map(|it| below(side, it))).collect();
        let names = entries().zip(&below);
        let names = names.map(|(entry, below)| (entry.step.as_str(), entry.detour, below.as_str()));
        let left = MARGIN + rows::room(names, WIDEST_NAME).max(240) + 40;
        let right = WIDTH - MARGIN - 4 * COLUMN - 20;
        let published = entries().flat_map(|entry| &entry.published);
        let published = published.filter_map(|one| Some(one.times * against.thread()?.rate / 1e9));
        let rates = entries().map(|entry| entry.rate / 1e9).chain(published);
        Layout {
            rows,
            left,
            right,
            bottom: bottom + 10,
            scale: Scale::logarithmic(rates, left + ROOM, right - ROOM),
            has_legend: entries().any(is_placed),
        }
    }

    /// The place of a rate in 10⁹ interactions per second.
    pub fn x(&self, rate: f64) -> i32 {
        self.scale.as_ref().map_or(self.left, |scale| scale.at(rate))
    }

    /// The height of a row.
    pub fn y(&self, row: Row) -> i32 {
        let found = self.rows.iter().find(|(other, _)| *other == row);
        found.map_or(self.bottom, |(_, y)| *y)
    }

    /// The height of the legend of published figures.
    pub fn legend(&self) -> Option<i32> {
        self.has_legend.then_some(self.bottom + AXIS)
    }

    /// The height of the notes.
    pub fn notes(&self) -> i32 {
        self.bottom + AXIS + if self.has_legend { LEGEND } else { 0 }
    }
}

/// What stands under a step's name.
pub fn below(side: &Side, entry: &Entry) -> String {
    let detour = if entry.detour { "detour" } else { "" };
    let n = match side.usual_n() {
        Some(n) if n != entry.n => format!("n = {}", numbers::count(entry.n)),
        _ => String::new(),
    };
    let parts = [detour.to_owned(), entry.title.clone(), words::threads(entry), n];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · ")
}
