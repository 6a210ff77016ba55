//! At which sizes a step is verified, and over how many time steps.

use crate::random::Random;

/// Sizes at which accelerations are verified in every run: around the 4 bodies by which compilers
/// unroll a loop, both sides of a warp's and of a block's edge, two full blocks, sizes that are no
/// multiple of anything (what they leave of 8, 16 and 256 differs), and a prime with many tiles.
pub const SIZES: [u64; 17] =
    [1, 2, 3, 4, 5, 6, 14, 31, 32, 33, 255, 256, 257, 356, 512, 1000, 2053];

/// The most bodies for a single thread of a GPU, which has neither tiles nor blocks and would take seconds
/// for more.
pub const MOST_OF_ONE_THREAD: u64 = 512;

/// More of them on several GPUs: primes, and around 32 bodies for each of eight.
const SHARED_SIZES: [u64; 4] = [7, 127, 263, 2003];

/// Above this many bodies a slow step takes seconds: there the later force evaluation stands for
/// the first as well.
pub const BOTH_EVALUATIONS: u64 = 1000;

/// Where two evaluations are compared bit by bit, with warps in different orders where the device
/// can choose: enough groups of bodies that a sum has several addends. A single thread has one order.
pub const REPEATED: u64 = 1000;

/// Bodies that are heavy and far apart: what is right near the origin alone, or for small accelerations, shows.
pub const SCALED_SIZE: u64 = 356;

/// Sizes at which positions and velocities after some time steps are verified: a block and a body, and a prime
/// that leaves 7 bodies to lanes of a warp that take 8 at a time: all that is left to a loop's end runs.
pub const TIME_STEP_SIZES: [u64; 2] = [257, 503];

/// All sizes of a run, ascending: those of every run, and two that its seed draws. Over runs, these
/// leave every remainder of warps, of blocks and of what a thread or a lane computes at once.
pub fn sizes(shared: bool, seed: u64) -> Vec<u64> {
    let mut random = Random::new(seed);
    let mut between = |least: usize, end: usize| (least + random.below(end - least)) as u64;
    let drawn = [between(7, 72), between(72, 640)];
    let more: &[u64] = if shared { &SHARED_SIZES } else { &[] };
    let mut sizes: Vec<u64> = SIZES.iter().chain(more).chain(&drawn).copied().collect();
    sizes.sort_unstable();
    sizes.dedup();
    sizes
}

/// After how many time steps `n` bodies are verified. Few bodies make more of them, beyond the third,
/// as many as the seed draws: what is right at first may not stay so.
pub fn time_steps(n: u64, seed: u64) -> u32 {
    if n > TIME_STEP_SIZES[0] { 3 } else { 4 + Random::new(seed).below(5) as u32 }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn all_remainders_occur_over_runs() {
        let all: BTreeSet<u64> = (0..3000).flat_map(|seed| sizes(false, seed)).collect();
        for of in [8, 16, 32, 256] {
            let left: BTreeSet<u64> = all.iter().map(|n| n % of).collect();
            assert_eq!(left.len() as u64, of);
        }
        let steps: BTreeSet<u32> = (0..100).map(|seed| time_steps(257, seed)).collect();
        assert_eq!(steps, (4..=8).collect());
        assert_eq!(sizes(false, 1), sizes(false, 1));
        assert_ne!(sizes(false, 1), sizes(false, 2));
    }
}
