//! A histogram of many bins as a problem: values, launches, and the figure of merit.

use device::Shape;
use ladder::arrays::{Arrays, Call, Data, Extent, Judge, Random, Sizes, of_random_words};
use ladder::problem::ProblemOption;
use ladder::{BlockError, Launch, OptionError, Threads};
use rayon::prelude::*;
use report::{Figure, Request};

/// A step of this ladder.
pub type Step = ladder::Step<Place>;

/// Values that there are, and bins.
const BINS: usize = 1 << 16;

/// Bytes of a bin.
const BIN: u32 = 4;

/// Threads of a block that clears bins.
const CLEARS: u32 = 256;

/// Values that a thread loads at once.
const LOADED: u32 = 8;

/// Threads that a multiprocessor holds at once.
const RESIDENT: u32 = 2048;

/// Values that a thread of the host counts at once.
const TOGETHER: usize = 1 << 20;

const UNIFORM: &str = "values spread evenly";
const CONSTANT: &str = "one value";
const SKEWED: &str = "few frequent values";

/// What `--data` calls the kinds, and their names.
const NAMES: [(&str, &str); 3] = [("uniform", UNIFORM), ("constant", CONSTANT), ("skewed", SKEWED)];

/// Where the bins are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// In global memory.
    Global,
    /// Spread over the shared memory of blocks next to each other.
    Blocks {
        /// How many blocks have all bins.
        of: u32,
        /// Whether they are a cluster, in which each block has values of its own. Otherwise all of them read the same ones.
        is_cluster: bool,
    },
    /// In the shared memory of each block, two in a word.
    Packed,
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
    type Host = Place;

    const SIZES: Sizes = Sizes {
        verified: &[1, 7, 8, 9, 1000, 40_003],
        drawn: &[(3, 300), (300, 5000)],
        planned_for_few: &[100_003, 140_001], // one bin of a block gets more than 15 bits can count
        repeated: None,
        measured: 1 << 28,
        simulated: 1 << 20,
        most: 1 << 31, // an `unsigned int` counts them with room for the last stride
    };
    const KINDS: &'static [&'static str] = &[UNIFORM, CONSTANT, SKEWED];
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
            unit: "10⁹ values/s".to_owned(),
            ..Figure::of("Histogram of values of 16 bits", "values")
        }
    }

    /// Values.
    fn work(&self, n: u64) -> f64 {
        n as f64
    }

    /// Bytes that are read.
    fn moved(&self, n: u64) -> f64 {
        2.0 * n as f64
    }

    fn bytes(&self, n: u64) -> u64 {
        2 * n + size_of::<[u32; BINS]>() as u64
    }

    fn data([n, ..]: Extent, kind: &str, random: &mut Random) -> Data {
        let halves = |word: u32| [word as u16, (word >> 16) as u16];
        let mut values = of_random_words(n.div_ceil(2), random, halves).into_flattened();
        values.truncate(n as usize);
        match kind {
            CONSTANT => {
                // Even or odd by the size: bins lie in pairs.
                let value = values[0] & !1 | (n / 2 % 2) as u16;
                values.fill(value);
            }
            // Half of them are one value, a quarter the next, and so on.
            SKEWED => {
                let first = values[0] / 2;
                let value = |bits: u16| first + bits.trailing_zeros() as u16;
                values.iter_mut().for_each(|it| *it = value(*it));
            }
            _ => {}
        }
        let sum = |one: Vec<u32>, other| one.iter().zip(&other).map(|(a, b)| a + b).collect();
        let counts = values.par_chunks(TOGETHER).map(counted);
        let expected = counts.reduce(|| vec![0; BINS], sum);
        Data::default().input("in", values).output("bins", expected, Judge::Exactly)
    }

    /// Bins cleared, then as many blocks as run at once and have something to count.
    fn calls(step: &Step, [n, ..]: Extent, multiprocessors: u32) -> Vec<Call> {
        let block = step.threads.block().unwrap_or(1);
        let n = u32::try_from(n).unwrap_or(u32::MAX);
        let multiprocessors = multiprocessors.max(1);
        let wanted = n.div_ceil(block * LOADED);
        let shape = match step.host {
            Place::Global => Shape::row(wanted.min(RESIDENT / block * multiprocessors), block),
            Place::Packed => {
                Shape::row(wanted.min(multiprocessors), block).with_shared(BIN * BINS as u32 / 2)
            }
            Place::Blocks { of, is_cluster } => {
                // A multiprocessor has shared memory for one block.
                let groups = wanted.div_ceil(of).min(multiprocessors / of).max(1);
                let shape = Shape::row(groups * of, block).with_shared(BIN * BINS as u32 / of);
                if is_cluster { shape.in_clusters(of) } else { shape }
            }
        };
        let clears = Launch::row("clear", BINS as u32 / CLEARS, CLEARS);
        let counts = Launch { kernel: "histogram", shape };
        vec![
            Call::Launch(clears, vec!["bins".into()]),
            Call::Launch(counts, vec![n.into(), "in".into(), "bins".into()]),
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

    fn on_the_host(step: &Step) -> Vec<(&'static str, String)> {
        let bins = match step.host {
            Place::Global => "in global memory".to_owned(),
            Place::Blocks { of, is_cluster: false } => {
                format!("in the shared memory of {of} blocks, which read the same values")
            }
            Place::Blocks { of, is_cluster: true } => {
                format!("in the shared memory of {of} blocks, which are a cluster")
            }
            Place::Packed => "in the shared memory of each block, two in a word".to_owned(),
        };
        vec![("bins", bins)]
    }

    /// # Errors
    /// Where blocks have bins: the kernel knows its threads.
    fn with_block(step: &Step, block: u32) -> Result<Step, BlockError> {
        match step.host {
            Place::Global => {
                Ok(Step { threads: Threads::Blocks { block, stated: false }, ..*step })
            }
            Place::Blocks { .. } | Place::Packed => {
                Err(BlockError::Fixed("its kernel is written for blocks of 1024 threads"))
            }
        }
    }

    fn place(_: Extent, array: &str, i: usize) -> String {
        format!("{} {i}", if array == "bins" { "bin" } else { "value" })
    }
}

/// How often each value occurs.
fn counted(values: &[u16]) -> Vec<u32> {
    let mut bins = vec![0; BINS];
    values.iter().for_each(|&value| bins[usize::from(value)] += 1);
    bins
}
