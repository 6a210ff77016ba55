//! The happens-before relation between the blocks of a launch, after the memory consistency model of PTX (PTX ISA, chapter
//! "Memory Consistency Model", sections "Release and Acquire Patterns", "Synchronizes-With" and "Causality Order").
//!
//! A strong write to global memory whose scope includes other blocks releases what fences of such a scope have performed
//! before. A strong read of such a scope observes it, and acquires it with the thread's next fence of such a scope, or at
//! once if it is an `.acquire`. A relaxed read with a barrier after it acquires nothing. A write releases in the place of
//! what was released at its address before; an atomic adds to it.
//!
//! Barriers and flags within a block pass on what its threads know of other blocks. In one point this asks for less than
//! PTX, which wants the fence in the thread that writes or reads the flag: a fence of any thread of the block counts for
//! what that thread knows, so that each may execute a fence, wait at a barrier and let one of them set the flag.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::clocks::{Thread, VectorClocks};
use super::epoch::Epoch;
use super::facts::Traits;
use super::grid_clock::{BlockClock, GridClock};
use execution::Missing;
use execution::listener::Arrival;
use program::Scope;
use program::registers::lanes;

/// What is known of other blocks, from the strongest to the weakest.
#[derive(Debug, Clone, Default)]
struct Knowledge {
    /// Happens before, and a fence has passed since: the next strong write releases it.
    performed: GridClock,
    /// The same of fences whose scope includes the host.
    exported: GridClock,
    /// Happens before.
    acquired: GridClock,
    /// Would happen before if a fence came after the strong read that observed it.
    observed: GridClock,
    /// As much of that as atomics observed.
    by_atomics: GridClock,
    /// Would happen before if there were all fences.
    unfenced: GridClock,
}

impl Knowledge {
    fn add(&mut self, other: &Knowledge) {
        self.performed.add(&other.performed);
        self.exported.add(&other.exported);
        self.acquired.add(&other.acquired);
        self.observed.add(&other.observed);
        self.by_atomics.add(&other.by_atomics);
        self.unfenced.add(&other.unfenced);
    }

    /// A fence by a thread that knows `all` besides.
    fn fence(&mut self, all: &Knowledge, scope: Scope) {
        self.acquired.add(&all.observed);
        self.acquired.add(&std::mem::take(&mut self.observed));
        self.perform(all, scope);
    }

    /// What the thread knows is known to those who read what it writes next.
    fn perform(&mut self, all: &Knowledge, scope: Scope) {
        for known in [&self.acquired, &all.acquired] {
            self.performed.add(known);
            if scope == Scope::Sys {
                self.exported.add(known);
            }
        }
    }
}

/// What a strong write leaves at its address for those who read it.
#[derive(Debug, Default)]
pub(super) struct Message {
    pub(super) released: GridClock,
    /// What is released to the host too.
    pub(super) exported: GridClock,
    /// Would be released if there were all fences.
    pub(super) unfenced: GridClock,
}

impl Message {
    pub(super) fn add(&mut self, other: &Message) {
        self.released.add(&other.released);
        self.exported.add(&other.exported);
        self.unfenced.add(&other.unfenced);
    }
}

/// What threads of all blocks released, by address. All CPU threads share it.
#[derive(Default)]
pub(super) struct Released(Mutex<HashMap<u64, Message>>);

impl Released {
    fn lock(&self) -> MutexGuard<'_, HashMap<u64, Message>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What the threads of a block know of other blocks.
#[derive(Default)]
pub(super) struct RemoteAccess {
    /// What all threads know.
    all: Knowledge,
    threads: HashMap<Thread, Knowledge>,
    /// For each thread the tick up to which its accesses are visible to the whole device. Empty before the first fence.
    performed: Vec<u32>,
    /// The same for the host.
    exported: Vec<u32>,
}

impl RemoteAccess {
    /// Whether an access of another block happens before what a thread does now.
    pub(super) fn knows(&self, thread: Thread, epoch: Epoch) -> bool {
        self.any(thread, |known| &known.acquired, epoch)
    }

    /// What it would take to order an access of another block before what a thread does now.
    pub(super) fn missing(&self, thread: Thread, epoch: Epoch) -> Missing {
        if self.all.by_atomics.has(epoch) {
            Missing::AcquireOfTicket
        } else if self.any(thread, |known| &known.observed, epoch) {
            Missing::Acquire
        } else if self.any(thread, |known| &known.unfenced, epoch) {
            Missing::Release
        } else {
            Missing::Order
        }
    }

    fn any(&self, thread: Thread, of: impl Fn(&Knowledge) -> &GridClock, epoch: Epoch) -> bool {
        of(&self.all).has(epoch) || self.threads.get(&thread).is_some_and(|own| of(own).has(epoch))
    }

    /// A thread reads an address by a strong access, whose scope includes other blocks.
    pub(super) fn looks(
        &mut self,
        (thread, address): (Thread, u64),
        by: &Traits,
        released: &Released,
    ) {
        let released = released.lock();
        let Some(message) = released.get(&address) else { return };
        let own = self.threads.entry(thread).or_default();
        let known = if by.order.acquire { &mut own.acquired } else { &mut own.observed };
        known.add(&message.released);
        if by.atomic {
            own.by_atomics.add(&message.released);
        }
        own.unfenced.add(&message.unfenced);
    }

    /// A fence whose scope includes other blocks; call it before [`VectorClocks::fence`].
    pub(super) fn fence(&mut self, arrival: Arrival, scope: Scope, clocks: &VectorClocks) {
        self.performs(arrival, scope, clocks);
        for thread in threads(arrival) {
            if let Some(own) = self.threads.get_mut(&thread) {
                own.fence(&self.all, scope);
            } else if !self.all.unfenced.is_empty() {
                self.threads.entry(thread).or_default().fence(&self.all, scope);
            }
        }
    }

    /// A `.release`, before its write; call it before [`VectorClocks::release`].
    pub(super) fn perform(&mut self, arrival: Arrival, scope: Scope, clocks: &VectorClocks) {
        self.performs(arrival, scope, clocks);
        for thread in threads(arrival) {
            self.threads.entry(thread).or_default().perform(&self.all, scope);
        }
    }

    fn performs(&mut self, arrival: Arrival, scope: Scope, clocks: &VectorClocks) {
        let known = clocks.known_to(arrival);
        let to_host = (scope == Scope::Sys).then_some(&mut self.exported);
        for performed in [&mut self.performed].into_iter().chain(to_host) {
            performed.resize(known.len(), 0);
            for (performed, &known) in performed.iter_mut().zip(&known) {
                *performed = known.max(*performed);
            }
        }
    }

    /// A thread of block `block`, which began after tick `began`, writes to an address by a strong access whose scope
    /// includes other blocks. It replaces what was released there unless it is an atomic.
    pub(super) fn release(
        &mut self,
        (thread, address): (Thread, u64),
        (block, began): (u64, u32),
        (clocks, is_atomic): (&VectorClocks, bool),
        released: &Released,
    ) {
        let arrival = Arrival { warp: thread / 32, mask: 1 << (thread % 32), at: 0 };
        let new = self.message(arrival, (block, began), clocks);
        let mut released = released.lock();
        let message = released.entry(address).or_default();
        if is_atomic {
            message.add(&new);
        } else {
            *message = new;
        }
    }

    /// What such a write of threads announces.
    pub(super) fn message(
        &self,
        arrival: Arrival,
        (block, began): (u64, u32),
        clocks: &VectorClocks,
    ) -> Message {
        let known = clocks.known_to(arrival);
        let since = known.iter().map(|known| known.saturating_sub(began));
        let mut message = Message::default();
        let each = threads(arrival).filter_map(|thread| self.threads.get(&thread));
        for known in [&self.all].into_iter().chain(each) {
            message.released.add(&known.performed);
            message.exported.add(&known.exported);
            message.unfenced.add(&known.unfenced);
        }
        message.unfenced.add_of_block(block, &Arc::new(BlockClock::new(since.clone())));
        let fenced =
            [(&self.performed, &mut message.released), (&self.exported, &mut message.exported)];
        for (ticks, known) in fenced.into_iter().filter(|(ticks, _)| !ticks.is_empty()) {
            let ticks = ticks.iter().map(|tick| tick.saturating_sub(began));
            let ticks = since.clone().zip(ticks).map(|(known, performed)| known.min(performed));
            known.add_of_block(block, &Arc::new(BlockClock::new(ticks)));
        }
        message
    }

    /// A thread, or all of them, acquires what others released.
    pub(super) fn learn(&mut self, thread: Option<Thread>, known: &GridClock) {
        let own = match thread {
            Some(thread) => self.threads.entry(thread).or_default(),
            None => &mut self.all,
        };
        own.acquired.add(known);
    }

    /// Whether an access of another block happens before what some thread does now.
    pub(super) fn any_knows(&self, epoch: Epoch) -> bool {
        self.all.acquired.has(epoch) || self.threads.values().any(|own| own.acquired.has(epoch))
    }

    /// From now on all threads of the block know what some threads know.
    pub(super) fn share(&mut self, arrivals: &[Arrival]) {
        let sum = self.gather(arrivals);
        self.all.add(&sum);
        // What all know need not be stored for each.
        for thread in arrivals.iter().copied().flat_map(threads) {
            self.threads.remove(&thread);
        }
    }

    /// Some threads synchronise, so each knows what any of them knows.
    pub(super) fn meet(&mut self, arrivals: &[Arrival]) {
        let sum = self.gather(arrivals);
        if !sum.unfenced.is_empty() {
            for thread in arrivals.iter().copied().flat_map(threads) {
                self.threads.insert(thread, sum.clone());
            }
        }
    }

    fn gather(&self, arrivals: &[Arrival]) -> Knowledge {
        let mut sum = Knowledge::default();
        if !self.threads.is_empty() {
            let all = arrivals.iter().copied().flat_map(threads);
            all.filter_map(|thread| self.threads.get(&thread)).for_each(|own| sum.add(own));
        }
        sum
    }
}

fn threads(arrival: Arrival) -> impl Iterator<Item = Thread> {
    lanes(arrival.mask).map(move |lane| arrival.warp * 32 + lane as u32)
}
