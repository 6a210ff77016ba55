//! The last accesses to each word of global memory in this launch.
//!
//! All CPU threads share it. Accesses of two blocks are ordered only by release and acquire ([`super::grid`]).

use std::sync::atomic::Ordering::{self, Relaxed, SeqCst};
use std::sync::atomic::{AtomicU64, fence};
use std::sync::{Mutex, OnceLock, PoisonError};

use super::clocks::{Clocks, Thread};
use super::grid::RemoteAccess;
use super::mark::{LAST_TICK, Mark};
use execution::Missing;
use memory::Memory;
use program::registers::LANES;

/// The happens-before relation as a block sees it.
pub(super) struct View<'a> {
    pub clocks: &'a Clocks,
    /// The last tick before the block began.
    pub began: u32,
    /// What the block knows of others, if they can be ordered.
    pub remote: Option<&'a RemoteAccess>,
}

impl View<'_> {
    /// What it would take to order an access of another block before what a thread does now.
    pub(super) fn missing(&self, earlier: Mark, later: Thread) -> Missing {
        self.remote.map_or(Missing::Order, |remote| remote.missing(later, earlier))
    }

    fn is_ordered(&self, earlier: Mark, later: Mark) -> bool {
        if earlier.block() != later.block() {
            return self.remote.is_some_and(|remote| remote.knows(later.thread(), earlier));
        }
        earlier.tick() == LAST_TICK
            || self.clocks.ordered(earlier.thread(), self.began + earlier.tick(), later.thread())
    }
}

#[derive(Default)]
struct Cell {
    /// The last plain store.
    write: AtomicU64,
    /// The last atomic or strong store.
    update: AtomicU64,
    /// The value stored last; [`UPDATED`] for an atomic.
    value: AtomicU64,
    /// Two reads, of different blocks if possible. Any other writer conflicts with one of them, unless both happen
    /// before it and a third does not.
    reads: [AtomicU64; 2],
}

impl Cell {
    /// Records a read, stored with this memory ordering.
    #[inline(always)]
    fn note_read(&self, mark: Mark, view: &View, order: Ordering) {
        let [one, other] = &self.reads;
        let (first, second) = (one.load(SeqCst), other.load(SeqCst));
        // A slot is free, or holds a read that this one replaces.
        let gives_way =
            |there: u64| Mark::some(there).is_none_or(|there| view.is_ordered(there, mark));
        if first != mark.0 && second != mark.0 {
            if gives_way(first) {
                one.store(mark.0, order);
            } else if gives_way(second)
                || Mark(first).block() == Mark(second).block()
                    && Mark(first).block() != mark.block()
            {
                other.store(mark.0, order);
            }
        }
    }

    /// A write that is not ordered before a read.
    #[inline(always)]
    fn unordered_write(&self, mark: Mark, view: &View) -> Option<Mark> {
        [&self.write, &self.update]
            .into_iter()
            .filter_map(|write| Mark::some(write.load(SeqCst)))
            .find(|&write| !view.is_ordered(write, mark))
    }

    /// Reports accesses that are not ordered before a write: the store that it replaced if its value differs, the
    /// update that it replaced, and reads.
    #[inline(always)]
    fn tell(
        &self,
        (write, update, differs): (u64, u64, bool),
        mark: Mark,
        view: &View,
        mut conflict: impl FnMut(Mark, bool),
    ) {
        let [one, other] = self.reads.each_ref().map(|read| read.load(SeqCst));
        let write = if differs { write } else { 0 };
        if write | update | one | other == 0 {
            return;
        }
        for (bits, wrote) in [(write, true), (update, true), (one, false), (other, false)] {
            if let Some(other) = Mark::some(bits).filter(|&other| !view.is_ordered(other, mark)) {
                conflict(other, wrote);
            }
        }
    }
}

struct Page {
    cells: Box<[Cell]>,
    /// Held while a write is recorded.
    writing: Mutex<()>,
}

/// A value that no cell can have, because cells have at most 4 bytes.
const UPDATED: u64 = u64::MAX;

/// Cells of a page.
const PAGE: u64 = 512;

/// Most cells of a row.
const MOST_CELLS: usize = 4 * LANES;

/// Consecutive cells of a warp's access: the allocation, the first cell, and the cells of each lane.
type Row = (usize, u64, usize);

/// Most pages that a simulator keeps for its next launch (256 MiB).
const MOST_SPARE: usize = (256 << 20) / (PAGE as usize * size_of::<Cell>());

/// Unused pages, kept because clearing them is cheaper than new memory from the system.
#[derive(Default)]
pub struct SparePages(Mutex<Vec<Box<[Cell]>>>);

impl SparePages {
    fn take(&self) -> Box<[Cell]> {
        let spare = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        match spare {
            Some(mut cells) => {
                cells.fill_with(Cell::default);
                cells
            }
            None => (0..PAGE).map(|_| Cell::default()).collect(),
        }
    }
}

/// The recorded accesses to global memory, cell by cell. Pages are created on first use.
pub(super) struct GlobalShadow<'s> {
    grain: u64,
    spare: &'s SparePages,
    /// By allocation; empty for read-only ones.
    pages: Vec<Box<[OnceLock<Page>]>>,
}

impl Drop for GlobalShadow<'_> {
    fn drop(&mut self) {
        let mut spare = self.spare.0.lock().unwrap_or_else(PoisonError::into_inner);
        let pages = self.pages.iter_mut().flatten().filter_map(OnceLock::take);
        let room = MOST_SPARE.saturating_sub(spare.len());
        spare.extend(pages.map(|page| page.cells).take(room));
    }
}

impl GlobalShadow<'_> {
    pub(super) fn new<'s>(memory: &Memory, grain: u64, spare: &'s SparePages) -> GlobalShadow<'s> {
        let pages = memory.allocations().iter().map(|allocation| {
            let bytes = if allocation.read_only { 0 } else { allocation.bytes };
            let count = bytes.div_ceil(grain * PAGE);
            (0..count).map(|_| OnceLock::new()).collect()
        });
        GlobalShadow { grain, spare, pages: pages.collect() }
    }

    fn page(&self, allocation: usize, cell: u64) -> Option<&Page> {
        let page = self.pages[allocation].get((cell / PAGE) as usize)?;
        Some(page.get_or_init(|| Page { cells: self.spare.take(), writing: Mutex::default() }))
    }

    /// The cells of some bytes of an allocation.
    pub(super) fn cells(&self, offset: u64, bytes: u64) -> std::ops::Range<u64> {
        offset / self.grain..(offset + bytes).div_ceil(self.grain)
    }

    pub(super) fn grain(&self) -> u64 {
        self.grain
    }

    /// Records a read, and returns a write that is not ordered before it.
    pub(super) fn read(
        &self,
        allocation: usize,
        cell: u64,
        mark: Mark,
        view: &View,
    ) -> Option<Mark> {
        let cell = &self.page(allocation, cell)?.cells[(cell % PAGE) as usize];
        cell.note_read(mark, view, SeqCst);
        cell.unordered_write(mark, view)
    }

    /// Records reads of a row by a warp, and reports writes that are not ordered before them; `mark` is that of the
    /// first lane. Returns `false`, without recording, if the cells span two pages.
    pub(super) fn read_row(
        &self,
        row: Row,
        mark: Mark,
        view: &View,
        mut conflict: impl FnMut(usize, Mark, bool),
    ) -> bool {
        let Some((_, cells)) = self.row(row) else { return false };
        for (mark, cells) in mark.lanes().zip(cells.chunks_exact(row.2)) {
            cells.iter().for_each(|cell| cell.note_read(mark, view, Relaxed));
        }
        // A writer stores first and then looks at reads, so at least one of the two sees the other.
        fence(SeqCst);
        for (lane, mark) in mark.lanes().enumerate() {
            let first = lane * row.2;
            for (at, cell) in (first..).zip(&cells[first..first + row.2]) {
                if let Some(write) = cell.unordered_write(mark, view) {
                    conflict(at, write, true);
                }
            }
        }
        true
    }

    /// As [`GlobalShadow::read_row`] for plain stores of these values.
    pub(super) fn write_row(
        &self,
        row: Row,
        (mark, values): (Mark, &[u32]),
        view: &View,
        mut conflict: impl FnMut(usize, Mark, bool),
    ) -> bool {
        let Some((page, cells)) = self.row(row) else { return false };
        let guard = page.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let mut before = [(0, 0, false); MOST_CELLS];
        for (at, cell) in cells.iter().enumerate() {
            // All writers hold the lock.
            let replace = |place: &AtomicU64, new| {
                let old = place.load(Relaxed);
                place.store(new, Relaxed);
                old
            };
            let value = u64::from(values[at]);
            let differs = replace(&cell.value, value) != value;
            let write = replace(&cell.write, mark.of_lane(at / row.2).0);
            before[at] = (write, replace(&cell.update, 0), differs);
        }
        drop(guard);
        fence(SeqCst);
        for (at, (cell, before)) in cells.iter().zip(before).enumerate() {
            let mark = mark.of_lane(at / row.2);
            cell.tell(before, mark, view, |with, wrote| conflict(at, with, wrote));
        }
        true
    }

    /// The cells of a row and their page, if they are in one page.
    fn row(&self, (allocation, cell, each): Row) -> Option<(&Page, &[Cell])> {
        let first = (cell % PAGE) as usize;
        let page = self.page(allocation, cell)?;
        Some((page, page.cells.get(first..first + each * LANES)?))
    }

    /// Records a write, and reports accesses that are not ordered before it, except writes of the same value. A strong
    /// write does not replace a plain one, because a later access may be unordered with either; strong ones are compared
    /// with each other only if some are `narrow`, strong for their own block alone.
    pub(super) fn write(
        &self,
        allocation: usize,
        cell: u64,
        (mark, value, is_strong, narrow): (Mark, Option<u64>, bool, bool),
        view: &View,
        conflict: impl FnMut(Mark, bool),
    ) {
        let Some(page) = self.page(allocation, cell) else { return };
        let cell = &page.cells[(cell % PAGE) as usize];
        let guard = page.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let before = cell.value.swap(value.unwrap_or(UPDATED), SeqCst);
        let (write, update) = if is_strong {
            let update = cell.update.swap(mark.0, SeqCst);
            (cell.write.load(SeqCst), if narrow { update } else { 0 })
        } else {
            (cell.write.swap(mark.0, SeqCst), cell.update.swap(0, SeqCst))
        };
        drop(guard);
        cell.tell((write, update, value != Some(before)), mark, view, conflict);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn barriers_order_threads_but_no_blocks() {
        let mut memory = Memory::new(1 << 20);
        memory.alloc("a", 64).unwrap();
        let spare = SparePages::default();
        let shadow = GlobalShadow::new(&memory, 4, &spare);
        let mut clocks = Clocks::new(64);
        let began = clocks.now();
        let mark =
            |clocks: &Clocks, block, thread| Mark::new(block, 0, thread, clocks.now() - began + 1);
        let write = |clocks: &Clocks, block, thread, value: u64| {
            let value = Some(value);
            let mut found = 0;
            let view = View { clocks, began: began - 1, remote: None };
            shadow.write(
                0,
                3,
                (mark(clocks, block, thread), value, false, false),
                &view,
                |_, _| found += 1,
            );
            found
        };
        assert_eq!(write(&clocks, 0, 5, 1), 0);
        assert_eq!(write(&clocks, 0, 5, 2), 0, "the same thread");
        assert_eq!(write(&clocks, 0, 6, 2), 0, "the same value");
        assert_eq!(write(&clocks, 0, 7, 3), 1);
        clocks.whole_block();
        let view = View { clocks: &clocks, began: began - 1, remote: None };
        assert_eq!(shadow.read(0, 3, mark(&clocks, 0, 8), &view), None);
        assert!(shadow.read(0, 3, mark(&clocks, 1, 8), &view).is_some(), "another block");
        assert_eq!(shadow.read(0, 4, mark(&clocks, 1, 8), &view), None);
    }
}
