//! The last accesses to each word of a block's shared memory.

#[cfg(test)]
mod tests;

use std::ops::Range;

use super::clocks::{Thread, VectorClocks};
use execution::build::Build;
use execution::work::Work;
use program::registers::LANES;

/// A recorded access: tick, instruction index and thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Stamp(u64);

/// Bits of an instruction index.
const PLACE_BITS: u32 = 22;
/// Bits of a thread's index in its block.
const THREAD_BITS: u32 = 10;

impl Stamp {
    #[inline(always)]
    pub(super) fn new(tick: u32, at: u32, thread: Thread) -> Stamp {
        Stamp(
            u64::from(tick) << (PLACE_BITS + THREAD_BITS)
                | u64::from(at) << THREAD_BITS
                | u64::from(thread),
        )
    }

    #[inline(always)]
    pub(super) fn tick(self) -> u32 {
        (self.0 >> (PLACE_BITS + THREAD_BITS)) as u32
    }

    pub(super) fn at(self) -> u32 {
        (self.0 >> THREAD_BITS) as u32 & ((1 << PLACE_BITS) - 1)
    }

    #[inline(always)]
    pub(super) fn thread(self) -> Thread {
        self.0 as u32 & ((1 << THREAD_BITS) - 1)
    }
}

/// The recorded accesses to a block's shared memory, cell by cell.
#[derive(Default)]
pub(super) struct Shadow {
    cells: usize,
    warps: usize,
    writes: Vec<Stamp>,
    /// The first write to a cell since its block began.
    first: Vec<Stamp>,
    /// For each warp and cell the last reads of two lanes, so that a third lane that writes conflicts with one of them.
    last: Vec<Stamp>,
    other: Vec<Stamp>,
    /// The tick of the last read of each cell by any warp.
    read: Vec<u32>,
    /// For every 32 cells the ticks of the last write and the last read.
    chunks: Vec<[u32; 2]>,
}

impl Shadow {
    pub(super) fn new(cells: usize, warps: usize) -> Shadow {
        Shadow {
            cells,
            warps,
            writes: vec![Stamp::default(); cells],
            first: vec![Stamp::default(); cells],
            last: vec![Stamp::default(); cells * warps],
            other: vec![Stamp::default(); cells * warps],
            read: vec![0; cells],
            chunks: vec![[0; 2]; cells.div_ceil(LANES)],
        }
    }

    /// Bytes of the records.
    pub(super) fn bytes(&self) -> usize {
        let stamps = 2 * self.cells * (1 + self.warps);
        stamps * size_of::<Stamp>() + self.cells * size_of::<u32>()
    }

    /// Clears all records.
    pub(super) fn clear(&mut self) {
        *self = Shadow::new(self.cells, self.warps);
    }

    /// The last write to a cell.
    pub(super) fn last_write(&self, cell: usize) -> Stamp {
        self.writes[cell]
    }

    /// Records a read, and returns a write that is not ordered before it.
    #[inline(always)]
    pub(super) fn read(
        &mut self,
        cell: usize,
        stamp: Stamp,
        clocks: &VectorClocks,
    ) -> Option<Stamp> {
        let warp = stamp.thread() as usize / 32;
        let place = warp * self.cells + cell;
        if self.last[place].thread() != stamp.thread() {
            self.other[place] = self.last[place];
        }
        self.last[place] = stamp;
        self.note_read(cell, stamp.tick());
        let write = self.writes[cell];
        (!clocks.ordered(write.thread(), write.tick(), stamp.thread())).then_some(write)
    }

    /// Records a read of each of some cells by one thread, and reports writes that are not ordered before it.
    #[inline(always)]
    pub(super) fn read_run(
        &mut self,
        cells: Range<u64>,
        stamp: Stamp,
        clocks: &VectorClocks,
        mut conflict: impl FnMut(Stamp, u64),
    ) {
        let run = cells.start as usize..cells.end as usize;
        let warp = stamp.thread() as usize / LANES * self.cells;
        let of_warp = warp + run.start..warp + run.end;
        let records = self.last[of_warp.clone()].iter_mut().zip(&mut self.other[of_warp]);
        for (last, other) in records {
            if last.thread() != stamp.thread() {
                *other = *last;
            }
            *last = stamp;
        }
        self.read[run.clone()].fill(stamp.tick());
        let chunks = &mut self.chunks[run.start / LANES..run.end.div_ceil(LANES)];
        let mut written = 0;
        for [write, read] in chunks {
            (written, *read) = (written.max(*write), stamp.tick());
        }
        // If none of their 32 cells was written since, the cells need not be checked.
        if written < clocks.all() {
            return;
        }
        for (cell, write) in cells.zip(&self.writes[run]) {
            if !clocks.ordered(write.thread(), write.tick(), stamp.thread()) {
                conflict(*write, cell);
            }
        }
    }

    /// Records a write, and reports accesses that are not ordered before it. If `keeps` holds for the write before,
    /// that one stays, and this one is recorded as a read so that it does not hide the other.
    #[inline(always)]
    pub(super) fn write(
        &mut self,
        cell: usize,
        stamp: Stamp,
        clocks: &VectorClocks,
        keeps: impl FnOnce(Stamp) -> bool,
        mut conflict: impl FnMut(Stamp, bool),
    ) {
        let thread = stamp.thread();
        let write = self.writes[cell];
        if !clocks.ordered(write.thread(), write.tick(), thread) {
            conflict(write, true);
        }
        if self.read[cell] >= clocks.all() {
            for warp in 0..self.warps {
                let place = warp * self.cells + cell;
                for read in [self.last[place], self.other[place]] {
                    if !clocks.ordered(read.thread(), read.tick(), thread) {
                        conflict(read, false);
                    }
                }
            }
        }
        if write.tick() >= clocks.all() && keeps(write) {
            self.read(cell, stamp, clocks);
        } else {
            self.writes[cell] = stamp;
            self.chunks[cell / LANES][0] = stamp.tick();
        }
    }

    fn note_read(&mut self, cell: usize, tick: u32) {
        self.read[cell] = tick;
        self.chunks[cell / LANES][1] = tick;
    }

    /// Whether all writes to a row of cells, and `reads` too, happen before everything from now on.
    #[inline(always)]
    fn is_settled(&self, cell: usize, reads: bool, clocks: &VectorClocks) -> bool {
        let all = clocks.all();
        if cell + LANES > self.cells {
            return false;
        }
        let row = cell..cell + LANES;
        let of = |k: usize| self.chunks[cell / LANES][k].max(self.chunks[(row.end - 1) / LANES][k]);
        // If none of their 32 cells was accessed since, the cells need not be checked.
        (of(0) < all || self.writes[row.clone()].iter().all(|write| write.tick() < all))
            && (!reads || of(1) < all || self.read[row].iter().all(|&tick| tick < all))
    }

    /// Records a read of a cell by each lane of a warp if all writes there are ordered before all of them; `stamp` is
    /// that of the first lane. Otherwise it records nothing and returns `false`.
    pub(super) fn read_row(
        &mut self,
        build: Build,
        cell: usize,
        stamp: Stamp,
        clocks: &VectorClocks,
    ) -> bool {
        if !self.is_settled(cell, false, clocks) {
            return false;
        }
        let first = stamp.thread() as usize / LANES * self.cells + cell;
        let row = (self.last[first..].first_chunk_mut(), self.other[first..].first_chunk_mut());
        let (Some(last), Some(other)) = row else { return false };
        build.run(ReadRow { stamp, last, other });
        self.read[cell..cell + LANES].fill(stamp.tick());
        self.note_read(cell, stamp.tick());
        self.note_read(cell + LANES - 1, stamp.tick());
        true
    }

    /// As [`Shadow::read_row`] for writes, with the first write since the block began. All reads must be ordered before
    /// them too.
    pub(super) fn write_row(
        &mut self,
        build: Build,
        cell: usize,
        stamp: Stamp,
        clocks: &VectorClocks,
        began: u32,
    ) -> bool {
        if !self.is_settled(cell, true, clocks) {
            return false;
        }
        let row = (self.writes[cell..].first_chunk_mut(), self.first[cell..].first_chunk_mut());
        let (Some(writes), Some(first)) = row else { return false };
        build.run(WriteRow { stamp, began, writes, first });
        for end in [cell, cell + LANES - 1] {
            self.chunks[end / LANES][0] = stamp.tick();
        }
        true
    }

    /// Records the first write to a cell since the block began, at tick `began`.
    pub(super) fn note_first(&mut self, cell: usize, stamp: Stamp, began: u32) {
        let first = &mut self.first[cell];
        if first.tick() < began {
            *first = stamp;
        }
    }

    /// The first write to a cell in this block, unless it happens before what a thread does now.
    pub(super) fn first_unordered(
        &self,
        cell: usize,
        thread: Thread,
        clocks: &VectorClocks,
    ) -> Option<Stamp> {
        let first = self.first[cell];
        (!clocks.ordered(first.thread(), first.tick(), thread)).then_some(first)
    }

    /// Records that all lanes of a warp read a cell; two represent them.
    #[inline(always)]
    pub(super) fn read_by_all(
        &mut self,
        cell: usize,
        [one, another]: [Stamp; 2],
        clocks: &VectorClocks,
    ) -> Option<Stamp> {
        let place = one.thread() as usize / 32 * self.cells + cell;
        (self.last[place], self.other[place]) = (one, another);
        self.note_read(cell, one.tick());
        let write = self.writes[cell];
        if write.tick() < clocks.all() {
            return None;
        }
        [one, another]
            .iter()
            .any(|read| !clocks.ordered(write.thread(), write.tick(), read.thread()))
            .then_some(write)
    }
}

/// Records a read by each lane of a warp; `stamp` is that of the first lane.
struct ReadRow<'a> {
    stamp: Stamp,
    last: &'a mut [Stamp; LANES],
    other: &'a mut [Stamp; LANES],
}

impl Work for ReadRow<'_> {
    type Result = ();

    #[inline(always)]
    fn run(self) {
        let stamp = |lane: usize| Stamp(self.stamp.0 + lane as u64);
        let mut differs = 0;
        for lane in 0..LANES {
            differs |= self.last[lane].thread() ^ stamp(lane).thread();
        }
        // Most lanes read the cell that they read before.
        if differs != 0 {
            for lane in 0..LANES {
                let last = self.last[lane];
                let is_same = last.thread() == stamp(lane).thread();
                self.other[lane] = if is_same { self.other[lane] } else { last };
            }
        }
        for lane in 0..LANES {
            self.last[lane] = stamp(lane);
        }
    }
}

/// Records a write by each lane of a warp, and the first write since tick `began`.
struct WriteRow<'a> {
    stamp: Stamp,
    began: u32,
    writes: &'a mut [Stamp; LANES],
    first: &'a mut [Stamp; LANES],
}

impl Work for WriteRow<'_> {
    type Result = ();

    #[inline(always)]
    fn run(self) {
        for lane in 0..LANES {
            let (first, stamp) = (self.first[lane], Stamp(self.stamp.0 + lane as u64));
            self.writes[lane] = stamp;
            self.first[lane] = if first.tick() < self.began { stamp } else { first };
        }
    }
}
