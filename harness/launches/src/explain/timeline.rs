//! A timeline of a few warps, for people who look rather than read: who does what, with how many lanes, and who waits.
//!
//! Time is counted in instructions that a warp issued itself, as the simulator records it; so it shows the order of the
//! work, not how long a GPU takes for it.

pub mod svg;
mod work;

use device::Profile;
use simt::machine::Place;
use simt::{Kernel, TraceRequest};

use crate::facts::LineFacts;
use work::Work;

/// What is recorded for a timeline: a few warps, as far as single instructions can be told apart.
pub(super) const REQUEST: TraceRequest = TraceRequest { warps: 4, instructions: 400 };

/// What the warps of one launch did.
#[derive(Debug)]
pub struct Timeline {
    title: String,
    /// The runs of each warp, one after the other.
    warps: Vec<Vec<Run>>,
    /// When the first and the last warp came to each barrier.
    barriers: Vec<(u64, u64)>,
}

/// Instructions of one kind and one source line that a warp issued with the same lanes.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Run {
    /// When the first was issued.
    start: u64,
    /// When the last had been issued.
    end: u64,
    work: Work,
    /// Active lanes.
    lanes: u32,
    place: Place,
}

impl Timeline {
    /// Of what was recorded of a launch; `None` where nothing was.
    pub(super) fn of(title: &str, profile: &Profile) -> Option<Timeline> {
        let trace = profile.events.trace.as_ref()?;
        let kernel = profile.kernel();
        let mut warps = Vec::<Vec<Run>>::new();
        for event in &trace.events {
            let warp = event.warp as usize;
            if warps.len() <= warp {
                warps.resize_with(warp + 1, Vec::new);
            }
            extend(&mut warps[warp], kernel, event);
        }
        let barriers = trace.barriers.iter().map(|barrier| (barrier.first, barrier.last)).collect();
        Some(Timeline { title: title.to_owned(), warps, barriers })
    }

    /// When the last instruction had been issued.
    fn end(&self) -> u64 {
        let last = self.warps.iter().filter_map(|runs| runs.last());
        last.map(|run| run.end).max().unwrap_or(0)
    }
}

/// Adds the instructions of one execution of a basic block.
fn extend(runs: &mut Vec<Run>, kernel: &Kernel, event: &simt::TraceEvent) {
    let Some(block) = kernel.blocks().get(event.block as usize) else { return };
    let recorded = (event.start..REQUEST.instructions).zip(&block.instructions);
    for (start, instruction) in recorded {
        let run = Run {
            start,
            end: start + 1,
            work: Work::of(instruction.class),
            lanes: event.lanes.count_ones(),
            place: Place::of(kernel, instruction),
        };
        match runs.last_mut() {
            // A request of memory stays on its own: each has its mark.
            Some(last) if last.continues(&run) && !run.work.is_request() => last.end = run.end,
            _ => runs.push(run),
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
    fn hint(&self, lines: &[LineFacts]) -> String {
        let at = |line: &&LineFacts| Place::new(&line.file, line.line) == self.place;
        let text = lines.iter().find(at).and_then(|line| line.text.as_deref());
        let place = match (&self.place, text) {
            (Place { line: 0, .. }, _) => String::new(),
            (place, None) => format!(", line {place}"),
            (place, Some(text)) => format!("\nline {place}: {}", text.trim()),
        };
        let (count, name) = (self.end - self.start, self.work.name());
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
