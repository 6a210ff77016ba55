//! The rows of a comparison and their places.

use report::against::{Against, Entry, Side};
use report::{format, words};

use crate::kit::canvas::Canvas;
use crate::kit::grid::Plane;
use crate::kit::lettering::Lettering;
use crate::kit::rows::{self, Name, Table};
use crate::kit::scale::Scale;
use crate::kit::sheet;
use crate::kit::style::Paper;

/// Above the highest row: message, basis, heads of the columns.
pub const HEAD: i32 = sheet::HEIGHT + 88;
/// Names left of the plot, numbers right of it.
pub const TABLE: Table = Table { widest: 430, columns: 4, column: 128, gap: 20 };
/// On a narrow paper the heads of the columns have room of their own, above that of the upper axis.
pub const NARROW_HEADS: i32 = 80;
/// Free room in the plot, left and right of the marks.
const ROOM: i32 = 24;
/// From a mark to the words next to it.
const SPACE: i32 = 20;
/// Height of the legend of published figures.
pub const LEGEND: i32 = 44;
/// On a narrow paper the name of a row of published figures stands above its marks.
pub const ABOVE: i32 = 32;

/// A row of the picture.
pub enum Row<'a> {
    /// The name of a processor.
    Side(&'a Side),
    /// One of its steps.
    Step(&'a Entry, Name<'a>),
    /// What was published for a step.
    Published(&'a Entry),
}

/// A comparison with the places of its parts.
pub struct Drawing<'a> {
    pub against: &'a Against,
    /// From top to bottom, each with the height of its middle.
    pub rows: Vec<(Row<'a>, i32)>,
    pub plane: Plane,
    /// Rates in the unit of the figure.
    pub scale: Option<Scale>,
}

impl Drawing<'_> {
    pub fn of(against: &Against, paper: Paper) -> Drawing<'_> {
        let mut bottom = HEAD;
        let mut rows = Vec::new();
        let mut add = |row, (height, half)| {
            bottom += height;
            rows.push((row, bottom - half));
        };
        for side in [&against.cpu, &against.gpu] {
            add(Row::Side(side), (60, 30));
            for entry in &side.steps {
                let (step, detour, below) = (&*entry.step, entry.detour, below(side, entry));
                add(Row::Step(entry, Name { step, detour, below }), TABLE.pitch(paper, 62));
                // Published figures are so many times this CPU's thread: without it they have no
                // place.
                if against.thread.is_some() && !entry.published.is_empty() {
                    add(Row::Published(entry), published_height(paper));
                }
            }
        }
        let names = rows.iter().filter_map(|(row, _)| match row {
            Row::Step(_, name) => Some(name),
            _ => None,
        });
        let (left, right) = TABLE.ends(paper, rows::room(names, TABLE.widest).max(240));
        let steps = || against.gpu.steps.iter().chain(&against.cpu.steps);
        let published = steps().flat_map(|entry| &entry.published);
        let published = published.filter_map(|one| Some(one.times * against.thread()?.rate));
        let rates = steps().map(|entry| entry.rate).chain(published);
        let rates = rates.map(|rate| against.figure.rate(rate));
        let scale = Scale::logarithmic(rates, left + ROOM, right - ROOM);
        let plane = Plane { left, right, top: HEAD, bottom: bottom + 10 };
        Drawing { against, rows, plane, scale }
    }

    /// The place of a rate.
    pub fn x(&self, rate: f64) -> i32 {
        let scale = self.scale.as_ref();
        scale.map_or(self.plane.left, |scale| scale.at(self.against.figure.rate(rate)))
    }

    /// The height of a step's row.
    pub fn y(&self, step: &Entry) -> i32 {
        let is_it = |row: &Row| matches!(row, Row::Step(entry, _) if std::ptr::eq(*entry, step));
        self.rows.iter().find(|(row, _)| is_it(row)).map_or(self.plane.bottom, |(_, y)| *y)
    }

    /// Where words of this width begin next to marks that reach from one pixel to another: right of
    /// them, or left where there is more room; `None` where there is too little.
    pub fn start(&self, (left, right): (i32, i32), wide: i32) -> Option<i32> {
        let (before, after) = (left - SPACE - wide, right + SPACE);
        if after + wide <= self.plane.right - 8 {
            return Some(after);
        }
        (before >= self.plane.left + 8).then_some(before)
    }

    /// Writes words next to marks, if there is room.
    pub fn words(
        &self,
        canvas: &mut Canvas,
        marks: (i32, i32),
        y: i32,
        how: &Lettering,
        words: &str,
    ) {
        if let Some(start) = self.start(marks, how.width(words)) {
            canvas.label((start, y), how, words);
        }
    }
}

/// The height of a row of published figures, and from its lower edge to its marks.
fn published_height(paper: Paper) -> (i32, i32) {
    (if paper.is_narrow() { 46 + ABOVE } else { 46 }, 23)
}

/// What stands under a step's name.
fn below(side: &Side, entry: &Entry) -> String {
    let n = Some(entry.n).filter(|n| side.usual_n() != Some(*n));
    let parts = [
        entry.detour.then(|| "detour".to_owned()),
        Some(entry.title.clone()).filter(|title| !title.is_empty()),
        entry.threads.map(|threads| words::count(threads, "thread")),
        n.map(|n| format!("n = {}", format::grouped(n))),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}
