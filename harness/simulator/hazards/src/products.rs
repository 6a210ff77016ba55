//! Shared memory that products under way still read: `wgmma` reads it while the threads go on, until `wgmma.wait_group` has
//! waited for the product's group (PTX ISA, "wgmma.mma_async", "wgmma.wait_group").
//!
//! The four warps of a warpgroup multiply together. Whichever of them has waited for a group, the others no longer read for it.

use std::collections::VecDeque;

use super::clocks::VectorClocks;
use execution::listener::Touch;
use program::Groups;

/// Bytes of a piece of shared memory: rows of the small matrices of which a factor consists have 16.
const PIECE: u64 = 16;

/// What products read.
#[derive(Default)]
struct Reads {
    /// One bit for each piece.
    pieces: Vec<u64>,
    /// Index of the last product's instruction.
    at: u32,
}

impl Reads {
    fn has(&self, piece: u64) -> bool {
        let word = self.pieces.get(piece as usize / 64);
        word.is_some_and(|word| word >> (piece % 64) & 1 != 0)
    }
}

/// Groups and waits of a warp that are kept; older ones are over.
const KEPT: usize = 64;

/// When a warp has closed groups of products and waited for them, in ticks of its block.
#[derive(Debug, Clone, Default)]
pub(super) struct Progress {
    /// Groups that it has closed.
    closed: u32,
    /// The ticks at which it closed the last of them.
    closes: VecDeque<u32>,
    /// How many groups were complete, and at which tick it knew.
    waits: VecDeque<(u32, u32)>,
}

impl Progress {
    /// The same in ticks since one.
    pub(super) fn since(&self, began: u32) -> Progress {
        Progress {
            closed: self.closed,
            closes: self.closes.iter().map(|tick| tick - began).collect(),
            waits: self.waits.iter().map(|&(done, tick)| (done, tick - began)).collect(),
        }
    }

    /// The group of what a product read at a tick.
    pub(super) fn group_at(&self, tick: u32) -> u32 {
        let later = self.closes.len() - self.closes.partition_point(|&close| close <= tick);
        self.closed - later as u32
    }

    /// The ticks from which on a warp knew that a group was complete.
    pub(super) fn completions(&self, group: u32) -> impl Iterator<Item = u32> {
        self.waits.iter().filter(move |(done, _)| *done > group).map(|&(_, tick)| tick)
    }
}

/// The products of a warp that are under way.
#[derive(Default)]
pub(super) struct UnderWay {
    pub(super) progress: Progress,
    /// What groups read, by their number, the oldest first.
    groups: VecDeque<(u32, Reads)>,
}

impl UnderWay {
    /// The warp makes a group of its products, or waits for groups.
    pub(super) fn group(&mut self, clocks: &mut VectorClocks, what: Groups) {
        let own = &mut self.progress;
        match what {
            Groups::Close => {
                own.closed += 1;
                own.closes.push_back(clocks.advance());
                own.closes.drain(..own.closes.len().saturating_sub(KEPT));
            }
            Groups::Wait(left) => {
                own.waits.push_back((own.closed.saturating_sub(left), clocks.now()));
                own.waits.drain(..own.waits.len().saturating_sub(KEPT));
                clocks.advance();
                self.groups.drain(..self.groups.len().saturating_sub(KEPT));
            }
        }
    }

    /// Records what a product reads of shared memory, which begins at `base`.
    pub(super) fn read(&mut self, touch: &Touch, base: u64) {
        let group = self.progress.closed;
        if self.groups.back().is_none_or(|(last, _)| *last != group) {
            self.groups.push_back((group, Reads::default()));
        }
        let Some((_, reads)) = self.groups.back_mut() else { return };
        reads.at = touch.at;
        for (_, address) in touch.active() {
            let piece = ((address - base) / PIECE) as usize;
            let word = piece / 64;
            if reads.pieces.len() <= word {
                reads.pieces.resize(word + 1, 0);
            }
            reads.pieces[word] |= 1 << (piece % 64);
        }
    }

    /// The instruction of a product that reads some of these bytes, of a group for which `is_over` does not hold.
    pub(super) fn reader(
        &self,
        start: u64,
        bytes: u64,
        is_over: impl Fn(u32) -> bool,
    ) -> Option<u32> {
        let pieces = start / PIECE..(start + bytes).div_ceil(PIECE);
        let reads = |&&(group, ref reads): &&(u32, Reads)| {
            pieces.clone().any(|piece| reads.has(piece)) && !is_over(group)
        };
        self.groups.iter().rev().find(reads).map(|(_, reads)| reads.at)
    }
}
