//! Shared memory that products under way still read: `wgmma` reads it while the threads go on, until `wgmma.wait_group` has
//! waited for the product's group (PTX ISA, "wgmma.mma_async", "wgmma.wait_group").

use std::collections::VecDeque;

use super::clocks::Clocks;
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

/// The products of a warp that are under way.
#[derive(Default)]
pub(super) struct UnderWay {
    /// Those of no group yet.
    open: Option<Reads>,
    /// Groups, the oldest first.
    groups: VecDeque<Reads>,
    /// Those that were waited for, and when: other warps may not know of it.
    done: Vec<(Reads, u32)>,
}

impl UnderWay {
    /// The warp makes a group of its products, or waits for groups.
    pub(super) fn group(&mut self, clocks: &Clocks, what: Groups) {
        match what {
            Groups::Close => self.groups.extend(self.open.take()),
            Groups::Wait(left) => {
                let done = self.groups.len().saturating_sub(left as usize);
                self.done.retain(|&(_, tick)| tick >= clocks.all());
                let groups = self.groups.drain(..done);
                self.done.extend(groups.map(|reads| (reads, clocks.now())));
            }
        }
    }

    /// Records what a product reads of shared memory, which begins at `base`.
    pub(super) fn read(&mut self, touch: &Touch, base: u64) {
        let reads = self.open.get_or_insert_default();
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

    /// The instruction of a product that reads some of these bytes; of one that was waited for, if `knows` does not hold for
    /// the tick of that.
    pub(super) fn reader(
        &self,
        start: u64,
        bytes: u64,
        knows: impl Fn(u32) -> bool,
    ) -> Option<u32> {
        let mut pieces = start / PIECE..(start + bytes).div_ceil(PIECE);
        let done = self.done.iter().filter(|(_, tick)| !knows(*tick)).map(|(reads, _)| reads);
        let all: Vec<&Reads> = self.groups.iter().chain(&self.open).chain(done).collect();
        pieces.find_map(|piece| all.iter().find(|reads| reads.has(piece)).map(|reads| reads.at))
    }
}
