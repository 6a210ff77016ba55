//! The last accesses to each word of global memory in this launch.
//!
//! All CPU threads share it. Accesses of two blocks are ordered only by release and acquire ([`super::grid`]).

use std::sync::OnceLock;
use std::sync::atomic::Ordering::{Relaxed, SeqCst};
use std::sync::atomic::{AtomicU64, fence};

use super::cell::{Cell, View};
use super::epoch::Epoch;
use super::grain::Grain;
use super::page::{PAGE, PAGES, Page, Pages, Span, SparePages};
use memory::Memory;
use program::registers::LANES;

/// A value that no cell can have, because cells have at most 4 bytes.
const UPDATED: u64 = u64::MAX;

/// Most cells of a row.
const MOST_CELLS: usize = 4 * LANES;

/// Consecutive cells of a warp's access: the allocation, the first cell, and the cells of each lane.
type Row = (usize, u64, usize);

/// The recorded accesses to global memory, cell by cell. Pages are created on first use.
pub(super) struct GlobalShadow<'s> {
    grain: Grain,
    spare: &'s SparePages,
    /// By allocation; empty for read-only ones.
    pages: Vec<Box<[OnceLock<Box<Pages>>]>>,
}

impl Drop for GlobalShadow<'_> {
    fn drop(&mut self) {
        self.spare.give(self.pages.iter_mut().flatten().filter_map(OnceLock::take));
    }
}

impl GlobalShadow<'_> {
    pub(super) fn new<'s>(
        memory: &Memory,
        grain: Grain,
        spare: &'s SparePages,
    ) -> GlobalShadow<'s> {
        let sizes = memory.allocations().iter();
        let sizes = sizes.map(|it| if it.read_only { 0 } else { it.bytes });
        GlobalShadow::of_sizes(sizes, grain, spare)
    }

    /// Of pieces of memory of so many bytes.
    pub(super) fn of_sizes(
        sizes: impl Iterator<Item = u64>,
        grain: Grain,
        spare: &SparePages,
    ) -> GlobalShadow<'_> {
        let pages = sizes.map(|bytes| {
            let count = grain.count(bytes).div_ceil((PAGE * PAGES) as u64);
            (0..count).map(|_| OnceLock::new()).collect()
        });
        GlobalShadow { grain, spare, pages: pages.collect() }
    }

    fn page(&self, allocation: usize, cell: u64) -> Option<&Page> {
        let page = cell as usize / PAGE;
        let pages = self.pages[allocation].get(page / PAGES)?;
        Some(&pages.get_or_init(|| self.spare.pages())[page % PAGES])
    }

    /// How finely accesses are recorded.
    pub(super) fn grain(&self) -> Grain {
        self.grain
    }

    /// Whether a write is recorded.
    pub(super) fn is_written(&self, allocation: usize, cell: u64) -> bool {
        let Some(page) = self.page(allocation, cell) else { return false };
        let cell = &page.cells(self.spare)[cell as usize % PAGE];
        [&cell.write, &cell.update].into_iter().any(|write| write.load(SeqCst) != 0)
    }

    /// Records a read, and returns a write that is not ordered before it.
    pub(super) fn read(
        &self,
        allocation: usize,
        cell: u64,
        epoch: Epoch,
        view: &View,
    ) -> Option<Epoch> {
        let cell = &self.page(allocation, cell)?.cells(self.spare)[cell as usize % PAGE];
        cell.note_read(epoch, view, SeqCst);
        cell.unordered_write(epoch, view)
    }

    /// Records reads of a row by a warp, and reports writes that are not ordered before them; `epoch` is that of the
    /// first lane. Returns `false`, without recording, if the cells span two pages.
    pub(super) fn read_row(
        &self,
        row: Row,
        epoch: Epoch,
        view: &View,
        mut conflict: impl FnMut(usize, Epoch, bool),
    ) -> bool {
        let Some((page, span)) = self.span(row) else { return false };
        if page.read(span, epoch, view, &mut conflict) {
            return true;
        }
        let cells = self.row(page, span);
        for (epoch, cells) in epoch.lanes().zip(cells.chunks_exact(row.2)) {
            cells.iter().for_each(|cell| cell.note_read(epoch, view, Relaxed));
        }
        // A writer stores first and then looks at reads, so at least one of the two sees the other.
        fence(SeqCst);
        for (lane, epoch) in epoch.lanes().enumerate() {
            let first = lane * row.2;
            for (at, cell) in (first..).zip(&cells[first..first + row.2]) {
                if let Some(write) = cell.unordered_write(epoch, view) {
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
        (epoch, values): (Epoch, &[u32]),
        view: &View,
        mut conflict: impl FnMut(usize, Epoch, bool),
    ) -> bool {
        let Some((page, span)) = self.span(row) else { return false };
        if page.write(span, (epoch, values), view, &mut conflict) {
            return true;
        }
        let cells = self.row(page, span);
        let guard = page.lock();
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
            let write = replace(&cell.write, epoch.of_lane(at / row.2).0);
            before[at] = (write, replace(&cell.update, 0), differs);
        }
        drop(guard);
        fence(SeqCst);
        for (at, (cell, before)) in cells.iter().zip(before).enumerate() {
            let epoch = epoch.of_lane(at / row.2);
            cell.tell(before, epoch, view, |with, wrote| conflict(at, with, wrote));
        }
        true
    }

    /// The page of a row, and which of its cells these are; none if they are in two pages.
    fn span(&self, (allocation, cell, each): Row) -> Option<(&Page, Span)> {
        let first = cell as usize % PAGE;
        let page = self.page(allocation, cell)?;
        (first + each * LANES <= PAGE).then_some((page, Span { first, each }))
    }

    /// The cells of a row.
    fn row<'p>(&self, page: &'p Page, Span { first, each }: Span) -> &'p [Cell] {
        &page.cells(self.spare)[first..first + each * LANES]
    }

    /// Records a write, and reports accesses that are not ordered before it, except writes of the same value. A strong
    /// write does not replace a plain one, because a later access may be unordered with either; strong ones are compared
    /// with each other only if some are `narrow`, strong for their own block alone.
    pub(super) fn write(
        &self,
        allocation: usize,
        cell: u64,
        (epoch, value, is_strong, narrow): (Epoch, Option<u64>, bool, bool),
        view: &View,
        conflict: impl FnMut(Epoch, bool),
    ) {
        let Some(page) = self.page(allocation, cell) else { return };
        let cell = &page.cells(self.spare)[cell as usize % PAGE];
        // An atomic differs from whatever is there, and sees a store or is seen by it in any order of the two.
        let guard = (!is_strong || value.is_some()).then(|| page.lock());
        let new = value.unwrap_or(UPDATED);
        let before = match cell.value.load(SeqCst) {
            // One after the other: nothing changes.
            UPDATED if new == UPDATED => UPDATED,
            _ => cell.value.swap(new, SeqCst),
        };
        let (write, update) = if is_strong {
            let update = cell.update.swap(epoch.0, SeqCst);
            (cell.write.load(SeqCst), if narrow { update } else { 0 })
        } else {
            (cell.write.swap(epoch.0, SeqCst), cell.update.swap(0, SeqCst))
        };
        drop(guard);
        cell.tell((write, update, value != Some(before)), epoch, view, conflict);
    }
}

#[cfg(test)]
mod tests {
    use super::super::clocks::VectorClocks;
    use super::*;

    #[test]
    fn barriers_order_threads_but_no_blocks() {
        let mut memory = Memory::new(1 << 20);
        memory.alloc("a", 64).unwrap();
        let spare = SparePages::default();
        let shadow = GlobalShadow::new(&memory, Grain::Word, &spare);
        let mut clocks = VectorClocks::new(64);
        let began = clocks.now();
        let epoch = |clocks: &VectorClocks, block, thread| {
            Epoch::new(block, 0, thread, clocks.now() - began + 1)
        };
        let write = |clocks: &VectorClocks, block, thread, value: u64| {
            let value = Some(value);
            let mut found = 0;
            let view = View::new(clocks, began - 1, None);
            shadow.write(
                0,
                3,
                (epoch(clocks, block, thread), value, false, false),
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
        let view = View::new(&clocks, began - 1, None);
        assert_eq!(shadow.read(0, 3, epoch(&clocks, 0, 8), &view), None);
        assert!(shadow.read(0, 3, epoch(&clocks, 1, 8), &view).is_some(), "another block");
        assert_eq!(shadow.read(0, 4, epoch(&clocks, 1, 8), &view), None);
    }
}
