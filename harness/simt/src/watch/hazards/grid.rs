//! What happens before what between the blocks of a launch.
//!
//! A thread that writes to global memory where others may look, by an atomic or a strong store, releases what fences of
//! the whole device have performed before (its own, or another thread's of its block that it knows of). A thread that
//! looks there acquires it with its next fence; strong accesses, which go past L1, see it at once. Barriers and flags
//! of a block pass on what its threads know of other blocks. Who looks by an atomic and then comes to a barrier acquires
//! there what the atomic saw: the last block of a reduction takes its ticket so, in NVIDIA's samples as well, and loads
//! that follow the barrier come after the atomic.
//!
//! What is acquired is looked up at the fence, not at the access: another block may have released more in between, so
//! that a race is missed at times, but none is found where there is none.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::clocks::{Clocks, Thread};
use super::facts::Traits;
use super::global::Mark;
use crate::exec::listener::Arrival;
use crate::registers::lanes;

/// For each block of which anything is known, for each of its threads: its ticks before this one.
#[derive(Clone, Default)]
struct Known(HashMap<u64, Arc<[u32]>>);

impl Known {
    fn add(&mut self, other: &Known) {
        for (block, ticks) in &other.0 {
            match self.0.entry(*block) {
                Entry::Vacant(place) => drop(place.insert(ticks.clone())),
                Entry::Occupied(mut place) => {
                    let pairs = || place.get().iter().zip(ticks.iter());
                    if Arc::ptr_eq(place.get(), ticks) || pairs().all(|(own, other)| other <= own) {
                        continue;
                    }
                    let all = pairs().map(|(own, other)| *own.max(other)).collect();
                    *place.get_mut() = all;
                }
            }
        }
    }

    fn has(&self, mark: Mark) -> bool {
        self.0.get(&mark.block()).is_some_and(|ticks| mark.is_before(ticks[mark.thread() as usize]))
    }
}

/// What threads of all blocks released, by address; all CPU threads share it.
#[derive(Default)]
pub(super) struct Released(Mutex<HashMap<u64, Known>>);

impl Released {
    fn lock(&self) -> MutexGuard<'_, HashMap<u64, Known>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a thread knows of other blocks.
#[derive(Default)]
struct OfThread {
    known: Known,
    /// Where it looked since its last fence.
    seen: Vec<u64>,
    /// One of those accesses needs no fence.
    acquires: bool,
    /// What atomics saw since then.
    by_atomics: Known,
}

/// What the threads of a block know of other blocks.
#[derive(Default)]
pub(super) struct Foreign {
    /// All of them.
    all: Known,
    threads: HashMap<Thread, OfThread>,
    /// For each thread its ticks before this one: what it did then has reached the whole device. Empty before the first
    /// fence.
    performed: Vec<u32>,
}

impl Foreign {
    /// Whether a thread knows of what another block did.
    pub(super) fn knows(
        &self,
        thread: Thread,
        mark: Mark,
        is_strong: bool,
        released: &Released,
    ) -> bool {
        self.all.has(mark)
            || self.threads.get(&thread).is_some_and(|own| {
                own.known.has(mark)
                    || (is_strong || own.acquires) && {
                        let released = released.lock();
                        let has = |address| released.get(address).is_some_and(|it| it.has(mark));
                        own.seen.iter().any(has)
                    }
            })
    }

    /// A thread looks at an address.
    pub(super) fn looks(
        &mut self,
        (thread, address): (Thread, u64),
        by: &Traits,
        released: &Released,
    ) {
        let own = self.threads.entry(thread).or_default();
        own.acquires |= by.order.acquire;
        if by.atomic
            && let Some(it) = released.lock().get(&address)
        {
            own.by_atomics.add(it);
        }
        if !own.seen.contains(&address) {
            own.seen.push(address);
        }
    }

    /// A fence of the whole device, before the clocks hear of it.
    pub(super) fn fence(&mut self, arrival: Arrival, clocks: &Clocks, released: &Released) {
        self.performed.resize(clocks.threads(), 0);
        for thread in threads(arrival) {
            for (other, performed) in (0..).zip(&mut self.performed) {
                *performed = clocks.known(thread, other).max(*performed);
            }
            self.acquire(thread, released);
        }
    }

    fn acquire(&mut self, thread: Thread, released: &Released) {
        let Some(own) = self.threads.get_mut(&thread) else { return };
        let released = released.lock();
        own.seen.iter().filter_map(|at| released.get(at)).for_each(|it| own.known.add(it));
        own.seen.clear();
        own.acquires = false;
        own.by_atomics = Known::default();
    }

    /// A thread of the block of this number, which began after tick `began`, writes where others may look.
    pub(super) fn release(
        &mut self,
        (thread, address): (Thread, u64),
        (block, began): (u64, u32),
        clocks: &Clocks,
        released: &Released,
    ) {
        if self.performed.is_empty() {
            return;
        }
        let ticks = (0..).zip(&self.performed).map(|(other, performed)| {
            clocks.known(thread, other).min(*performed).saturating_sub(began)
        });
        let mut known = Known(HashMap::from([(block, ticks.collect())]));
        known.add(&self.all);
        if let Some(own) = self.threads.get(&thread) {
            known.add(&own.known);
        }
        released.lock().entry(address).or_default().add(&known);
    }

    /// What some threads know, all threads of the block know from now on.
    pub(super) fn share(&mut self, arrivals: &[Arrival], released: &Released) {
        let sum = self.gather(arrivals, released);
        self.all.add(&sum);
    }

    /// Some threads synchronise: each knows what any of them knows.
    pub(super) fn meet(&mut self, arrivals: &[Arrival], released: &Released) {
        let sum = self.gather(arrivals, released);
        if !sum.0.is_empty() {
            for thread in arrivals.iter().copied().flat_map(threads) {
                self.threads.entry(thread).or_default().known.add(&sum);
            }
        }
    }

    fn gather(&mut self, arrivals: &[Arrival], released: &Released) -> Known {
        let mut sum = Known::default();
        if self.threads.is_empty() {
            return sum;
        }
        for thread in arrivals.iter().copied().flat_map(threads) {
            if self.threads.get(&thread).is_some_and(|own| own.acquires) {
                self.acquire(thread, released);
            }
            if let Some(own) = self.threads.get_mut(&thread) {
                own.known.add(&std::mem::take(&mut own.by_atomics));
                sum.add(&own.known);
            }
        }
        sum
    }
}

fn threads(arrival: Arrival) -> impl Iterator<Item = Thread> {
    lanes(arrival.mask).map(move |lane| arrival.warp * 32 + lane as u32)
}
