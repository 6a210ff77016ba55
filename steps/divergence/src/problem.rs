//! Two paths as a problem: even elements go through rounds of one kind, odd ones through rounds of another.

use ladder::arrays::{Arrays, Call, Data, Extent, Judge, Random, Sizes, drawn, edges, plant};
use ladder::{BlockError, Launch};
use rayon::prelude::*;
use report::Figure;

/// A step of this ladder.
pub type Step = ladder::Step;

/// Rounds of each element.
const ROUNDS: u32 = 64;

/// Elements that take one of two paths.
#[derive(Default)]
pub struct Paths;

impl Arrays for Paths {
    type Host = ();

    const SIZES: Sizes = Sizes {
        verified: &[1, 2, 31, 32, 33, 63, 64, 65, 255, 256, 257, 511, 513, 1000],
        drawn: &[(3, 300), (300, 2000)],
        planned_for_few: &[],
        repeated: None,
        measured: 1 << 23,
        simulated: 1 << 21,
        most: 1 << 31,
    };
    const KINDS: &'static [&'static str] = &["random words"];
    const BLOCKS_ALONE: bool = true;

    fn figure() -> Figure {
        Figure { size: "elements".to_owned(), ..Figure::of("Two paths", "rounds") }
    }

    /// Rounds of all elements.
    fn work(&self, n: u64) -> f64 {
        n as f64 * f64::from(ROUNDS)
    }

    fn moved(&self, n: u64) -> f64 {
        8.0 * n as f64
    }

    fn bytes(&self, n: u64) -> u64 {
        8 * n
    }

    fn data([n, ..]: Extent, _: &str, random: &mut Random) -> Data {
        let mut words: Vec<u32> = drawn(n, random, |word| word);
        plant(&mut words, &edges::WORDS, random);
        let expected: Vec<u32> =
            words.par_iter().enumerate().map(|(i, &x)| processed(i, x)).collect();
        Data::default().input("in", words).output("out", expected, Judge::Exactly)
    }

    /// Blocks by pairs, since two of them may share their elements.
    fn calls(step: &Step, [n, ..]: Extent, _: u32) -> Vec<Call> {
        let block = step.threads.block().unwrap_or(1);
        let n = u32::try_from(n).unwrap_or(u32::MAX);
        let blocks = 2 * n.div_ceil(2 * block);
        let given = vec![n.into(), "in".into(), "out".into()];
        vec![Call::Launch(Launch::row("process", blocks, block), given)]
    }

    /// # Errors
    /// Blocks that are no pairs of warps: even and odd warps share 64 elements.
    fn with_block(step: &Step, block: u32) -> Result<Step, BlockError> {
        match block.is_multiple_of(64) {
            true => ladder::arrays::whole_warps(step, block),
            false => Err(BlockError::Multiple { block, multiple: 64 }),
        }
    }
}

/// Element `i` after all rounds of its path.
fn processed(i: usize, x: u32) -> u32 {
    let even = |x: u32| x.wrapping_mul(1664525).wrapping_add(7);
    let odd = |x: u32| (x ^ (x >> 5)).wrapping_mul(9);
    (0..ROUNDS).fold(x, |x, _| if i.is_multiple_of(2) { even(x) } else { odd(x) })
}
