//! Sums by key as a problem: elements in runs, launches, and the figure of merit.

use ladder::Launch;
use ladder::arrays::{
    Arrays, Call, Data, Extent, Judge, Random, Sizes, edges, plant, random_words,
};
use ladder::problem::Sample;
use report::Figure;

/// A step of this ladder.
pub type Step = ladder::Step<()>;

/// Bytes of a key and of a value.
const BYTES: u64 = 4;

/// How many keys there are.
const KEYS: u32 = 4096;

/// The longest run of a key.
const LONGEST: u32 = 255;

/// The key of an element that is left out: one of so many.
const NONE: u32 = u32::MAX;
const LEFT_OUT: u32 = 32;

const RUNS: &str = "runs of keys";
const ONE_KEY: &str = "one key";
const RANDOM: &str = "random keys";

/// Values that are added by key.
#[derive(Default)]
pub struct Groups;

impl Arrays for Groups {
    type Host = ();

    const SIZES: Sizes = Sizes {
        verified: &[1, 2, 3, 31, 32, 33, 255, 256, 257, 1000, 4099],
        drawn: &[(3, 300), (300, 5000)],
        planned_for_few: &[],
        repeated: None,
        measured: 1 << 25,
        simulated: 1 << 20,
        most: 1 << 31, // an `unsigned int` counts elements with those of the last block
    };
    const KINDS: &'static [&'static str] = &[RUNS, ONE_KEY, RANDOM];

    fn figure() -> Figure {
        Figure { results: "sums".to_owned(), ..Figure::of("Sums by key", "elements") }
    }

    fn work(&self, n: u64) -> f64 {
        n as f64
    }

    /// Keys and values are read.
    fn moved(&self, n: u64) -> f64 {
        (2 * BYTES * n) as f64
    }

    fn bytes(&self, n: u64) -> u64 {
        2 * BYTES * n + BYTES * u64::from(KEYS)
    }

    fn data([n, ..]: Extent, kind: &str, random: &mut Random) -> Data {
        let mut values = random_words(n, random);
        plant(&mut values, &edges::WORDS, random);
        let (mut key, mut left) = (0, 0);
        let mut drawn = random_words(2 * n, random).into_iter();
        let mut draw = move || drawn.next().unwrap_or(0);
        let keys: Vec<u32> = (0..n)
            .map(|_| {
                if left == 0 {
                    (key, left) = (draw() % KEYS, 1 + draw() % LONGEST);
                }
                left -= 1;
                match kind {
                    ONE_KEY => 7,
                    RANDOM => draw() % (KEYS + 1),
                    _ if draw() % LEFT_OUT == 0 => NONE,
                    _ => key,
                }
            })
            .map(|key| if key < KEYS { key } else { NONE })
            .collect();
        let mut sums = vec![0u32; KEYS as usize];
        for (&key, value) in keys.iter().zip(&values).filter(|(key, _)| **key != NONE) {
            let sum = &mut sums[key as usize];
            *sum = sum.wrapping_add(*value);
        }
        Data::default().input("keys", keys).input("values", values).output(
            "sums",
            sums,
            Judge::Exactly,
        )
    }

    fn calls(step: &Step, [n, ..]: Extent, _: u32) -> Vec<Call> {
        let block = step.threads.block().unwrap_or(1);
        let n = u32::try_from(n).unwrap_or(u32::MAX);
        let launch = Launch::row("add", n.div_ceil(block), block);
        let given = vec![n.into(), "keys".into(), "values".into(), "sums".into()];
        vec![Call::Fill("sums", 0), Call::Launch(launch, given)]
    }

    /// How long atomic operations queue up depends on how many keys there are: few blocks meet few of them.
    fn sample(&self, _: &Step, n: u64, multiprocessors: u32, _: bool) -> Sample {
        Sample::AllBlocks { n: n.min(1 << 21), multiprocessors }
    }

    fn place(_: Extent, array: &str, i: usize) -> String {
        format!("{} {i}", if array == "sums" { "key" } else { "element" })
    }
}
