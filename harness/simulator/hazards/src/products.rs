//! Shared memory that products under way still read: `wgmma` reads it while the threads go on, until `wgmma.wait_group` has
//! waited for the product's group (PTX ISA, "wgmma.mma_async", "wgmma.wait_group").

use std::collections::VecDeque;

use super::block::BlockHazards;
use super::facts::Facts;
use super::finding::{Actor, Finding, HazardKind};
use execution::listener::{Arrival, Kind, Touch};
use program::Groups;
use program::registers::LANES;
use ptx::Space;

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
    fn read(&mut self, touch: &Touch) {
        let reads = self.open.get_or_insert_default();
        reads.at = touch.at;
        for (_, address) in touch.active() {
            let piece = (address / PIECE) as usize;
            let word = piece / 64;
            if reads.pieces.len() <= word {
                reads.pieces.resize(word + 1, 0);
            }
            reads.pieces[word] |= 1 << (piece % 64);
        }
    }

    /// The instruction of a product that reads some of these bytes; of one that was waited for, if `knows` does not hold for
    /// the tick of that.
    fn reader(&self, start: u64, bytes: u64, knows: impl Fn(u32) -> bool) -> Option<u32> {
        let mut pieces = start / PIECE..(start + bytes).div_ceil(PIECE);
        let done = self.done.iter().filter(|(_, tick)| !knows(*tick)).map(|(reads, _)| reads);
        let all: Vec<&Reads> = self.groups.iter().chain(&self.open).chain(done).collect();
        pieces.find_map(|piece| all.iter().find(|reads| reads.has(piece)).map(|reads| reads.at))
    }
}

impl BlockHazards {
    /// Begins a block, in which no product is under way.
    pub(super) fn begin_products(&mut self) {
        self.products.fill_with(UnderWay::default);
    }

    /// A warp makes a group of its products, or waits for groups.
    pub(super) fn groups_products(&mut self, arrival: Arrival, what: Groups) {
        // There are no groups of products in a kernel without any.
        let Some(own) = self.products.get_mut(arrival.warp as usize) else { return };
        match what {
            Groups::Close => own.groups.extend(own.open.take()),
            Groups::Wait(left) => {
                let done = own.groups.len().saturating_sub(left as usize);
                let (now, all) = (self.clocks.now(), self.clocks.all());
                own.done.retain(|&(_, tick)| tick >= all);
                own.done.extend(own.groups.drain(..done).map(|reads| (reads, now)));
            }
        }
    }

    /// Records what a product reads, and finds a write to what another still reads.
    pub(super) fn meets_products(
        &mut self,
        facts: &Facts,
        touch: &Touch,
        base: u64,
    ) -> Option<Finding> {
        if touch.kind == Kind::Load {
            if facts.traits[touch.at as usize].product {
                self.products[touch.warp as usize].read(touch);
            }
            return None;
        }
        if touch.kind == Kind::Announcement {
            return None;
        }
        touch.active().find_map(|(lane, address)| {
            let offset = address - base;
            let thread = touch.warp * LANES as u32 + lane as u32;
            let (warp, at) = (0..).zip(&self.products).find_map(|(warp, own)| {
                // One lane says for all of its warp that they have waited.
                let lanes = warp * LANES as u32..(warp + 1) * LANES as u32;
                let knows = |tick| {
                    warp == touch.warp
                        || lanes.clone().any(|lane| self.clocks.ordered(lane, tick, thread))
                };
                Some((warp, own.reader(offset, touch.bytes, knows)?))
            })?;
            let with = Actor { at, block: self.number, thread: warp * LANES as u32 };
            Some(Finding {
                kind: HazardKind::Overwritten { with },
                actor: Actor { at: touch.at, block: self.number, thread },
                space: Space::Shared,
                address: offset,
            })
        })
    }
}
