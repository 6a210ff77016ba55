//! Whether a kernel is as parallel as the solution of its exercise, within a factor.
//!
//! Upper bounds of events are met best by a kernel whose threads do nothing, so that one thread could do all the work of
//! an exercise and pass. Here the solution itself is the measure, run with the same data: how much of the work the busiest
//! warp has, how many lanes of a warp are active, how much there is to do for a warp, and how much is asked of memory.

use anyhow::Result;
use launches::facts::Facts;

use super::exercise::Exercise;
use super::goals::{self, Missed, number};

/// How many times as unevenly as the solution's the work may be divided: half of the threads may do all of it.
const UNEVEN: f64 = 2.25;

/// How many times the solution's work there may be, where the exercise says nothing.
const MUCH: f64 = 4.0;

/// What a kernel did with the data of the goals.
pub struct Seen {
    /// What the reader's did.
    pub facts: Facts,
    /// What the solution's did with the same data; none where the exercise does not ask for it.
    pub solution: Option<Facts>,
}

/// One way in which work may be badly divided.
struct Measure {
    /// What is counted; the smaller the better.
    of: fn(&Facts) -> f64,
    /// What its reader gets to read, of what is counted and the most that is wanted.
    says: fn(&Facts, [f64; 2]) -> String,
    /// The event whose line is shown.
    event: &'static str,
    /// A question that leads on.
    ask: &'static str,
}

/// How the work is divided: looked at before anything else, since limits of events tell a reader little whose threads are
/// idle.
const DIVISION: [Measure; 2] = [
    Measure {
        of: |facts| share(facts.spread.busiest_warp, facts.total.warps),
        says: |facts, [share, most]| {
            format!(
                "work is badly divided: one of {} warps issues {} of the instructions, at most {} wanted",
                number(facts.spread.warps as f64),
                percent(share),
                percent(most)
            )
        },
        event: "total.warps",
        ask: "which warps have nothing to do? Let each block, and each warp in it, take a part of the data",
    },
    Measure {
        of: |facts| share(32 * facts.total.warps, facts.total.threads),
        says: |_, [inverse, most]| {
            format!(
                "most lanes are idle: {} of the 32 lanes of a warp are active on average, at least {} wanted",
                number(round(32.0 / inverse)),
                number(round(32.0 / most))
            )
        },
        event: "total.warps",
        ask: "which threads have nothing to do? An instruction costs the same for one lane as for 32: let every thread \
              take a part of the data",
    },
];

/// How much work there is.
const AMOUNT: [Measure; 3] = [
    Measure {
        of: |facts| facts.spread.busiest_warp as f64,
        says: |_, [count, most]| {
            format!(
                "a warp does too much: the busiest issues {} instructions, at most {} wanted",
                number(count),
                number(most)
            )
        },
        event: "total.warps",
        ask: "does a thread do what is another's work, or do several do the same? Each element needs one thread",
    },
    Measure {
        of: |facts| facts.total.global_bytes as f64,
        says: |_, bytes| asked("global memory", bytes),
        event: "total.global_bytes",
        ask: SAME,
    },
    // What is read of a tile in shared memory is read there by many threads.
    Measure {
        of: |facts| (facts.total.global_bytes + facts.total.shared_bytes) as f64,
        says: |_, bytes| asked("global and shared memory", bytes),
        event: "total.shared_bytes",
        ask: SAME,
    },
];

/// The question after too many bytes.
const SAME: &str = "do many threads load or store the same element? Each needs only its own part";

fn asked(memory: &str, [bytes, most]: [f64; 2]) -> String {
    format!(
        "too much is asked of memory: the threads load and store {} bytes of {memory}, at most {} wanted",
        number(bytes),
        number(most)
    )
}

fn share(part: u64, of: u64) -> f64 {
    part as f64 / of.max(1) as f64
}

fn percent(share: f64) -> String {
    format!("{} %", report::format::significant(100.0 * share))
}

/// One digit after the point.
fn round(value: f64) -> f64 {
    (10.0 * value).round() / 10.0
}

impl Seen {
    /// The goals that the kernel has reached, in words; or the first that it has not.
    ///
    /// # Errors
    /// The exercise names an event that there is not.
    pub fn reached(&self, exercise: &Exercise) -> Result<Result<Vec<String>, Missed>> {
        let Seen { facts, solution } = self;
        if let Some(missed) = self.undivided() {
            return Ok(Err(missed));
        }
        let limits = goals::judge(&exercise.limits, &|path| goals::event(facts, path))?;
        Ok(limits.and_then(|mut reached| {
            let factor = exercise.parallel.factor.unwrap_or(MUCH);
            if let Some(missed) = self.missed(&AMOUNT, factor) {
                return Err(missed);
            }
            reached.extend(solution.as_ref().map(|solution| words(facts, solution)));
            Ok(reached)
        }))
    }

    /// How the work is badly divided, if it is.
    pub fn undivided(&self) -> Option<Missed> {
        self.missed(&DIVISION, UNEVEN)
    }

    fn missed(&self, measures: &[Measure], factor: f64) -> Option<Missed> {
        let solution = self.solution.as_ref()?;
        measures.iter().find_map(|one| one.missed(&self.facts, solution, factor))
    }
}

impl Measure {
    /// What a reader's kernel misses, if so, of what the solution does within a factor.
    fn missed(&self, readers: &Facts, solution: &Facts, factor: f64) -> Option<Missed> {
        let (counted, most) = ((self.of)(readers), factor * (self.of)(solution));
        (counted > most).then(|| Missed {
            event: self.event.to_owned(),
            sentence: (self.says)(readers, [counted, most]),
            ask: self.ask.to_owned(),
            is_of_division: true,
        })
    }
}

/// What the threads of a kernel did.
fn words(readers: &Facts, solution: &Facts) -> String {
    let Facts { spread, total, .. } = readers;
    format!(
        "work: {} warps, the busiest issues {} instructions (the solution's {}), {} of 32 lanes active",
        number(spread.warps as f64),
        number(spread.busiest_warp as f64),
        number(solution.spread.busiest_warp as f64),
        number(round(share(total.threads, total.warps)))
    )
}
