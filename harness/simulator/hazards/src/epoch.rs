//! How an access to global memory is recorded in 64 bits.

use program::registers::LANES;

/// A recorded access: block, index of the access in the program, thread, and tick of its block. Never 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Epoch(pub(super) u64);

const BLOCK_BITS: u32 = 22;
const NUMBER_BITS: u32 = 12;
const THREAD_BITS: u32 = 10;
const TICK_BITS: u32 = 20;

/// Launches of more blocks, and programs of more accesses, are not checked for races in global memory.
pub(super) const MOST_BLOCKS: u64 = 1 << BLOCK_BITS;
pub(super) const MOST_ACCESSES: u32 = 1 << NUMBER_BITS;
/// Later ticks are recorded as this one, and such accesses count as ordered.
pub(super) const LAST_TICK: u32 = (1 << TICK_BITS) - 1;

impl Epoch {
    pub(super) fn new(block: u64, number: u32, thread: u32, tick: u32) -> Epoch {
        let tick = tick.clamp(1, LAST_TICK);
        Epoch(
            ((block << NUMBER_BITS | u64::from(number)) << THREAD_BITS | u64::from(thread))
                << TICK_BITS
                | u64::from(tick),
        )
    }

    pub(super) fn block(self) -> u64 {
        self.0 >> (NUMBER_BITS + THREAD_BITS + TICK_BITS)
    }

    pub(super) fn number(self) -> u32 {
        (self.0 >> (THREAD_BITS + TICK_BITS)) as u32 & (MOST_ACCESSES - 1)
    }

    pub(super) fn thread(self) -> u32 {
        (self.0 >> TICK_BITS) as u32 & ((1 << THREAD_BITS) - 1)
    }

    /// The epochs of all lanes of a warp; `self` is that of the first lane.
    pub(super) fn lanes(self) -> impl Iterator<Item = Epoch> {
        (0..LANES).map(move |lane| self.of_lane(lane))
    }

    /// The epoch of another lane; `self` is that of the first lane.
    pub(super) fn of_lane(self, lane: usize) -> Epoch {
        Epoch(self.0 + ((lane as u64) << TICK_BITS))
    }

    pub(super) fn tick(self) -> u32 {
        self.0 as u32 & LAST_TICK
    }

    /// Whether the access came before a tick, counted from the beginning of its block.
    pub(super) fn is_before(self, tick: u32) -> bool {
        self.tick() == LAST_TICK || self.tick() < tick
    }

    pub(super) fn some(bits: u64) -> Option<Epoch> {
        (bits != 0).then_some(Epoch(bits))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_keeps_its_parts() {
        let epoch = Epoch::new(MOST_BLOCKS - 1, MOST_ACCESSES - 1, 1023, 99);
        assert_eq!(
            (epoch.block(), epoch.number(), epoch.thread(), epoch.tick()),
            (MOST_BLOCKS - 1, MOST_ACCESSES - 1, 1023, 99)
        );
        assert_eq!(Epoch::new(0, 0, 0, 0).tick(), 1, "never 0");
        assert_eq!(Epoch::new(0, 0, 0, u32::MAX).tick(), LAST_TICK);
    }
}
