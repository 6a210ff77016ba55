//! Shared memory that bulk copies under way use. The simulator completes a copy where it begins, and a GPU may do so at any
//! time: what a copy brings is there when the phase of its `mbarrier` has ended, and what a copy to global memory reads stays
//! until its thread has waited for the copy's group (PTX ISA, "cp.async.bulk", "cp.async.bulk.wait_group").

use std::collections::{BTreeMap, VecDeque};

use super::block::BlockHazards;
use super::clocks::{Clocks, Thread};
use super::facts::Facts;
use super::finding::{Actor, Finding, HazardKind};
use execution::Unwaited;
use execution::context::Context;
use execution::listener::{Arrival, Kind, Touch};
use program::Groups;
use program::registers::{LANES, lanes};
use ptx::Space;

/// Bytes within which the pieces of a copy follow each other: a swizzle permutes those of a row.
const NEAR: u64 = 256;

/// What a copy reads or brings.
#[derive(Debug, Clone, Copy)]
struct Part {
    at: u32,
    thread: Thread,
    start: u64,
    end: u64,
}

impl Part {
    fn new(at: u32, thread: Thread, start: u64, bytes: u64) -> Part {
        Part { at, thread, start, end: start + bytes }
    }

    fn meets(&self, start: u64, bytes: u64) -> bool {
        self.start < start + bytes && start < self.end
    }

    /// Takes in another piece of the same copy; whether it is one.
    fn grows(&mut self, piece: &Part) -> bool {
        let is_near = piece.start <= self.end + NEAR && self.start <= piece.end + NEAR;
        let same = (self.at, self.thread) == (piece.at, piece.thread) && is_near;
        if same {
            self.start = self.start.min(piece.start);
            self.end = self.end.max(piece.end);
        }
        same
    }
}

/// Adds a piece of a copy to the parts.
fn add(parts: &mut Vec<Part>, piece: Part) {
    if !parts.last_mut().is_some_and(|last| last.grows(&piece)) {
        parts.push(piece);
    }
}

/// A thread's copies to global memory.
#[derive(Default)]
struct Sent {
    /// Those of no group yet.
    open: Vec<Part>,
    /// Groups, the oldest first.
    groups: VecDeque<Vec<Part>>,
    /// Those that were waited for, and when: other threads may not know of it.
    done: Vec<(Part, u32)>,
}

impl Sent {
    fn parts(&self) -> impl Iterator<Item = &Part> {
        self.groups.iter().flatten().chain(&self.open)
    }
}

/// A phase of an `mbarrier`: its offset, and the parity.
type Phase = (u64, bool);

/// A block's copies under way.
#[derive(Default)]
pub(super) struct Copies {
    sent: BTreeMap<Thread, Sent>,
    /// What copies bring whose bytes have not arrived at a barrier.
    begun: Vec<Part>,
    /// What copies have brought, and the phase for which nobody has waited.
    arrived: Vec<(Phase, Part)>,
}

impl Copies {
    /// Lanes make a group of what they have sent, or wait for groups.
    pub(super) fn group(&mut self, clocks: &Clocks, arrival: Arrival, what: Groups) {
        for lane in lanes(arrival.mask) {
            let thread = arrival.warp * LANES as u32 + lane as u32;
            let Some(own) = self.sent.get_mut(&thread) else { continue };
            match what {
                Groups::Close => own.groups.push_back(std::mem::take(&mut own.open)),
                Groups::Wait(left) => {
                    let done = own.groups.len().saturating_sub(left as usize);
                    own.done.retain(|&(_, tick)| tick >= clocks.all());
                    let parts = own.groups.drain(..done).flatten();
                    own.done.extend(parts.map(|part| (part, clocks.now())));
                }
            }
        }
    }

    /// Bytes that a thread has copied arrive in a phase.
    fn arrive(&mut self, thread: Thread, phase: Phase) {
        let own = self.begun.extract_if(.., |part| part.thread == thread);
        self.arrived.extend(own.map(|part| (phase, part)));
    }

    /// Somebody looks at a barrier, which is in the phase of a parity.
    fn look(&mut self, (barrier, now): Phase) {
        self.arrived.retain(|&((other, parity), _)| other != barrier || parity == now);
    }

    /// What copies bring for which nobody has waited.
    fn brought(&self) -> impl Iterator<Item = &Part> {
        self.arrived.iter().map(|(_, part)| part).chain(&self.begun)
    }

    /// The copy that brings some of these bytes.
    fn brings(&self, start: u64, bytes: u64) -> Option<&Part> {
        self.brought().find(|part| part.meets(start, bytes))
    }

    /// The copy that reads some of these bytes, as far as a thread knows.
    fn reads(&self, clocks: &Clocks, thread: Thread, start: u64, bytes: u64) -> Option<&Part> {
        self.sent.values().find_map(|sent| {
            let is_unknown = |(part, tick): &&(Part, u32)| {
                part.thread != thread && !clocks.ordered(part.thread, *tick, thread)
            };
            let done = sent.done.iter().filter(is_unknown).map(|(part, _)| part);
            sent.parts().chain(done).find(|part| part.meets(start, bytes))
        })
    }
}

impl BlockHazards {
    /// Records what copies read and bring, and finds what is used although nobody has waited for them. Among the blocks of a
    /// cluster it is not known which phases have ended.
    pub(super) fn meets_copies(
        &mut self,
        facts: &Facts,
        cx: &Context,
        touch: &Touch,
        base: u64,
    ) -> Option<Finding> {
        let own = &facts.traits[touch.at as usize];
        let is_alone = cx.clusters.size() == 1;
        touch.active().find_map(|(lane, address)| {
            let thread = touch.warp * LANES as u32 + lane as u32;
            let offset = address - base;
            let piece = Part::new(touch.at, thread, offset, touch.bytes);
            let copies = &mut self.copies;
            let (with, how) = match touch.kind {
                Kind::Announcement => return None,
                _ if own.begins => return None,
                _ if own.mbarrier && !is_alone => return None,
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
                        add(&mut copies.sent.entry(thread).or_default().open, piece);
                    }
                    (with, Unwaited::Read)
                }
                Kind::Store | Kind::Atomic => {
                    if own.copies && own.bulk && is_alone {
                        add(&mut copies.begun, piece);
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
        let sent = self.copies.sent.values().flat_map(Sent::parts);
        let part = sent.chain(self.copies.brought()).next()?;
        Some(self.unwaited((part.at, part.thread, part.start), *part, Unwaited::Ended))
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
