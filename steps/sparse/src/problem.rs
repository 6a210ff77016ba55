//! Sparse data as a problem. Its size is the number of elements that are not zero, of an array that is always as long:
//! so a sweep of sizes is one of densities.

use chacha20::rand_core::Rng;
use ladder::Launch;
use ladder::arrays::{Arrays, Call, Data, Extent, Judge, Random, Sizes, edges, plant};
use rayon::prelude::*;
use report::Figure;

/// A step of this ladder.
pub type Step = ladder::Step<Collects>;

/// Rounds of an element that is not zero.
const ROUNDS: u32 = 100;

/// Elements of the array; no multiple of a block.
const ELEMENTS: u64 = (1 << 22) - 3;

/// Elements where few are not zero: what is verified.
const FEW_ELEMENTS: u64 = (1 << 12) + 3;

/// Blocks for each multiprocessor that go through a list whose length the host does not know.
const BLOCKS: u32 = 8;

/// An array of which some elements are not zero.
#[derive(Default)]
pub struct Sparse;

/// What a step collects in memory before it computes.
#[derive(Debug, Clone, Copy)]
pub enum Collects {
    /// Nothing.
    Nothing,
    /// Where the elements of all blocks are that are not zero.
    All,
}

/// Elements of the array in which `n` are not zero.
fn elements(n: u64) -> u64 {
    if n <= FEW_ELEMENTS { FEW_ELEMENTS } else { ELEMENTS }
}

impl Arrays for Sparse {
    type Host = Collects;

    const SIZES: Sizes = Sizes {
        verified: &[1, 2, 31, 32, 33, 255, 257, 1000, 4000, FEW_ELEMENTS],
        drawn: &[(3, 300), (300, 4000)],
        planned_for_few: &[4000],
        repeated: None,
        measured: 1 << 19,
        simulated: 1 << 19,
        most: ELEMENTS,
    };
    const KINDS: &'static [&'static str] = &["at random", "at the front"];

    fn figure() -> Figure {
        Figure { size: "non-zero elements".to_owned(), ..Figure::of("Sparse data", "elements") }
    }

    /// All elements, zeros too.
    fn work(&self, n: u64) -> f64 {
        elements(n) as f64
    }

    fn moved(&self, n: u64) -> f64 {
        8.0 * elements(n) as f64
    }

    fn bytes(&self, n: u64) -> u64 {
        12 * elements(n) + 4
    }

    fn extent(&self, n: u64, _: &str, _: &mut Random) -> Extent {
        [elements(n), n, 1]
    }

    fn data([elements, n, _]: Extent, kind: &str, random: &mut Random) -> Data {
        let mut left = n;
        let mut word = |i: u64| {
            let here = match kind {
                "at the front" => i < n,
                _ => (u64::from(random.next_u32()) * (elements - i)) >> 32 < left,
            };
            left -= u64::from(here);
            if here { random.next_u32().max(1) } else { 0 }
        };
        let mut words: Vec<u32> = (0..elements).map(&mut word).collect();
        let mut some: Vec<u32> = words.iter().copied().filter(|&it| it != 0).collect();
        plant(&mut some, &edges::WORDS[1..], random); // all but zero
        words
            .iter_mut()
            .filter(|it| **it != 0)
            .zip(some)
            .for_each(|(word, planted)| *word = planted);
        let expected: Vec<u32> = words.par_iter().map(|&x| expensive(x)).collect();
        Data::default()
            .input("in", words)
            .output("out", expected, Judge::Exactly)
            .scratch("found", 4 * elements as usize)
            .scratch("total", 4)
    }

    fn calls(step: &Step, [n, ..]: Extent, multiprocessors: u32) -> Vec<Call> {
        let block = step.threads.block().unwrap_or(1);
        let n = u32::try_from(n).unwrap_or(u32::MAX);
        let all = n.div_ceil(block);
        let given = vec![n.into(), "in".into(), "out".into()];
        match step.host {
            Collects::Nothing => vec![Call::Launch(Launch::row("process", all, block), given)],
            Collects::All => vec![
                Call::Fill("total", 0),
                Call::Launch(
                    Launch::row("collect", all, block),
                    [given, vec!["found".into(), "total".into()]].concat(),
                ),
                Call::Launch(
                    Launch::row("process", all.min(BLOCKS * multiprocessors.max(1)), block),
                    vec!["total".into(), "found".into(), "in".into(), "out".into()],
                ),
            ],
        }
    }

    fn on_the_host(step: &Step) -> Vec<(&'static str, String)> {
        let launches = match step.host {
            Collects::Nothing => "one: a thread for each element",
            Collects::All => "two: a thread for each element, then as many as run at once",
        };
        vec![("launches", launches.to_owned())]
    }
}

/// An element after all rounds; zeros stay zero.
fn expensive(x: u32) -> u32 {
    let round = |x: u32| {
        let x = x ^ (x << 13);
        let x = x ^ (x >> 17);
        x ^ (x << 5)
    };
    (0..ROUNDS).fold(x, |x, _| round(x))
}
