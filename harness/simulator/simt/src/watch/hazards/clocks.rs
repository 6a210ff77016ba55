//! What happens before what in a block.
//!
//! A block runs on one CPU thread, so everything in it has its place in time: a number of ticks, one for each event
//! that orders something. Thread `t` knows thread `u` up to a tick: what `u` did before it happens before all that `t`
//! does from now on. These are vector clocks, kept only where they differ: a barrier of the whole block lets everyone
//! know everything, a barrier of a whole warp lets its lanes know each other, and what else there is (barriers of some
//! threads, fences with atomics) has a table for each thread concerned.

use std::collections::HashMap;

use crate::exec::listener::Arrival;

/// What a thread knows of each thread of its block.
type Known = Box<[u32]>;

/// A thread's number in its block.
pub(super) type Thread = u32;

const LANES: u32 = 32;

/// Ticks after which a detector should begin anew.
const MANY: u32 = 1 << 31;

pub(super) struct Clocks {
    threads: usize,
    now: u32,
    /// Everyone knows everything before.
    all: u32,
    /// For each warp: its lanes know each other's accesses before.
    warps: Vec<u32>,
    /// For each thread what it knows beyond that.
    learnt: Vec<Option<Known>>,
    /// Whether anyone does.
    any_known: bool,
    /// For each thread: what it did before is seen by who sees what it does next.
    fenced: Vec<u32>,
    /// By address: what is known to who reads there.
    released: HashMap<u64, Known>,
    /// By barrier: what was known to threads that arrived without waiting.
    arrived: [Option<Known>; 16],
}

impl Clocks {
    pub(super) fn new(threads: u32) -> Clocks {
        let count = threads as usize;
        Clocks {
            threads: count,
            now: 1,
            all: 1,
            warps: vec![0; threads.div_ceil(LANES) as usize],
            learnt: vec![None; count],
            any_known: false,
            fenced: vec![0; count],
            released: HashMap::new(),
            arrived: Default::default(),
        }
    }

    /// Another block begins; `true` if what was recorded of earlier ones must be forgotten.
    pub(super) fn begin(&mut self) -> bool {
        self.whole_block();
        self.released.clear();
        let is_late = self.now > MANY;
        if is_late {
            *self = Clocks::new(self.threads as u32);
        }
        is_late
    }

    pub(super) fn now(&self) -> u32 {
        self.now
    }

    /// What lies before it happens before everything from now on.
    pub(super) fn all(&self) -> u32 {
        self.all
    }

    /// The last tick that all lanes of a warp know of each other.
    pub(super) fn since(&self, warp: u32) -> u32 {
        self.all.max(self.warps[warp as usize])
    }

    /// Whether what `earlier` did at a tick happens before what `later` does now.
    #[inline(always)]
    pub(super) fn ordered(&self, earlier: Thread, tick: u32, later: Thread) -> bool {
        tick < self.all
            || earlier == later
            || earlier / LANES == later / LANES && tick < self.warps[(later / LANES) as usize]
            || self.any_known && self.knows(later, earlier) > tick
    }

    #[cold]
    fn knows(&self, thread: Thread, other: Thread) -> u32 {
        self.learnt[thread as usize].as_ref().map_or(0, |known| known[other as usize])
    }

    /// For each thread of the block: what it did at ticks before this one is known to one of those that arrive.
    pub(super) fn known_to(&self, arrival: Arrival) -> Vec<u32> {
        let mut known = vec![self.all; self.threads];
        self.gather(arrival, &mut known);
        known
    }

    /// A barrier of all threads that live.
    pub(super) fn whole_block(&mut self) {
        self.now += 1;
        self.all = self.now;
        if std::mem::take(&mut self.any_known) {
            self.learnt.fill(None);
        }
        self.arrived = Default::default();
    }

    /// A barrier of some lanes of a warp.
    pub(super) fn warp(&mut self, warp: u32, mask: u32, live: u32) {
        if live & !mask == 0 && !self.any_known {
            self.now += 1;
            self.warps[warp as usize] = self.now;
            return;
        }
        self.threads_meet(&[Arrival { warp, mask, at: 0 }], None);
    }

    /// Threads arrive at a barrier and do not wait.
    pub(super) fn arrive(&mut self, barrier: usize, arrival: Arrival) {
        let mut known = self.arrived[barrier].take().unwrap_or_else(|| self.nothing());
        self.gather(arrival, &mut known);
        self.arrived[barrier] = Some(known);
        self.now += 1;
        self.fence(arrival);
    }

    /// A barrier of some threads is complete.
    pub(super) fn some(&mut self, barrier: usize, arrivals: &[Arrival]) {
        let arrived = self.arrived[barrier].take();
        self.threads_meet(arrivals, arrived);
    }

    fn threads_meet(&mut self, arrivals: &[Arrival], arrived: Option<Known>) {
        let mut known = arrived.unwrap_or_else(|| self.nothing());
        for &arrival in arrivals {
            self.gather(arrival, &mut known);
        }
        self.now += 1;
        self.any_known = true;
        for &arrival in arrivals {
            for thread in threads(arrival) {
                learn(&mut self.learnt[thread as usize], &known);
                self.fenced[thread as usize] = self.now;
            }
        }
    }

    /// A fence: what its threads did is seen by who sees what they do next.
    pub(super) fn fence(&mut self, arrival: Arrival) {
        self.now += 1;
        for thread in threads(arrival) {
            self.fenced[thread as usize] = self.now;
        }
    }

    /// A thread writes to an address where others may look; `own`: what it did itself just before is released too.
    pub(super) fn release(&mut self, thread: Thread, address: u64, own: bool) {
        let mut known = self.released.remove(&address).unwrap_or_else(|| self.nothing());
        let mask = 1 << (thread % LANES);
        let fenced = if own {
            self.now + 1
        } else {
            // Barriers are fences, too.
            self.fenced[thread as usize].max(self.warps[(thread / LANES) as usize]).max(self.all)
        };
        let before = known[thread as usize];
        self.gather(Arrival { warp: thread / LANES, mask, at: 0 }, &mut known);
        known[thread as usize] = before.max(fenced);
        self.released.insert(address, known);
        if own {
            self.now += 1;
        }
    }

    /// A thread sees what was released at an address.
    pub(super) fn acquire(&mut self, thread: Thread, address: u64) {
        if let Some(known) = self.released.get(&address) {
            self.any_known = true;
            learn(&mut self.learnt[thread as usize], known);
        }
    }

    fn nothing(&self) -> Known {
        vec![0; self.threads].into()
    }

    /// Adds what threads know, and all that they did.
    fn gather(&self, arrival: Arrival, into: &mut [u32]) {
        for thread in threads(arrival) {
            if let Some(known) = &self.learnt[thread as usize] {
                into.iter_mut().zip(known).for_each(|(sum, known)| *sum = (*sum).max(*known));
            }
            into[thread as usize] = self.now + 1;
        }
        let first = arrival.warp * LANES;
        let end = (first + LANES).min(self.threads as u32);
        for known in &mut into[first as usize..end as usize] {
            *known = (*known).max(self.warps[arrival.warp as usize]);
        }
    }
}

fn learn(own: &mut Option<Known>, known: &Known) {
    match own {
        Some(own) => own.iter_mut().zip(known).for_each(|(own, known)| *own = (*own).max(*known)),
        none => *none = Some(known.clone()),
    }
}

/// The threads of an arrival.
fn threads(arrival: Arrival) -> impl Iterator<Item = Thread> {
    crate::registers::lanes(arrival.mask).map(move |lane| arrival.warp * LANES + lane as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: u32 = u32::MAX;

    fn of(warp: u32, mask: u32) -> Arrival {
        Arrival { warp, mask, at: 0 }
    }

    #[test]
    fn nothing_orders_two_threads_until_a_barrier_does() {
        let mut clocks = Clocks::new(64);
        let then = clocks.now();
        assert!(clocks.ordered(3, then, 3));
        assert!(!clocks.ordered(3, then, 4) && !clocks.ordered(3, then, 40));
        clocks.warp(0, ALL, ALL);
        assert!(clocks.ordered(3, then, 4) && !clocks.ordered(3, then, 40));
        assert!(!clocks.ordered(40, then, 41));
        clocks.whole_block();
        assert!(clocks.ordered(3, then, 40));
        assert!(!clocks.ordered(3, clocks.now(), 40));
    }

    #[test]
    fn a_part_of_a_warp_waits_for_itself_only() {
        let mut clocks = Clocks::new(32);
        let then = clocks.now();
        clocks.warp(0, 0xffff, ALL);
        assert!(clocks.ordered(0, then, 15));
        assert!(!clocks.ordered(0, then, 16) && !clocks.ordered(16, then, 0));
        // Through lane 15 the upper half comes to know the lower.
        clocks.warp(0, 0xffff_8000, ALL);
        assert!(clocks.ordered(0, then, 16) && !clocks.ordered(16, then, 0));
        assert!(clocks.ordered(16, then, 15));
    }

    #[test]
    fn who_only_arrives_learns_nothing() {
        let mut clocks = Clocks::new(96);
        let then = clocks.now();
        clocks.arrive(1, of(0, ALL));
        let late = clocks.now();
        clocks.some(1, &[of(1, ALL)]);
        assert!(clocks.ordered(0, then, 32) && !clocks.ordered(32, then, 0));
        assert!(!clocks.ordered(0, late, 32), "what came after arriving is not ordered");
        assert!(!clocks.ordered(0, then, 64) && !clocks.ordered(64, then, 32));
    }

    #[test]
    fn a_release_covers_what_came_before_the_fence() {
        let mut clocks = Clocks::new(64);
        let before = clocks.now();
        clocks.fence(of(0, 1));
        let after = clocks.now();
        clocks.release(0, 8, false);
        clocks.acquire(32, 16);
        assert!(!clocks.ordered(0, before, 32), "another address");
        clocks.acquire(32, 8);
        assert!(clocks.ordered(0, before, 32) && !clocks.ordered(0, after, 32));
        assert!(!clocks.ordered(1, before, 32), "another lane's accesses");
        assert!(!clocks.ordered(0, before, 33), "another lane saw it");
        clocks.release(0, 8, true);
        clocks.acquire(33, 8);
        assert!(clocks.ordered(0, after, 33));
    }
}
