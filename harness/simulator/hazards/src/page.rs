//! The last accesses to the words of a page of global memory.
//!
//! Most kernels access memory by whole rows: each warp 32 neighbouring words, or 64 or 128. As long as a page has only seen
//! these, it keeps a epoch for a row, from which those of its words follow. The first other access gives each word a
//! [`Cell`], which takes forty bytes; what was recorded is the same in both forms.

#[cfg(test)]
mod tests;

use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicU32, AtomicU64, fence};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use super::cell::{Cell, View};
use super::epoch::Epoch;
use program::registers::LANES;

/// Cells of a page.
pub(super) const PAGE: usize = 512;

/// Pages that are allocated at once.
pub(super) const PAGES: usize = 8;

/// Neighbouring pages.
pub(super) type Pages = [Page; PAGES];

/// Most bytes of pages, and as many of their cells, that a simulator keeps for its next launch.
const MOST_SPARE: usize = 256 << 20;

/// Unused pages and cells, kept because clearing them is cheaper than new memory from the system.
#[derive(Default)]
pub(super) struct SparePages {
    pages: Mutex<Vec<Box<Pages>>>,
    cells: Mutex<Vec<Box<[Cell]>>>,
}

impl SparePages {
    /// Pages that no access is recorded in.
    pub(super) fn pages(&self) -> Box<Pages> {
        let Some(mut pages) = pool(&self.pages).pop() else { return Box::default() };
        // Values count only where a store is recorded.
        pages.iter_mut().for_each(|page| page.rows.fill_with(Row::default));
        pages
    }

    fn cells(&self) -> Box<[Cell]> {
        let Some(mut cells) = pool(&self.cells).pop() else {
            return (0..PAGE).map(|_| Cell::default()).collect();
        };
        cells.fill_with(Cell::default);
        cells
    }

    /// Keeps pages for the next launch, as far as there is room.
    pub(super) fn give(&self, all: impl Iterator<Item = Box<Pages>>) {
        let (mut spare, mut cells) = (pool(&self.pages), pool(&self.cells));
        let bytes = size_of::<Pages>() + PAGES * PAGE * size_of::<AtomicU32>();
        for mut pages in all {
            for page in &mut *pages {
                keep(&mut cells, PAGE * size_of::<Cell>(), page.cells.take());
            }
            keep(&mut spare, bytes, Some(pages));
        }
    }
}

fn pool<T>(pool: &Mutex<Vec<T>>) -> MutexGuard<'_, Vec<T>> {
    pool.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Adds one of so many bytes each to a pool that has room.
fn keep<T>(pool: &mut Vec<T>, bytes: usize, one: Option<T>) {
    if pool.len() < MOST_SPARE / bytes {
        pool.extend(one);
    }
}

/// Accesses to 32 neighbouring words by neighbouring threads of a warp. RowEpochs are those of the first word's thread.
#[derive(Default)]
struct Row {
    /// As [`Cell::reads`].
    reads: [AtomicU64; 2],
    /// As [`Cell::write`].
    write: AtomicU64,
    /// Binary logarithm of the words of a thread; all epochs have the same.
    shift: AtomicU32,
}

/// By row its words.
type Values = Option<Box<[[u32; LANES]; PAGE / LANES]>>;

/// A row as it is at a moment.
#[derive(Clone, Copy)]
struct RowEpochs {
    reads: [u64; 2],
    write: u64,
    shift: u32,
}

impl RowEpochs {
    fn is_empty(&self) -> bool {
        self.reads[0] | self.reads[1] | self.write == 0
    }

    /// The epoch of a word, of that of the row.
    fn of_word(&self, bits: u64, word: usize) -> u64 {
        Epoch::some(bits).map_or(0, |epoch| epoch.of_lane(word >> self.shift).0)
    }
}

impl Row {
    fn epochs(&self) -> RowEpochs {
        RowEpochs {
            reads: self.reads.each_ref().map(|read| read.load(Relaxed)),
            write: self.write.load(Relaxed),
            shift: self.shift.load(Relaxed),
        }
    }
}

/// A warp's access to consecutive words: the first of them in its page, and how many there are for each lane.
#[derive(Clone, Copy)]
pub(super) struct Span {
    pub first: usize,
    pub each: usize,
}

impl Span {
    fn shift(self) -> u32 {
        self.each.trailing_zeros()
    }

    /// The number in the page of each of its rows, its first word in the access, and the epoch of that word's thread.
    fn rows(self, epoch: Epoch) -> impl Iterator<Item = (usize, usize, Epoch)> {
        (0..self.each).map(move |k| {
            (self.first / LANES + k, k * LANES, epoch.of_lane((k * LANES) >> self.shift()))
        })
    }
}

/// What a read does to the reads that are recorded.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Noted {
    Nothing,
    First,
    Second,
}

/// The recorded accesses of a page.
#[derive(Default)]
pub(super) struct Page {
    /// Odd while rows change.
    version: AtomicU32,
    rows: [Row; PAGE / LANES],
    /// In the place of the rows, from the first access on that is none of whole rows.
    cells: OnceLock<Box<[Cell]>>,
    /// Held while a write is recorded, or anything in rows: the values stored last to rows, from the first store on.
    writing: Mutex<Values>,
}

impl Page {
    /// Each word's own record.
    pub(super) fn cells(&self, spare: &SparePages) -> &[Cell] {
        if let Some(cells) = self.cells.get() {
            return cells;
        }
        let values = self.lock();
        self.cells.get_or_init(|| {
            let cells = spare.cells();
            for (row, cells) in self.rows.iter().zip(cells.chunks_exact(LANES)) {
                let epochs = row.epochs();
                for (word, cell) in cells.iter().enumerate().filter(|_| !epochs.is_empty()) {
                    for (to, read) in cell.reads.iter().zip(epochs.reads) {
                        to.store(epochs.of_word(read, word), Relaxed);
                    }
                    cell.write.store(epochs.of_word(epochs.write, word), Relaxed);
                }
            }
            let values = values.iter().flat_map(|values| values.as_flattened());
            for (cell, &value) in cells.iter().zip(values) {
                cell.value.store(value.into(), Relaxed);
            }
            cells
        })
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, Values> {
        self.writing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records a read of rows, and reports words that were written without being ordered before it. Returns `false`,
    /// without recording, where rows cannot say it.
    pub(super) fn read(
        &self,
        span: Span,
        epoch: Epoch,
        view: &View,
        mut conflict: impl FnMut(usize, Epoch, bool),
    ) -> bool {
        if !self.is_by_rows(span) {
            return false;
        }
        if self.is_known(span, epoch, view) {
            return true;
        }
        let _guard = self.lock();
        if self.cells.get().is_some() {
            return false;
        }
        // None of its rows changes where one of them cannot.
        let mut noted = [Noted::Nothing; PAGE / LANES];
        for (row, _, epoch) in span.rows(epoch) {
            match note(self.rows[row].epochs(), span.shift(), epoch, view) {
                Some(what) => noted[row] = what,
                None => return false,
            }
        }
        self.change(|| {
            for (row, _, epoch) in span.rows(epoch) {
                let into = &self.rows[row];
                match noted[row] {
                    Noted::Nothing => continue,
                    Noted::First => into.reads[0].store(epoch.0, Relaxed),
                    Noted::Second => into.reads[1].store(epoch.0, Relaxed),
                }
                into.shift.store(span.shift(), Relaxed);
            }
        });
        for (row, at, epoch) in span.rows(epoch) {
            let epochs = self.rows[row].epochs();
            if epochs.write == 0 {
                continue;
            }
            for word in 0..LANES {
                let (write, lane) =
                    (Epoch(epochs.of_word(epochs.write, word)), word >> epochs.shift);
                if !view.is_ordered(write, epoch.of_lane(lane)) {
                    conflict(at + word, write, true);
                }
            }
        }
        true
    }

    /// Records plain stores of these values to rows, and reports what is not ordered before them as [`Cell::tell`] does.
    /// Returns `false`, without recording, where rows cannot say it.
    pub(super) fn write(
        &self,
        span: Span,
        (epoch, values): (Epoch, &[u32]),
        view: &View,
        mut conflict: impl FnMut(usize, Epoch, bool),
    ) -> bool {
        if !self.is_by_rows(span) {
            return false;
        }
        let mut stored = self.lock();
        let fits = |row: usize| {
            let epochs = self.rows[row].epochs();
            epochs.is_empty() || epochs.shift == span.shift()
        };
        if self.cells.get().is_some() || !span.rows(epoch).all(|(row, ..)| fits(row)) {
            return false;
        }
        let stored = stored.get_or_insert_with(|| Box::new([[0; LANES]; PAGE / LANES]));
        for ((row, at, epoch), values) in span.rows(epoch).zip(values.as_chunks().0) {
            let before = self.rows[row].epochs();
            let [first, second] = before.reads;
            self.change(|| {
                self.rows[row].write.store(epoch.0, Relaxed);
                self.rows[row].shift.store(span.shift(), Relaxed);
            });
            if before.is_empty() {
                stored[row] = *values;
                continue;
            }
            let old = std::mem::replace(&mut stored[row], *values);
            for (word, (old, new)) in old.into_iter().zip(values).enumerate() {
                let write = if old == *new { 0 } else { before.write };
                let epoch = epoch.of_lane(word >> span.shift());
                for (bits, wrote) in [(write, true), (first, false), (second, false)] {
                    let other = Epoch::some(before.of_word(bits, word));
                    if let Some(other) = other.filter(|&other| !view.is_ordered(other, epoch)) {
                        conflict(at + word, other, wrote);
                    }
                }
            }
        }
        true
    }

    /// Whether an access is one of whole rows in a page that has them.
    fn is_by_rows(&self, span: Span) -> bool {
        span.first.is_multiple_of(LANES) && self.cells.get().is_none()
    }

    /// Whether a read changes and finds nothing, as far as that is seen without the lock: two other blocks have read all its
    /// rows, nobody has written them, and blocks are not ordered.
    fn is_known(&self, span: Span, epoch: Epoch, view: &View) -> bool {
        let version = self.version.load(Acquire);
        let is_other = |there: u64| there != 0 && Epoch(there).block() != epoch.block();
        let is_known = |row: usize, epoch: Epoch| {
            let RowEpochs { reads: [first, second], write, shift } = self.rows[row].epochs();
            let is_noted = first == epoch.0 || second == epoch.0;
            let are_others = is_other(first)
                && is_other(second)
                && Epoch(first).block() != Epoch(second).block()
                && !view.orders_blocks();
            write == 0 && shift == span.shift() && (is_noted || are_others)
        };
        let is_known = span.rows(epoch).all(|(row, _, epoch)| is_known(row, epoch));
        fence(Acquire);
        is_known && version.is_multiple_of(2) && self.version.load(Relaxed) == version
    }

    /// Changes rows; the lock is held.
    fn change(&self, change: impl FnOnce()) {
        let version = self.version.load(Relaxed);
        self.version.store(version.wrapping_add(1), Relaxed);
        fence(Release);
        change();
        self.version.store(version.wrapping_add(2), Release);
    }
}

/// What a read by this warp does to a row, as [`Cell::note_read`] does it to each word; none where words differ.
fn note(epochs: RowEpochs, shift: u32, epoch: Epoch, view: &View) -> Option<Noted> {
    let [first, second] = epochs.reads;
    if !epochs.is_empty() && epochs.shift != shift {
        return None;
    }
    if first == epoch.0 || second == epoch.0 {
        return Some(Noted::Nothing);
    }
    // Whether the read there gives way, for all words or for none.
    let gives_way = |there: u64| {
        let Some(there) = Epoch::some(there) else { return Some(true) };
        let of_lane = |lane| view.is_ordered(there.of_lane(lane), epoch.of_lane(lane));
        let lanes = LANES >> shift;
        let is_first = of_lane(0);
        (1..lanes).all(|lane| of_lane(lane) == is_first).then_some(is_first)
    };
    if gives_way(first)? {
        return Some(Noted::First);
    }
    let is_of_one = Epoch(first).block() == Epoch(second).block();
    let is_second = gives_way(second)? || is_of_one && Epoch(first).block() != epoch.block();
    Some(if is_second { Noted::Second } else { Noted::Nothing })
}
