//! The last accesses to one word of global memory, and what orders a new one after them.

use std::cell;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::{self, SeqCst};

use super::clocks::{Thread, VectorClocks};
use super::epoch::{Epoch, LAST_TICK};
use super::grid::RemoteAccess;
use execution::Missing;

/// The happens-before relation as a block sees it.
pub(super) struct View<'a> {
    clocks: &'a VectorClocks,
    /// The last tick before the block began.
    began: u32,
    /// What the block knows of others, if they can be ordered.
    remote: Option<&'a RemoteAccess>,
    /// The last access of another block that it was asked for, the thread, and whether they are ordered: neighbouring words
    /// were often written by one access.
    last: cell::Cell<Option<(Epoch, Thread, bool)>>,
}

impl View<'_> {
    /// That of a block which began after a tick, with what it knows of others, if they can be ordered.
    pub(super) fn new<'a>(
        clocks: &'a VectorClocks,
        began: u32,
        remote: Option<&'a RemoteAccess>,
    ) -> View<'a> {
        View { clocks, began, remote, last: cell::Cell::new(None) }
    }

    /// Whether accesses of other blocks can be ordered before one.
    pub(super) fn orders_blocks(&self) -> bool {
        self.remote.is_some()
    }

    /// What it would take to order an access, of another block or of this one, before what a thread of block `block` does now.
    pub(super) fn missing(&self, earlier: Epoch, (block, later): (u64, Thread)) -> Missing {
        if earlier.block() == block {
            return self.clocks.missing(earlier.thread(), self.began + earlier.tick(), later);
        }
        self.remote.map_or(Missing::Order, |remote| remote.missing(later, earlier))
    }

    pub(super) fn is_ordered(&self, earlier: Epoch, later: Epoch) -> bool {
        if earlier.block() != later.block() {
            return self
                .remote
                .is_some_and(|remote| self.is_known(remote, earlier, later.thread()));
        }
        earlier.tick() == LAST_TICK
            || self.clocks.ordered(earlier.thread(), self.began + earlier.tick(), later.thread())
    }

    fn is_known(&self, remote: &RemoteAccess, earlier: Epoch, later: Thread) -> bool {
        if let Some((epoch, thread, known)) = self.last.get()
            && (epoch, thread) == (earlier, later)
        {
            return known;
        }
        let known = remote.knows(later, earlier);
        self.last.set(Some((earlier, later, known)));
        known
    }
}

#[derive(Default)]
pub(super) struct Cell {
    /// The last plain store.
    pub write: AtomicU64,
    /// The last atomic or strong store.
    pub update: AtomicU64,
    /// The value stored last; [`UPDATED`] for an atomic.
    pub value: AtomicU64,
    /// Two reads, of different blocks if possible. Any other writer conflicts with one of them, unless both happen
    /// before it and a third does not.
    pub reads: [AtomicU64; 2],
}

impl Cell {
    /// Records a read, stored with this memory ordering.
    #[inline(always)]
    pub fn note_read(&self, epoch: Epoch, view: &View, order: Ordering) {
        let [one, other] = &self.reads;
        let (first, second) = (one.load(SeqCst), other.load(SeqCst));
        // A slot is free, or holds a read that this one replaces.
        let gives_way =
            |there: u64| Epoch::some(there).is_none_or(|there| view.is_ordered(there, epoch));
        if first != epoch.0 && second != epoch.0 {
            if gives_way(first) {
                one.store(epoch.0, order);
            } else if gives_way(second)
                || Epoch(first).block() == Epoch(second).block()
                    && Epoch(first).block() != epoch.block()
            {
                other.store(epoch.0, order);
            }
        }
    }

    /// A write that is not ordered before a read.
    #[inline(always)]
    pub fn unordered_write(&self, epoch: Epoch, view: &View) -> Option<Epoch> {
        [&self.write, &self.update]
            .into_iter()
            .filter_map(|write| Epoch::some(write.load(SeqCst)))
            .find(|&write| !view.is_ordered(write, epoch))
    }

    /// Reports accesses that are not ordered before a write: the store that it replaced if its value differs, the
    /// update that it replaced, and reads.
    #[inline(always)]
    pub fn tell(
        &self,
        (write, update, differs): (u64, u64, bool),
        epoch: Epoch,
        view: &View,
        mut conflict: impl FnMut(Epoch, bool),
    ) {
        let [one, other] = self.reads.each_ref().map(|read| read.load(SeqCst));
        let write = if differs { write } else { 0 };
        if write | update | one | other == 0 {
            return;
        }
        for (bits, wrote) in [(write, true), (update, true), (one, false), (other, false)] {
            if let Some(other) = Epoch::some(bits).filter(|&other| !view.is_ordered(other, epoch)) {
                conflict(other, wrote);
            }
        }
    }
}
