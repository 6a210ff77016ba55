//! Shared memory that bulk copies under way use. The simulator may complete a copy where it begins, and a GPU does so at any
//! time: what a copy brings is there when the phase of its `mbarrier` has ended, and what a copy to global memory reads stays
//! until its thread has waited for the copy's group (PTX ISA, "cp.async.bulk", "cp.async.bulk.wait_group").

use std::collections::{BTreeMap, VecDeque};

use super::clocks::{Thread, VectorClocks};
use execution::Unwaited;
use execution::listener::Arrival;
use program::Groups;
use program::registers::{LANES, lanes};

/// Bytes within which the pieces of a copy follow each other: a swizzle permutes those of a row.
const NEAR: u64 = 256;

/// What a copy reads or brings.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part {
    /// The copy's instruction, and the thread that began it.
    pub at: u32,
    pub thread: Thread,
    /// Offsets in shared memory.
    pub start: u64,
    end: u64,
}

impl Part {
    pub(super) fn new(at: u32, thread: Thread, start: u64, bytes: u64) -> Part {
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
pub(super) type Phase = (u64, bool);

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
    pub(super) fn group(&mut self, clocks: &VectorClocks, arrival: Arrival, what: Groups) {
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

    /// A copy reads a piece of shared memory, which goes to global memory.
    pub(super) fn send(&mut self, piece: Part) {
        add(&mut self.sent.entry(piece.thread).or_default().open, piece);
    }

    /// A copy brings a piece.
    pub(super) fn bring(&mut self, piece: Part) {
        add(&mut self.begun, piece);
    }

    /// Bytes that a thread has copied arrive in a phase.
    pub(super) fn arrive(&mut self, thread: Thread, phase: Phase) {
        let own = self.begun.extract_if(.., |part| part.thread == thread);
        self.arrived.extend(own.map(|part| (phase, part)));
    }

    /// Somebody looks at a barrier, which is in the phase of a parity.
    pub(super) fn look(&mut self, (barrier, now): Phase) {
        self.arrived.retain(|&((other, parity), _)| other != barrier || parity == now);
    }

    /// What copies bring for which nobody has waited.
    fn brought(&self) -> impl Iterator<Item = &Part> {
        self.arrived.iter().map(|(_, part)| part).chain(&self.begun)
    }

    /// A copy for which nobody has waited when the block ends; one that brings bytes first.
    pub(super) fn unwaited(&self) -> Option<(&Part, Unwaited)> {
        let sent = self.sent.values().flat_map(Sent::parts).map(|part| (part, Unwaited::Sent));
        self.brought().map(|part| (part, Unwaited::Ended)).chain(sent).next()
    }

    /// The copy that brings some of these bytes.
    pub(super) fn brings(&self, start: u64, bytes: u64) -> Option<&Part> {
        self.brought().find(|part| part.meets(start, bytes))
    }

    /// The copy that reads some of these bytes, as far as a thread knows.
    pub(super) fn reads(
        &self,
        clocks: &VectorClocks,
        thread: Thread,
        start: u64,
        bytes: u64,
    ) -> Option<&Part> {
        self.sent.values().find_map(|sent| {
            let is_unknown = |(part, tick): &&(Part, u32)| {
                part.thread != thread && !clocks.ordered(part.thread, *tick, thread)
            };
            let done = sent.done.iter().filter(is_unknown).map(|(part, _)| part);
            sent.parts().chain(done).find(|part| part.meets(start, bytes))
        })
    }
}
