//! A sum as a problem: numbers, launches, and the figure of merit.

use ladder::Launch;
use ladder::arrays::{
    Arrays, Call, Data, Extent, Judge, Random, Sizes, edges, plant, random_words,
};
use report::Figure;

/// A step of this ladder.
pub type Step = ladder::Step<Plan>;

/// Bytes of an element.
const BYTES: u64 = 4;

/// Blocks for each multiprocessor where a step has as many as run at once.
const RESIDENT: u32 = 8;

/// The most blocks of which there are parts.
const MOST_BLOCKS: u32 = 1 << 14;

/// How a step's blocks share the elements, and who adds their parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Plan {
    /// So many elements for a thread; blocks add to the sum, which was cleared.
    Covering(u32),
    /// As many blocks as run at once; they add to the sum, which was cleared.
    Resident,
    /// The same in one launch: the last block adds all parts.
    LastBlock,
    /// The same in one launch whose blocks wait for each other.
    Together,
}

/// The sum of all elements.
#[derive(Default)]
pub struct Reduction;

impl Arrays for Reduction {
    type Host = Plan;

    const SIZES: Sizes = Sizes {
        verified: &[1, 2, 3, 31, 32, 33, 255, 256, 257, 511, 513, 1000, 4099, 100_003],
        drawn: &[(3, 300), (300, 5000)],
        planned_for_few: &[210_003], // strides of four elements of each thread: 25 and a part, or 12 and a part
        repeated: None,
        measured: 1 << 27,
        simulated: 1 << 21,
        most: 1 << 30, // an `unsigned int` counts them with room for the last stride
    };
    const KINDS: &'static [&'static str] = &["random numbers"];

    fn figure() -> Figure {
        Figure {
            pass: "sum".to_owned(),
            results: "sums".to_owned(),
            ..Figure::of_bytes("Sum of whole numbers")
        }
    }

    /// Bytes that are read.
    fn work(&self, n: u64) -> f64 {
        (BYTES * n) as f64
    }

    fn bytes(&self, n: u64) -> u64 {
        BYTES * (n + 1 + u64::from(MOST_BLOCKS))
    }

    /// Additions wrap around, so that their order changes nothing.
    fn data([n, ..]: Extent, _: &str, random: &mut Random) -> Data {
        let mut elements = random_words(n, random);
        plant(&mut elements, &edges::WORDS, random);
        let sum = elements.iter().copied().fold(0, u32::wrapping_add);
        Data::default()
            .input("in", elements)
            .output("sum", vec![sum], Judge::Exactly)
            .scratch("parts", MOST_BLOCKS as usize * BYTES as usize)
    }

    fn calls(step: &Step, [n, ..]: Extent, multiprocessors: u32) -> Vec<Call> {
        let block = step.threads.block().unwrap_or(1);
        let n = u32::try_from(n).unwrap_or(u32::MAX);
        let resident = (RESIDENT * multiprocessors.max(1)).min(MOST_BLOCKS);
        let blocks = match step.host {
            Plan::Covering(elements) => n.div_ceil(block * elements),
            Plan::Resident | Plan::LastBlock | Plan::Together => n.div_ceil(block).min(resident),
        };
        let launch = Launch::row("reduce", blocks, block);
        let given = vec![n.into(), "in".into(), "sum".into()];
        let with_parts = [given.clone(), vec!["parts".into()]].concat();
        let clear = Call::Launch(Launch::row("clear", 1, 1), vec!["sum".into()]);
        match step.host {
            Plan::Covering(_) | Plan::Resident => vec![clear, Call::Launch(launch, given)],
            Plan::LastBlock => vec![Call::Launch(launch, with_parts)],
            Plan::Together => vec![Call::Together(launch, with_parts)],
        }
    }

    fn place(_: Extent, array: &str, i: usize) -> String {
        if array == "sum" { "the sum".to_owned() } else { format!("element {i}") }
    }
}
