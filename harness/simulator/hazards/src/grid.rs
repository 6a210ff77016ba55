//! The happens-before relation between the blocks of a launch.
//!
//! An atomic or a strong store to global memory releases what device-scope fences have performed before: those of its
//! own thread, and those of threads of its block that it knows. A thread that reads the address acquires it with its
//! next fence; strong accesses, which bypass L1, see it at once. Barriers and flags within a block pass on what its
//! threads know of other blocks. A thread that reads by an atomic and then reaches a barrier acquires there what the
//! atomic saw. The last block of a reduction takes its ticket in this way, in NVIDIA's samples too, and loads after the
//! barrier come after the atomic.
//!
//! What is acquired is looked up at the fence, not at the access. Another block may have released more in between, so a
//! race may be missed, but none is reported where there is none.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::clocks::{Clocks, Thread};
use super::facts::Traits;
use super::mark::Mark;
use execution::listener::Arrival;
use program::registers::lanes;

/// For each thread of a block the tick up to which it is known. After a barrier nearly all are equal.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Ticks {
    /// The tick of all other threads.
    all: u32,
    /// Threads with later ticks, sorted.
    more: Box<[(Thread, u32)]>,
}

impl Ticks {
    fn new(ticks: impl Iterator<Item = u32> + Clone) -> Ticks {
        let all = ticks.clone().min().unwrap_or(0);
        let more = (0..).zip(ticks).filter(|&(_, tick)| tick > all).collect();
        Ticks { all, more }
    }

    fn of(&self, thread: Thread) -> u32 {
        let place = self.more.binary_search_by_key(&thread, |&(other, _)| other);
        place.map_or(self.all, |place| self.more[place].1)
    }

    /// Whether `other` knows no thread up to a later tick.
    fn covers(&self, other: &Ticks) -> bool {
        let mut own = self.more.iter().peekable();
        other.all <= self.all
            && other.more.iter().all(|&(thread, tick)| {
                while own.next_if(|&&(earlier, _)| earlier < thread).is_some() {}
                tick <= self.all
                    || own.peek().is_some_and(|&&(at, own)| at == thread && tick <= own)
            })
    }

    fn add(&mut self, other: &Ticks) {
        let all = self.all.max(other.all);
        let (mut own, mut others) = (self.more.iter().peekable(), other.more.iter().peekable());
        let mut more = Vec::with_capacity(self.more.len() + other.more.len());
        while let Some(&&(next, _)) = own.peek().into_iter().chain(others.peek()).min() {
            let of_next = [&mut own, &mut others].map(|all| all.next_if(|&&(at, _)| at == next));
            let tick = of_next.into_iter().flatten().map(|&(_, tick)| tick).max();
            more.extend(tick.filter(|&tick| tick > all).map(|tick| (next, tick)));
        }
        *self = Ticks { all, more: more.into() };
    }
}

/// What is known of each block, sorted by block.
type Blocks = Vec<(u64, Arc<Ticks>)>;

/// What is known of blocks; shared by threads and addresses with equal knowledge.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Known(Option<Arc<Blocks>>);

impl Known {
    fn blocks(&self) -> &[(u64, Arc<Ticks>)] {
        self.0.as_ref().map_or(&[], |blocks| blocks)
    }

    /// Whether `other` knows no more of any block.
    fn covers(&self, other: &Known) -> bool {
        let mut own = self.blocks().iter();
        other.blocks().iter().all(|(block, ticks)| {
            let same = own.by_ref().find(|(own, _)| own >= block);
            same.is_some_and(|(own, known)| own == block && covers(known, ticks))
        })
    }

    fn add(&mut self, other: &Known) {
        let is_same = match (&self.0, &other.0) {
            (Some(own), Some(others)) => Arc::ptr_eq(own, others),
            (_, None) => true,
            (None, _) => false,
        };
        if is_same || self.covers(other) {
            return;
        }
        if other.covers(self) {
            *self = other.clone();
            return;
        }
        let mut place = 0;
        for (block, ticks) in other.blocks() {
            place += self.blocks()[place..].iter().take_while(|(own, _)| own < block).count();
            self.add_block(place, *block, ticks);
        }
    }

    /// Adds what is known of one block, at its sorted position.
    fn add_block(&mut self, place: usize, block: u64, ticks: &Arc<Ticks>) {
        let blocks = Arc::make_mut(self.0.get_or_insert_default());
        match blocks.get_mut(place) {
            Some((own, known)) if *own == block => {
                if covers(ticks, known) {
                    *known = Arc::clone(ticks);
                } else if !covers(known, ticks) {
                    Arc::make_mut(known).add(ticks);
                }
            }
            _ => blocks.insert(place, (block, Arc::clone(ticks))),
        }
    }

    fn has(&self, mark: Mark) -> bool {
        let blocks = self.blocks();
        let place = blocks.binary_search_by_key(&mark.block(), |&(block, _)| block);
        place.is_ok_and(|place| mark.is_before(blocks[place].1.of(mark.thread())))
    }
}

fn covers(one: &Arc<Ticks>, other: &Arc<Ticks>) -> bool {
    Arc::ptr_eq(one, other) || one.covers(other)
}

/// What threads of all blocks released, by address. All CPU threads share it.
#[derive(Default)]
pub(super) struct Released(Mutex<HashMap<u64, Known>>);

impl Released {
    fn lock(&self) -> MutexGuard<'_, HashMap<u64, Known>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a thread knows of other blocks.
#[derive(Default)]
struct ThreadKnowledge {
    known: Known,
    /// Addresses that it read since its last fence.
    seen: Vec<u64>,
    /// Whether one of those accesses acquires without a fence.
    acquires: bool,
    /// What its atomics saw since then.
    by_atomics: Known,
}

/// What the threads of a block know of other blocks.
#[derive(Default)]
pub(super) struct RemoteAccess {
    /// What all threads know.
    all: Known,
    threads: HashMap<Thread, ThreadKnowledge>,
    /// For each thread the tick up to which its accesses are visible to the whole device. Empty before the first fence.
    performed: Vec<u32>,
}

impl RemoteAccess {
    /// Whether an access of another block happens before what a thread does now.
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

    /// A thread reads an address by a strong access or an atomic.
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

    /// A device-scope fence; call it before [`Clocks::fence`].
    pub(super) fn fence(&mut self, arrival: Arrival, clocks: &Clocks, released: &Released) {
        let known = clocks.known_to(arrival);
        self.performed.resize(known.len(), 0);
        for (performed, known) in self.performed.iter_mut().zip(known) {
            *performed = known.max(*performed);
        }
        threads(arrival).for_each(|thread| self.acquire(thread, released));
    }

    fn acquire(&mut self, thread: Thread, released: &Released) {
        let Some(own) = self.threads.get_mut(&thread) else { return };
        let released = released.lock();
        own.seen.iter().filter_map(|at| released.get(at)).for_each(|it| own.known.add(it));
        own.seen.clear();
        own.acquires = false;
        own.by_atomics = Known::default();
    }

    /// A thread of block `block`, which began after tick `began`, releases at an address.
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
        let arrival = Arrival { warp: thread / 32, mask: 1 << (thread % 32), at: 0 };
        let known = clocks.known_to(arrival);
        let ticks = known.iter().zip(&self.performed);
        let ticks = ticks.map(|(known, performed)| known.min(performed).saturating_sub(began));
        let ticks = Arc::new(Ticks::new(ticks));
        let mut released = released.lock();
        let known = released.entry(address).or_default();
        known.add(&self.all);
        if let Some(own) = self.threads.get(&thread) {
            known.add(&own.known);
        }
        let place = known.blocks().partition_point(|&(other, _)| other < block);
        known.add_block(place, block, &ticks);
    }

    /// From now on all threads of the block know what some threads know.
    pub(super) fn share(&mut self, arrivals: &[Arrival], released: &Released) {
        let sum = self.gather(arrivals, released);
        self.all.add(&sum);
        // What all know need not be stored for each.
        for thread in arrivals.iter().copied().flat_map(threads) {
            if let Some(own) = self.threads.get_mut(&thread) {
                own.known = Known::default();
            }
        }
    }

    /// Some threads synchronise, so each knows what any of them knows.
    pub(super) fn meet(&mut self, arrivals: &[Arrival], released: &Released) {
        let sum = self.gather(arrivals, released);
        if !sum.blocks().is_empty() {
            for thread in arrivals.iter().copied().flat_map(threads) {
                self.threads.entry(thread).or_default().known = sum.clone();
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The tick of each thread.
    fn each(ticks: &Ticks, threads: u32) -> Vec<u32> {
        (0..threads).map(|thread| ticks.of(thread)).collect()
    }

    #[test]
    fn of_each_thread_the_later_tick_is_known() {
        let some = [[3, 3, 3, 3], [4, 1, 1, 1], [0, 0, 9, 2], [5, 5, 5, 6], [0; 4]];
        for one in some {
            for other in some {
                let mut sum = Ticks::new(one.into_iter());
                assert_eq!(each(&sum, 4), one);
                let added = Ticks::new(other.into_iter());
                assert_eq!(sum.covers(&added), one.iter().zip(other).all(|(one, b)| b <= *one));
                sum.add(&added);
                let most: Vec<u32> = one.iter().zip(other).map(|(one, b)| b.max(*one)).collect();
                assert_eq!(each(&sum, 4), most, "{one:?} and {other:?}");
                assert!(sum.covers(&added));
            }
        }
    }

    #[test]
    fn blocks_are_known_in_their_order() {
        let of = |blocks: &[u64]| {
            let ticks = |block: u64| Arc::new(Ticks::new([block as u32 + 1, 2].into_iter()));
            Known(Some(Arc::new(blocks.iter().map(|&block| (block, ticks(block))).collect())))
        };
        let mut known = of(&[2, 5]);
        known.add(&of(&[0, 5, 7]));
        assert_eq!(known, of(&[0, 2, 5, 7]));
        assert!(known.has(Mark::new(5, 0, 0, 5)) && !known.has(Mark::new(5, 0, 0, 6)));
        assert!(known.has(Mark::new(5, 0, 1, 1)) && !known.has(Mark::new(5, 0, 1, 2)));
        assert!(!known.has(Mark::new(3, 0, 0, 1)), "nothing is known of it");
    }
}
