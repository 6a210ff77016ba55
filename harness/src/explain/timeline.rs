//! A timeline of a few warps, for people who look rather than read: who does what, with how many lanes, and who waits.
//!
//! Time is counted in instructions that a warp issued itself, as the simulator records it; so it shows the order of the
//! work, not how long a GPU takes for it.

mod svg;
mod work;

pub use svg::svg;

use simt::machine::Place;
use simt::{Kernel, TraceRequest};

use super::facts::LineFacts;
use super::running::{Recorded, Side};
use work::Work;

/// What is recorded for a timeline: a few warps, as far as single instructions can be told apart.
pub const REQUEST: TraceRequest = TraceRequest { warps: 4, instructions: 400 };

/// What the warps of one launch did.
#[derive(Debug)]
pub struct Timeline {
    /// What it is called.
    pub title: String,
    /// The warps, from 0.
    pub warps: Vec<Row>,
    /// When the first and the last warp came to each barrier.
    pub barriers: Vec<(u64, u64)>,
}

/// One warp: its runs of instructions of a kind, one after the other.
#[derive(Debug, Default)]
pub struct Row {
    /// In the order of time.
    pub runs: Vec<Run>,
}

/// Instructions of one kind and one source line that a warp issued with the same lanes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// When the first was issued.
    pub start: u64,
    /// When the last had been issued.
    pub end: u64,
    /// What they do.
    pub work: Work,
    /// Active lanes.
    pub lanes: u32,
    /// The source line; 0 where none is known.
    pub place: Place,
}

impl Timeline {
    /// Of what was recorded of a launch; none where nothing was.
    pub fn of(side: &Side) -> Option<Timeline> {
        let Recorded { trace, .. } = side.trace.as_ref()?;
        let kernel = side.trace.as_ref()?.kernel()?;
        let mut warps = Vec::<Row>::new();
        for event in &trace.events {
            let warp = event.warp as usize;
            if warps.len() <= warp {
                warps.resize_with(warp + 1, Row::default);
            }
            warps[warp].extend(kernel, event);
        }
        Some(Timeline {
            title: side.name.clone(),
            warps,
            barriers: trace.barriers.iter().map(|barrier| (barrier.first, barrier.last)).collect(),
        })
    }

    /// When the last instruction had been issued.
    fn end(&self) -> u64 {
        let last = self.warps.iter().filter_map(|warp| warp.runs.last());
        last.map(|run| run.end).max().unwrap_or(0)
    }
}

impl Row {
    /// Adds the instructions of one execution of a basic block.
    fn extend(&mut self, kernel: &Kernel, event: &simt::TraceEvent) {
        let Some(block) = kernel.blocks().get(event.block as usize) else { return };
        for (place, instruction) in (event.start..).zip(&block.instructions) {
            if place >= REQUEST.instructions {
                return;
            }
            let run = Run {
                start: place,
                end: place + 1,
                work: Work::of(instruction.class),
                lanes: event.lanes.count_ones(),
                place: Place::of(kernel, instruction),
            };
            match self.runs.last_mut() {
                // A request of memory stays on its own: each has its mark.
                Some(last) if last.continues(&run) && !run.work.is_request() => last.end = run.end,
                _ => self.runs.push(run),
            }
        }
    }
}

impl Run {
    fn continues(&self, next: &Run) -> bool {
        self.end == next.start
            && (self.work, self.lanes) == (next.work, next.lanes)
            && self.place == next.place
    }

    /// What a reader sees who points at it.
    fn told(&self, lines: &[LineFacts]) -> String {
        let at = |line: &&LineFacts| Place::new(&line.file, line.line) == self.place;
        let text = lines.iter().find(at).and_then(|line| line.text.as_deref());
        let place = match (&self.place, text) {
            (Place { line: 0, .. }, _) => String::new(),
            (place, None) => format!(", line {place}"),
            (place, Some(text)) => format!("\nline {place}: {}", text.trim()),
        };
        let count = self.end - self.start;
        let name = self.work.name();
        format!("{count} × {name}, {} of 32 lanes{place}", self.lanes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(start: u64, work: Work, line: u32) -> Run {
        Run { start, end: start + 1, work, lanes: 32, place: Place { line, ..Place::default() } }
    }

    #[test]
    fn only_neighbours_of_a_kind_make_a_run() {
        let first = run(3, Work::Fp32, 7);
        assert!(first.continues(&run(4, Work::Fp32, 7)));
        assert!(!first.continues(&run(5, Work::Fp32, 7)), "there is a gap");
        assert!(!first.continues(&run(4, Work::Other, 7)));
        assert!(!first.continues(&run(4, Work::Fp32, 8)));
    }
}
