//! Random words as a problem: a state of 32 words is started from each element and mixed, round after round.

use device::Shape;
use ladder::Launch;
use ladder::arrays::{Arrays, Call, Data, Extent, Judge, Random, Sizes, drawn, edges, plant};
use rayon::prelude::*;
use report::Figure;

/// A step of this ladder.
pub type Step = ladder::Step<Host>;

/// Words of a state.
const WORDS: u32 = 32;

/// Rounds over all of them.
const ROUNDS: u32 = 8;

/// A generator of random words for each element.
#[derive(Default)]
pub struct Generator;

/// What the host decides for a step.
#[derive(Debug, Clone, Copy)]
pub struct Host {
    /// Elements of a thread.
    pub elements: u32,
    /// Shared memory that a block is given and does not use: so that few blocks fit a multiprocessor.
    pub shared_bytes: u32,
}

impl Arrays for Generator {
    type Host = Host;

    const SIZES: Sizes = Sizes {
        verified: &[1, 2, 33, 64, 65, 129, 257, 513],
        drawn: &[(3, 300), (300, 1000)],
        planned_for_few: &[],
        repeated: None,
        measured: 1 << 21,
        simulated: 1 << 18,
        most: 1 << 30,
    };
    const KINDS: &'static [&'static str] = &["random seeds"];
    const BLOCKS_ALONE: bool = true;

    fn figure() -> Figure {
        Figure {
            size: "elements".to_owned(),
            work: "words mixed".to_owned(),
            ..Figure::of("Random words", "words")
        }
    }

    /// Words that are mixed.
    fn work(&self, n: u64) -> f64 {
        n as f64 * f64::from(ROUNDS * WORDS)
    }

    fn moved(&self, n: u64) -> f64 {
        8.0 * n as f64
    }

    fn bytes(&self, n: u64) -> u64 {
        8 * n
    }

    fn data([n, ..]: Extent, _: &str, random: &mut Random) -> Data {
        let mut seeds: Vec<u32> = drawn(n, random, |word| word);
        plant(&mut seeds, &edges::WORDS, random);
        let expected: Vec<u32> = seeds.par_iter().map(|&seed| generated(seed)).collect();
        Data::default().input("in", seeds).output("out", expected, Judge::Exactly)
    }

    fn calls(step: &Step, [n, ..]: Extent, _: u32) -> Vec<Call> {
        let block = step.threads.block().unwrap_or(1);
        let Host { elements, shared_bytes } = step.host;
        let n = u32::try_from(n).unwrap_or(u32::MAX);
        let shape = Shape::row(n.div_ceil(elements * block), block);
        let given = vec![n.into(), "in".into(), "out".into()];
        let launch = Launch { kernel: "generate", shape: Shape { shared_bytes, ..shape } };
        vec![Call::Launch(launch, given)]
    }

    fn on_the_host(step: &Step) -> Vec<(&'static str, String)> {
        let Host { elements, shared_bytes } = step.host;
        let shared = match shared_bytes {
            0 => "none".to_owned(),
            bytes => format!("{} KiB a block, unused", bytes >> 10),
        };
        vec![("elements of a thread", elements.to_string()), ("dynamic shared memory", shared)]
    }
}

/// The word of a seed.
fn generated(seed: u32) -> u32 {
    let mut words: [u32; WORDS as usize] =
        std::array::from_fn(|k| seed.wrapping_mul(2 * k as u32 + 1));
    let mut x = seed;
    for _ in 0..ROUNDS {
        for word in &mut words {
            x = (x ^ *word).wrapping_mul(0x9e37_79b1);
            x ^= x >> 15;
            *word = x;
        }
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_of_zero_stays_and_others_differ() {
        assert_eq!(generated(0), 0);
        assert_ne!(generated(1), generated(2));
    }
}
