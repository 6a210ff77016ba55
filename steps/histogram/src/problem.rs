//! A histogram as a problem: values, launches, and the figure of merit.

use std::ops::Range;

use ladder::arrays::{Arrays, Call, Data, Extent, Judge, Random, Sizes, of_random_words};
use ladder::problem::ProblemOption;
use ladder::{Launch, OptionError};
use rayon::prelude::*;
use report::{Figure, Request};

/// A step of this ladder.
pub type Step = ladder::Step<Plan>;

/// Values that there are, and bins.
const BINS: usize = 256;

/// Threads that a multiprocessor holds at once.
const RESIDENT: u32 = 2048;

/// Values of which a multiprocessor gets more than 16 bits can count, and a warp of a single block.
const MANY: u64 = 600_011;

/// Values that a thread of the host counts at once.
const TOGETHER: usize = 1 << 20;

const UNIFORM: &str = "values spread evenly";
const CONSTANT: &str = "one value";
const SKEWED: &str = "few frequent values";
const ONE_BLOCK: &str = "one value, counted by one block";

/// What `--data` calls the kinds, and their names.
const NAMES: [(&str, &str); 3] = [("uniform", UNIFORM), ("constant", CONSTANT), ("skewed", SKEWED)];

/// How many threads there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Plan {
    /// As many as run at once, which stride over the values.
    Resident,
    /// One for each value.
    OneValue,
}

/// How often each value occurs.
pub struct Histogram {
    timed: &'static str,
}

impl Default for Histogram {
    fn default() -> Histogram {
        Histogram { timed: UNIFORM }
    }
}

impl Arrays for Histogram {
    type Host = Plan;

    const SIZES: Sizes = Sizes {
        verified: &[1, 2, 31, 32, 33, 255, 256, 257, 1000, 4099, 100_003],
        drawn: &[(3, 300), (300, 5000)],
        planned_for_few: &[MANY], // one bin of a block gets more than 16 bits can count
        repeated: None,
        measured: 1 << 29, // a launch takes a percent of the time of the fastest
        simulated: 1 << 22,
        most: 1 << 31, // an `unsigned int` counts them with room for the last stride
    };
    const KINDS: &'static [&'static str] = &[UNIFORM, CONSTANT, SKEWED];
    const ALONE: (&'static str, Range<u64>, u32) = (ONE_BLOCK, MANY..MANY + 1, 0); // more than 16 bits can count, for each warp
    const OPTIONS: &'static [ProblemOption] = &[ProblemOption {
        name: "data",
        value: "KIND",
        help: "Data that are timed: `uniform`, `skewed` or `constant` values [default: uniform]",
    }];

    fn figure() -> Figure {
        Figure {
            size: "values".to_owned(),
            pass: "histogram".to_owned(),
            results: "bins".to_owned(),
            ..Figure::of_bytes("Histogram of bytes")
        }
    }

    /// Bytes that are read.
    fn work(&self, n: u64) -> f64 {
        n as f64
    }

    fn bytes(&self, n: u64) -> u64 {
        n + size_of::<[u32; BINS]>() as u64
    }

    fn data([n, ..]: Extent, kind: &str, random: &mut Random) -> Data {
        let words = of_random_words(n.div_ceil(4), random, u32::to_le_bytes);
        let mut values = words.into_flattened();
        values.truncate(n as usize);
        match kind {
            CONSTANT | ONE_BLOCK => {
                let value = values[0];
                values.fill(value);
            }
            // Half of them are 0, a quarter 1, and so on.
            SKEWED => values.iter_mut().for_each(|value| *value = value.trailing_zeros() as u8),
            _ => {}
        }
        let sum = |one: Vec<u32>, other| one.iter().zip(&other).map(|(a, b)| a + b).collect();
        let counts = values.par_chunks(TOGETHER).map(counted);
        let expected = counts.reduce(|| vec![0; BINS], sum);
        Data::default().input("in", values).output("bins", expected, Judge::Exactly)
    }

    /// Bins cleared, then as many blocks as run at once and have something to count; one where no multiprocessor divides the work.
    fn calls(step: &Step, [n, ..]: Extent, multiprocessors: u32) -> Vec<Call> {
        let block = step.threads.block().unwrap_or(1);
        let n = u32::try_from(n).unwrap_or(u32::MAX);
        let blocks = match step.host {
            Plan::Resident => {
                n.div_ceil(block).min((RESIDENT.div_ceil(block) * multiprocessors).max(1))
            }
            Plan::OneValue => n.div_ceil(block),
        };
        vec![
            Call::Launch(Launch::row("clear", 1, BINS as u32), vec!["bins".into()]),
            Call::Launch(
                Launch::row("histogram", blocks, block),
                vec![n.into(), "in".into(), "bins".into()],
            ),
        ]
    }

    fn open(request: &Request) -> Result<Histogram, OptionError> {
        let Some(asked) = request.problem.get("data") else { return Ok(Histogram::default()) };
        match NAMES.iter().find(|(name, _)| name == asked) {
            Some((_, timed)) => Ok(Histogram { timed }),
            None => Err(OptionError::Value {
                option: "data",
                value: asked.clone(),
                possible: "there are `uniform`, `skewed` and `constant`".to_owned(),
            }),
        }
    }

    fn timed(&self) -> &'static str {
        self.timed
    }

    fn place(_: Extent, array: &str, i: usize) -> String {
        format!("{} {i}", if array == "bins" { "bin" } else { "value" })
    }
}

/// How often each value occurs.
fn counted(values: &[u8]) -> Vec<u32> {
    let mut bins = vec![0; BINS];
    values.iter().for_each(|&value| bins[usize::from(value)] += 1);
    bins
}
