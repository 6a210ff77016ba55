//! In which order a block's warps take their turns.
//!
//! Ascending unless a seed says otherwise. A GPU promises no order: what depends on one lacks a barrier.

/// The turns of one block.
pub(super) struct Turns {
    order: Vec<usize>,
    /// State of the random numbers; 0 for ascending order.
    state: u64,
}

impl Turns {
    /// Turns of `warps` warps of a block: ascending for seed 0, else a new order in every round, decided by seed and
    /// block.
    pub(super) fn new(warps: usize, seed: u64, block: [u32; 3]) -> Turns {
        let mix = |state: u64, part: u32| (state ^ u64::from(part)).wrapping_mul(MULTIPLIER);
        let state = if seed == 0 { 0 } else { block.into_iter().fold(seed, mix) | 1 };
        Turns { order: (0..warps).collect(), state }
    }

    /// The order of the next round.
    pub(super) fn round(&mut self) -> &[usize] {
        if self.state != 0 {
            for end in (1..self.order.len()).rev() {
                // A linear congruential generator modulo 2⁶⁴ (odd increment, multiplier 5 modulo 8); its high bits.
                self.state = self.state.wrapping_mul(MULTIPLIER).wrapping_add(1);
                self.order.swap(end, (self.state >> 33) as usize % (end + 1));
            }
            self.state = self.state.max(1);
        }
        &self.order
    }
}

/// Knuth's, of MMIX.
const MULTIPLIER: u64 = 6_364_136_223_846_793_005;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_warp_has_its_turn_in_every_round() {
        for (seed, block) in [(0, 0), (1, 0), (1, 1), (u64::MAX, 7)] {
            let mut turns = Turns::new(8, seed, [block, 0, 0]);
            let rounds: Vec<Vec<usize>> = (0..100).map(|_| turns.round().to_vec()).collect();
            for round in &rounds {
                let mut sorted = round.clone();
                sorted.sort_unstable();
                assert!(sorted.into_iter().eq(0..8), "{round:?}");
            }
            // Of two warps, each comes first at times.
            let swapped = rounds.iter().filter(|round| {
                round.iter().position(|&w| w == 7) < round.iter().position(|&w| w == 0)
            });
            let range = if seed == 0 { 0..1 } else { 30..71 };
            assert!(range.contains(&swapped.count()));
        }
        assert_eq!(Turns::new(1, 3, [0; 3]).round(), [0]);
        assert!(Turns::new(0, 3, [0; 3]).round().is_empty());
    }
}
