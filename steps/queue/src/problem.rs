//! Work of unequal length as a problem: items, launches, and the figure of merit.

use ladder::Launch;
use ladder::arrays::{
    Arrays, Call, Data, Extent, Judge, KernelArgument, Random, Sizes, random_words,
};
use ladder::problem::Sample;
use rayon::prelude::*;
use report::Figure;

/// A step of this ladder.
pub type Step = ladder::Step<Plan>;

/// Bytes of a length, a result, an index.
const BYTES: u64 = 4;

/// Threads of a multiprocessor: enough to keep it busy.
const RESIDENT: u32 = 1024;

/// Lengths are drawn below a power of two, which is drawn from the first to this one.
const MOST_POWER: u32 = 9;

/// Classes of lengths: `CLASSES` in the kernel that sorts.
const CLASSES: usize = MOST_POWER as usize + 1;

/// Rounds of an item on average.
const MEAN_ROUNDS: f64 =
    1.0 + ((1 << CLASSES) as f64 - 1.0 - CLASSES as f64) / CLASSES as f64 / 2.0;

/// Instructions of a round: three shifts and three exclusive ors.
const INSTRUCTIONS: f64 = 6.0;

const MIXED: &str = "lengths of all powers of two";
const EQUAL: &str = "equal lengths";
const ONE_LONG: &str = "one long item";

/// How items come to threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Plan {
    /// Each thread knows its own.
    Static,
    /// From a counter.
    Fetched,
    /// From a counter, in an order that is made first.
    Sorted,
}

/// Items that take very unequal numbers of rounds.
#[derive(Default)]
pub struct Queue;

impl Arrays for Queue {
    type Host = Plan;

    const SIZES: Sizes = Sizes {
        verified: &[1, 2, 31, 32, 33, 255, 256, 257, 1000, 4099],
        drawn: &[(3, 300), (300, 5000)],
        planned_for_few: &[10_007],
        repeated: None,
        measured: 1 << 24,
        simulated: 1 << 18,
        most: 1 << 30, // an `unsigned int` counts them with room for the last batches
    };
    const KINDS: &'static [&'static str] = &[MIXED, EQUAL, ONE_LONG];

    fn figure() -> Figure {
        Figure {
            pass: "queue".to_owned(),
            results: "results".to_owned(),
            ..Figure::of("Items of unequal length", "items")
        }
    }

    fn work(&self, n: u64) -> f64 {
        n as f64
    }

    fn moved(&self, n: u64) -> f64 {
        (2 * BYTES * n) as f64
    }

    /// Those of the rounds.
    fn operations(&self, n: u64) -> f64 {
        n as f64 * MEAN_ROUNDS * INSTRUCTIONS
    }

    fn bytes(&self, n: u64) -> u64 {
        BYTES * (3 * n + 1 + CLASSES as u64)
    }

    fn data([n, ..]: Extent, kind: &str, random: &mut Random) -> Data {
        let length = |(i, &word): (usize, &u32)| match kind {
            EQUAL => 100,
            ONE_LONG if i as u64 == n / 2 => 1 << MOST_POWER,
            ONE_LONG => 1,
            _ => {
                let below = 1 << ((word >> 16) % (MOST_POWER + 1));
                1 + word % below
            }
        };
        let words = random_words(n, random);
        let rounds: Vec<u32> = words.iter().enumerate().map(length).collect();
        let results = rounds.par_iter().enumerate().map(|(i, &rounds)| work(1 + i as u32, rounds));
        let expected: Vec<u32> = results.collect();
        Data::default()
            .input("rounds", rounds)
            .output("out", expected, Judge::Exactly)
            .scratch("next", BYTES as usize)
            .scratch("places", CLASSES * BYTES as usize)
            .scratch("sorted", (BYTES * n) as usize)
    }

    fn calls(step: &Step, [n, ..]: Extent, multiprocessors: u32) -> Vec<Call> {
        let block = step.threads.block().unwrap_or(1);
        let items = u32::try_from(n).unwrap_or(u32::MAX);
        let covering = items.div_ceil(block);
        let resident = covering.min(RESIDENT.div_ceil(block) * multiprocessors.max(1));
        let launch = |kernel, blocks, arrays: &[&'static str]| {
            let given = [items.into()].into_iter().chain(arrays.iter().map(|&it| it.into()));
            Call::Launch(Launch::row(kernel, blocks, block), given.collect())
        };
        let fetch = Call::Fill("next", 0);
        match step.host {
            Plan::Static => vec![launch("process", resident, &["rounds", "out"])],
            Plan::Fetched => vec![fetch, launch("process", resident, &["rounds", "out", "next"])],
            Plan::Sorted => vec![
                Call::Fill("places", 0),
                launch("count", covering, &["rounds", "places"]),
                Call::Launch(Launch::row("scan", 1, 1), vec![KernelArgument::from("places")]),
                launch("sort", covering, &["rounds", "places", "sorted"]),
                fetch,
                launch("process", resident, &["rounds", "out", "next", "sorted"]),
            ],
        }
    }

    /// Items are long: eight multiprocessors have as many as the simulator runs in a second.
    fn sample(&self, _: &Step, n: u64, multiprocessors: u32, communicates: bool) -> Sample {
        match communicates {
            false => Sample::few_blocks(n, |n| self.bytes(n)),
            true => Sample::part(n, multiprocessors, 8),
        }
    }

    fn place(_: Extent, _: &str, i: usize) -> String {
        format!("item {i}")
    }
}

/// What an item comes to after its rounds: Marsaglia's shifts and exclusive ors.
fn work(first: u32, rounds: u32) -> u32 {
    (0..rounds).fold(first, |x, _| {
        let x = x ^ x << 13;
        let x = x ^ x >> 17;
        x ^ x << 5
    })
}
