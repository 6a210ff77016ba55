//! Shared memory that is used while products or bulk copies under way use it too.

use super::block::BlockHazards;
use super::clocks::Thread;
use super::copies::Part;
use super::facts::Facts;
use super::finding::{Actor, Finding, HazardKind};
use execution::Unwaited;
use execution::context::Context;
use execution::listener::{Kind, Touch};
use execution::products::WARPS;
use program::registers::LANES;
use ptx::Space;

impl BlockHazards {
    /// Records what a product reads, and finds a write to what another still reads.
    pub(super) fn meets_products(
        &mut self,
        facts: &Facts,
        touch: &Touch,
        base: u64,
    ) -> Option<Finding> {
        if touch.kind == Kind::Load {
            if facts.traits[touch.at as usize].product {
                self.products[touch.warp as usize].read(touch, base);
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
                let is_over = |group| self.is_over((warp, group), thread);
                Some((warp, own.reader(offset, touch.bytes, is_over)?))
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

    /// Whether a thread knows that a group of products of a warp is complete, because a warp of its warpgroup has waited for it.
    /// One lane says for all of its warp that they have waited.
    fn is_over(&self, (warp, group): (u32, u32), thread: Thread) -> bool {
        let first = warp as usize / WARPS * WARPS;
        (first..).zip(self.products[first..].iter().take(WARPS)).any(|(waits, products)| {
            let waits = waits as u32;
            let lanes = waits * LANES as u32..(waits + 1) * LANES as u32;
            products.progress.completions(group).any(|tick| {
                waits == thread / LANES as u32
                    || lanes.clone().any(|lane| self.clocks.ordered(lane, tick, thread))
            })
        })
    }

    /// Records what copies read and bring, and finds what is used although nobody has waited for them. What a copy of
    /// another block of the cluster brings is not known here.
    pub(super) fn meets_copies(
        &mut self,
        facts: &Facts,
        cx: &Context,
        touch: &Touch,
        base: u64,
    ) -> Option<Finding> {
        let own = &facts.traits[touch.at as usize];
        touch.active().find_map(|(lane, address)| {
            let thread = touch.warp * LANES as u32 + lane as u32;
            let offset = address - base;
            let piece = Part::new(touch.at, thread, offset, touch.bytes);
            let copies = &mut self.copies;
            let (with, how) = match touch.kind {
                Kind::Announcement => return None,
                _ if own.begins => return None,
                Kind::Load if own.mbarrier => {
                    copies.look((offset, cx.spaces.parity(offset)));
                    return None;
                }
                _ if own.mbarrier => {
                    if own.bulk {
                        copies.arrive(thread, (offset, cx.spaces.parity(offset)));
                    }
                    return None;
                }
                Kind::Load => {
                    let with = copies.brings(offset, touch.bytes).copied();
                    if own.sends {
                        copies.send(piece);
                    }
                    (with, Unwaited::Read)
                }
                Kind::Store | Kind::Atomic => {
                    if own.copies && own.bulk {
                        copies.bring(piece);
                    }
                    let with = copies.reads(&self.clocks, thread, offset, touch.bytes);
                    (with.copied(), Unwaited::Overwritten)
                }
            };
            Some(self.unwaited((touch.at, thread, offset), with?, how))
        })
    }

    /// A copy for which nobody has waited when the block has ended, and its shared memory with it.
    pub(super) fn ends_too_early(&self) -> Option<Finding> {
        let (part, how) = self.copies.unwaited()?;
        Some(self.unwaited((part.at, part.thread, part.start), *part, how))
    }

    fn unwaited(
        &self,
        (at, thread, address): (u32, Thread, u64),
        part: Part,
        how: Unwaited,
    ) -> Finding {
        let with = Actor { at: part.at, block: self.number, thread: part.thread };
        Finding {
            kind: HazardKind::Unwaited { with, how },
            actor: Actor { at, block: self.number, thread },
            space: Space::Shared,
            address,
        }
    }
}
