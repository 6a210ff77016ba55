//! The happens-before relation within a block.
//!
//! A block runs on one CPU thread, which counts ticks, one for each event that orders accesses. Thread `t` knows thread
//! `u` up to a tick if everything that `u` did before that tick happens before everything that `t` does from now on.
//! These are vector clocks, stored only where they differ. A barrier of the whole block makes all threads know
//! everything, and one of a whole warp makes its lanes know each other. Barriers of some threads, and fences with
//! atomics, need a table for each thread concerned.

mod phases;
mod vector;

use std::collections::HashMap;

use execution::Missing;
use execution::listener::Arrival;
use phases::Phases;
use vector::{VectorClock, learn};

/// Linear index of a thread in its block.
pub(super) type Thread = u32;

const LANES: u32 = 32;

/// BlockClock after which the recorded accesses are cleared.
const MANY: u32 = 1 << 31;

pub(super) struct VectorClocks {
    threads: usize,
    now: u32,
    /// All threads know everything before this tick.
    all: u32,
    /// For each warp, the tick before which its lanes know each other.
    warps: Vec<u32>,
    /// For each thread what it knows beyond these.
    learnt: Vec<Option<VectorClock>>,
    /// Whether any thread knows more than these, or would after a fence.
    any_known: bool,
    /// For each thread what it will know after its next fence, because it has read what another released.
    observed: Vec<Option<VectorClock>>,
    /// The tick of each thread's last fence. Its next store or atomic releases what it did before that tick.
    fenced: Vec<u32>,
    /// Happens-before for a reader, by address.
    released: HashMap<u64, VectorClock>,
    /// Happens-before for who waits at an `mbarrier`.
    phases: Phases,
    /// By barrier, what the threads knew that arrived there without waiting.
    arrived: [Option<VectorClock>; 16],
}

impl VectorClocks {
    pub(super) fn new(threads: u32) -> VectorClocks {
        let count = threads as usize;
        VectorClocks {
            threads: count,
            now: 1,
            all: 1,
            warps: vec![0; threads.div_ceil(LANES) as usize],
            learnt: vec![None; count],
            any_known: false,
            observed: vec![None; count],
            fenced: vec![0; count],
            released: HashMap::new(),
            phases: Phases::default(),
            arrived: Default::default(),
        }
    }

    /// Begins another block. Returns `true` if the records of earlier blocks must be cleared.
    pub(super) fn begin(&mut self) -> bool {
        self.whole_block();
        self.released.clear();
        self.phases.clear();
        let is_late = self.now > MANY;
        if is_late {
            *self = VectorClocks::new(self.threads as u32);
        }
        is_late
    }

    /// Begins another tick.
    pub(super) fn advance(&mut self) -> u32 {
        self.now += 1;
        self.now
    }

    pub(super) fn now(&self) -> u32 {
        self.now
    }

    /// The tick before which everything happens before what follows now.
    pub(super) fn all(&self) -> u32 {
        self.all
    }

    /// The last tick up to which all lanes of a warp know each other.
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

    /// For each thread of the block, the tick up to which one of the arriving threads knows it.
    pub(super) fn known_to(&self, arrival: Arrival) -> Vec<u32> {
        let mut known = vec![self.all; self.threads];
        self.gather(arrival, &mut known);
        known
    }

    /// A barrier of all live threads.
    pub(super) fn whole_block(&mut self) {
        self.now += 1;
        self.all = self.now;
        if std::mem::take(&mut self.any_known) {
            self.learnt.fill(None);
            self.observed.fill(None);
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

    /// Threads arrive at a barrier without waiting.
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

    /// Some threads meet.
    pub(super) fn together(&mut self, arrivals: &[Arrival]) {
        self.threads_meet(arrivals, None);
    }

    fn threads_meet(&mut self, arrivals: &[Arrival], arrived: Option<VectorClock>) {
        let mut known = arrived.unwrap_or_else(|| self.nothing());
        for &arrival in arrivals {
            self.learn_observed(arrival);
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

    /// A fence: its threads acquire what they have read, and their next store or atomic releases what they did before.
    pub(super) fn fence(&mut self, arrival: Arrival) {
        self.learn_observed(arrival);
        self.now += 1;
        for thread in threads(arrival) {
            self.fenced[thread as usize] = self.now;
        }
    }

    /// A thread releases at an address what it knows of others and what it did before its last fence; with `own` also
    /// what it did since.
    pub(super) fn release(&mut self, thread: Thread, address: u64, own: bool) {
        let mut known = self.released.remove(&address).unwrap_or_else(|| self.nothing());
        let mask = 1 << (thread % LANES);
        let fenced = if own {
            self.now + 1
        } else {
            // Barriers are also fences.
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

    /// A thread reads what was released at an address, and acquires it at once or with its next fence.
    pub(super) fn acquire(&mut self, thread: Thread, address: u64, at_once: bool) {
        if let Some(known) = self.released.get(&address) {
            self.any_known = true;
            let own = if at_once { &mut self.learnt } else { &mut self.observed };
            learn(&mut own[thread as usize], known);
        }
    }

    /// A thread arrives at an `mbarrier`, or bytes that it has copied arrive there, in the phase of a parity.
    pub(super) fn arrive_in_phase(&mut self, thread: Thread, address: u64, parity: bool) {
        let mut known = self.nothing();
        self.gather(
            Arrival { warp: thread / LANES, mask: 1 << (thread % LANES), at: 0 },
            &mut known,
        );
        self.phases.arrive(address, parity, &known);
        self.now += 1;
    }

    /// A thread looks at an `mbarrier` that is in the phase of a parity.
    pub(super) fn look_at_phase(&mut self, thread: Thread, address: u64, parity: bool) {
        if let Some(known) = self.phases.complete(address, parity) {
            self.any_known = true;
            learn(&mut self.learnt[thread as usize], known);
        }
    }

    fn learn_observed(&mut self, arrival: Arrival) {
        if !self.any_known {
            return;
        }
        for thread in threads(arrival) {
            if let Some(known) = self.observed[thread as usize].take() {
                learn(&mut self.learnt[thread as usize], &known);
            }
        }
    }

    /// What would order what `earlier` did at a tick before what `later` does now.
    pub(super) fn missing(&self, earlier: Thread, tick: u32, later: Thread) -> Missing {
        let observed = self.observed[later as usize].as_ref();
        match observed.is_some_and(|known| known[earlier as usize] > tick) {
            true => Missing::Acquire,
            false => Missing::Order,
        }
    }

    /// The same of a read that a write follows.
    pub(super) fn missing_of_read(&self, earlier: Thread, tick: u32, later: Thread) -> Missing {
        let warp = earlier / LANES;
        let mut lanes = warp * LANES..((warp + 1) * LANES).min(self.threads as u32);
        match self.missing(earlier, tick, later) {
            Missing::Order
                if warp != later / LANES && lanes.any(|lane| self.ordered(lane, tick, later)) =>
            {
                Missing::OrderOfLanes
            }
            missing => missing,
        }
    }

    fn nothing(&self) -> VectorClock {
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

/// The threads of an arrival.
fn threads(arrival: Arrival) -> impl Iterator<Item = Thread> {
    program::registers::lanes(arrival.mask).map(move |lane| arrival.warp * LANES + lane as u32)
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
        let mut clocks = VectorClocks::new(64);
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
        let mut clocks = VectorClocks::new(32);
        let then = clocks.now();
        clocks.warp(0, 0xffff, ALL);
        assert!(clocks.ordered(0, then, 15));
        assert!(!clocks.ordered(0, then, 16) && !clocks.ordered(16, then, 0));
        // Through lane 15 the upper half knows the lower.
        clocks.warp(0, 0xffff_8000, ALL);
        assert!(clocks.ordered(0, then, 16) && !clocks.ordered(16, then, 0));
        assert!(clocks.ordered(16, then, 15));
    }

    #[test]
    fn who_only_arrives_learns_nothing() {
        let mut clocks = VectorClocks::new(96);
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
        let mut clocks = VectorClocks::new(64);
        let before = clocks.now();
        clocks.fence(of(0, 1));
        let after = clocks.now();
        clocks.release(0, 8, false);
        clocks.acquire(32, 16, true);
        assert!(!clocks.ordered(0, before, 32), "another address");
        clocks.acquire(32, 8, false);
        assert!(!clocks.ordered(0, before, 32), "no fence");
        assert_eq!(clocks.missing(0, before, 32), Missing::Acquire);
        assert_eq!(clocks.missing(0, after, 32), Missing::Order);
        clocks.fence(of(1, 1));
        assert!(clocks.ordered(0, before, 32) && !clocks.ordered(0, after, 32));
        assert!(!clocks.ordered(1, before, 32), "another lane's accesses");
        assert!(!clocks.ordered(0, before, 33), "another lane saw it");
        clocks.release(0, 8, true);
        clocks.acquire(33, 8, true);
        assert!(clocks.ordered(0, after, 33));
    }
}
