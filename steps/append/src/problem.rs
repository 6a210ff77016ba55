//! Appending as a problem: values, launches, and the figure of merit.

use ladder::arrays::{
    Arrays, Call, Data, Extent, Judge, KernelArgument, Random, Sizes, of_random_words, plant,
};
use ladder::{BlockError, Launch};
use report::Figure;

/// A step of this ladder.
pub type Step = ladder::Step<Plan>;

/// Bytes of a value.
const BYTES: u64 = 4;

/// Values below it are kept: `LIMIT` in the kernels.
const LIMIT: u32 = 1 << 31;

/// Values at both ends of what is kept and of what is not.
const EDGES: [u32; 5] = [0, 1, LIMIT - 1, LIMIT, u32::MAX];

/// What fills gaps of the output: no value that is kept.
const EMPTY: u32 = u32::MAX;

/// Values of a block that has one for each thread, in steps that stride.
const BLOCK: u64 = 256;

/// Blocks for each multiprocessor where a step has as many as run at once, and the most in all.
const RESIDENT: u32 = 8;
const MOST_BLOCKS: u32 = 2048;

/// Places that the warps of a block may leave empty.
const GAPS: u64 = 8 * 64;

/// Values of a tile.
const TILE: u64 = 4096;

const HALF: &str = "every other value kept, at random";
const NONE: &str = "no value kept";
const ALL: &str = "all values kept";
const FEW: &str = "one value in 64 kept";

/// How a step's blocks share the values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Plan {
    /// As many blocks as run at once, striding; the order of the output is theirs.
    Striding,
    /// The same, and there may be gaps in the output.
    WithGaps,
    /// A block for each tile; the order of the input is kept.
    InOrder,
}

/// The values that are kept, one after the other.
#[derive(Default)]
pub struct Append;

impl Arrays for Append {
    type Host = Plan;

    const SIZES: Sizes = Sizes {
        verified: &[1, 2, 31, 32, 33, 255, 256, 257, 1000, 4095, 4096, 4097, 100_003],
        drawn: &[(3, 300), (300, 5000)],
        planned_for_few: &[100_003],
        repeated: Some(280_001),
        measured: 1 << 25,
        simulated: 1 << 20,
        most: 1 << 30, // an `unsigned int` counts them with room for the last stride
    };
    const KINDS: &'static [&'static str] = &[HALF, NONE, ALL, FEW];

    fn figure() -> Figure {
        Figure {
            pass: "selection".to_owned(),
            results: "places of the output".to_owned(),
            ..Figure::of("Values that are kept", "values")
        }
    }

    /// Values that are read.
    fn work(&self, n: u64) -> f64 {
        n as f64
    }

    /// All are read, half of them written.
    fn moved(&self, n: u64) -> f64 {
        1.5 * (BYTES * n) as f64
    }

    fn bytes(&self, n: u64) -> u64 {
        BYTES * (n + capacity(n) + 2) + state_bytes(n)
    }

    fn data([n, ..]: Extent, kind: &str, random: &mut Random) -> Data {
        let value = |word: u32| match kind {
            NONE => word | LIMIT,
            FEW if !word.is_multiple_of(64) => word | LIMIT,
            ALL | FEW => word & (LIMIT - 1),
            _ => word,
        };
        // One value in eight, so that every row of a tile has some.
        let edge = |word: u32| EDGES.get((word >> 8) as usize % 40).copied().unwrap_or(word);
        let mut values = of_random_words(n, random, |word| value(edge(word)));
        plant(&mut values, &EDGES.map(value), random);
        let mut out: Vec<u32> = values.iter().copied().filter(|&it| it < LIMIT).collect();
        let kept = out.len() as u32;
        out.resize(capacity(n) as usize, EMPTY);
        Data::default()
            .input("in", values)
            .output("out", out, Judge::InAnyOrder)
            .counted_by("end")
            .output("end", vec![kept], Judge::Exactly)
            .scratch("ticket", BYTES as usize)
            .scratch("state", state_bytes(n) as usize)
    }

    fn judge(step: &Step, array: &str, stated: Judge) -> Judge {
        match (step.host, array) {
            (Plan::InOrder, "out") => Judge::Exactly,
            (Plan::WithGaps, "end") => Judge::AtLeast,
            _ => stated,
        }
    }

    fn calls(step: &Step, [n, ..]: Extent, multiprocessors: u32) -> Vec<Call> {
        let block = step.threads.block().unwrap_or(1);
        let n = u32::try_from(n).unwrap_or(u32::MAX);
        let resident = (RESIDENT * multiprocessors.max(1)).min(MOST_BLOCKS);
        let mut given = vec![n.into(), "in".into(), "out".into(), "end".into()];
        let append = |blocks| Launch::row("append", blocks, block);
        match step.host {
            Plan::Striding | Plan::WithGaps => vec![
                Call::Launch(Launch::row("clear", 1, 1), vec!["end".into()]),
                Call::Launch(append(n.div_ceil(block).min(resident)), given),
            ],
            Plan::InOrder => {
                given.extend([KernelArgument::from("ticket"), KernelArgument::from("state")]);
                vec![
                    Call::Fill("ticket", 0),
                    Call::Fill("state", 0),
                    Call::Launch(append(n.div_ceil(TILE as u32)), given),
                ]
            }
        }
    }

    fn on_the_host(step: &Step) -> Vec<(&'static str, String)> {
        let order = match step.host {
            Plan::Striding => "any",
            Plan::WithGaps => "any, with gaps",
            Plan::InOrder => "that of the input",
        };
        vec![("order of the output", order.to_owned())]
    }

    fn place(_: Extent, array: &str, i: usize) -> String {
        match array {
            "in" => format!("value {i}"),
            "end" => "the end of the output".to_owned(),
            _ => format!("place {i}"),
        }
    }

    /// # Errors
    /// Always: gaps and tiles depend on it.
    fn with_block(_: &Step, _: u32) -> Result<Step, BlockError> {
        Err(BlockError::Fixed(
            "how much room the output needs depends on its blocks, whose size is fixed",
        ))
    }
}

/// Places of the output, with all gaps that there can be.
fn capacity(n: u64) -> u64 {
    n + GAPS * n.div_ceil(BLOCK).min(u64::from(MOST_BLOCKS))
}

/// A word of 64 bits for each tile.
fn state_bytes(n: u64) -> u64 {
    8 * n.div_ceil(TILE)
}
