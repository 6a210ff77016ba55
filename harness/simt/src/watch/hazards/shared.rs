//! Who touched each word of a block's shared memory last.

use super::clocks::{Clocks, Thread};

/// An access that was recorded: its tick, its place in the program, its thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Stamp(u64);

/// More places than any program has.
const PLACE_BITS: u32 = 22;
/// Threads of a block.
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

/// What is recorded of a block's shared memory, cell by cell.
#[derive(Default)]
pub(super) struct Shadow {
    cells: usize,
    warps: usize,
    writes: Vec<Stamp>,
    /// The first write to a cell since its block began.
    first: Vec<Stamp>,
    /// For each warp and cell the last reads of two of its lanes: any third lane that writes meets one of them.
    reads: Vec<[Stamp; 2]>,
    /// When a cell was last read by any warp.
    read: Vec<u32>,
}

impl Shadow {
    pub(super) fn new(cells: usize, warps: usize) -> Shadow {
        Shadow {
            cells,
            warps,
            writes: vec![Stamp::default(); cells],
            first: vec![Stamp::default(); cells],
            reads: vec![[Stamp::default(); 2]; cells * warps],
            read: vec![0; cells],
        }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        *self = Shadow::new(self.cells, self.warps);
    }

    /// Records a read; the write that nothing orders before it.
    #[inline(always)]
    pub(super) fn read(&mut self, cell: usize, stamp: Stamp, clocks: &Clocks) -> Option<Stamp> {
        let warp = stamp.thread() as usize / 32;
        let [last, other] = &mut self.reads[warp * self.cells + cell];
        if last.thread() != stamp.thread() {
            *other = *last;
        }
        *last = stamp;
        self.read[cell] = stamp.tick();
        let write = self.writes[cell];
        (!clocks.ordered(write.thread(), write.tick(), stamp.thread())).then_some(write)
    }

    /// Records a write, and tells what nothing orders before it. Where `keeps` says so of the write before, that one
    /// stays recorded, and this one is recorded as if it were a read: it will not hide the other.
    #[inline(always)]
    pub(super) fn write(
        &mut self,
        cell: usize,
        stamp: Stamp,
        clocks: &Clocks,
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
                for read in self.reads[warp * self.cells + cell] {
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
        }
    }

    /// Remembers the first write to a cell since the block began, at the tick `began`.
    pub(super) fn note_first(&mut self, cell: usize, stamp: Stamp, began: u32) {
        let first = &mut self.first[cell];
        if first.tick() < began {
            *first = stamp;
        }
    }

    /// The first write to a cell in this block, if nothing orders it before a thread.
    pub(super) fn first_unordered(
        &self,
        cell: usize,
        thread: Thread,
        clocks: &Clocks,
    ) -> Option<Stamp> {
        let first = self.first[cell];
        (!clocks.ordered(first.thread(), first.tick(), thread)).then_some(first)
    }

    /// Records that all lanes of a warp read a cell: two stand for them.
    #[inline(always)]
    pub(super) fn read_by_all(
        &mut self,
        cell: usize,
        [one, another]: [Stamp; 2],
        clocks: &Clocks,
    ) -> Option<Stamp> {
        let warp = one.thread() as usize / 32;
        self.reads[warp * self.cells + cell] = [one, another];
        self.read[cell] = one.tick();
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

/// One bit for each byte.
#[derive(Default)]
pub(super) struct Bytes(Vec<u64>);

impl Bytes {
    pub(super) fn new(bytes: u64) -> Bytes {
        Bytes(vec![0; bytes.div_ceil(64) as usize])
    }

    pub(super) fn clear(&mut self) {
        self.0.fill(0);
    }

    /// Sets up to 32 neighbouring bytes that do not straddle a multiple of 32.
    #[inline(always)]
    pub(super) fn set(&mut self, offset: u64, bytes: u64) {
        self.0[(offset / 64) as usize] |= mask(bytes) << (offset % 64);
    }

    /// Takes back what [`Bytes::set`] did.
    #[inline(always)]
    pub(super) fn unset(&mut self, offset: u64, bytes: u64) {
        self.0[(offset / 64) as usize] &= !(mask(bytes) << (offset % 64));
    }

    /// Which of some neighbouring bytes are set.
    #[inline(always)]
    pub(super) fn get(&self, offset: u64, bytes: u64) -> u64 {
        self.0[(offset / 64) as usize] >> (offset % 64) & mask(bytes)
    }
}

/// The lowest bits.
#[inline(always)]
pub(super) fn mask(bytes: u64) -> u64 {
    (1 << bytes) - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stamp_keeps_its_parts() {
        let stamp = Stamp::new(u32::MAX, (1 << 22) - 1, 1023);
        assert_eq!((stamp.tick(), stamp.at(), stamp.thread()), (u32::MAX, (1 << 22) - 1, 1023));
        let stamp = Stamp::new(7, 5, 33);
        assert_eq!((stamp.tick(), stamp.at(), stamp.thread()), (7, 5, 33));
    }

    #[test]
    fn conflicts_are_found_whichever_comes_first() {
        let mut clocks = Clocks::new(64);
        let mut shadow = Shadow::new(4, 2);
        let stamp = |clocks: &Clocks, at, thread| Stamp::new(clocks.now(), at, thread);
        let writes = |shadow: &mut Shadow, clocks: &Clocks, at, thread| {
            let mut found = Vec::new();
            let stamp = stamp(clocks, at, thread);
            shadow.write(1, stamp, clocks, |_| false, |s, _| found.push(s.at()));
            found
        };
        assert_eq!(writes(&mut shadow, &clocks, 10, 0), []);
        assert_eq!(shadow.read(2, stamp(&clocks, 11, 40), &clocks), None);
        assert_eq!(shadow.read(1, stamp(&clocks, 11, 40), &clocks).map(Stamp::at), Some(10));
        assert_eq!(writes(&mut shadow, &clocks, 12, 0), [11]);
        clocks.whole_block();
        assert_eq!(shadow.read(1, stamp(&clocks, 13, 41), &clocks), None);
        assert_eq!(shadow.read(1, stamp(&clocks, 14, 40), &clocks), None);
        // Each of the two readers meets the other when it writes.
        assert_eq!(writes(&mut shadow, &clocks, 15, 40), [13]);
        clocks.warp(1, u32::MAX, u32::MAX);
        assert_eq!(writes(&mut shadow, &clocks, 16, 41), []);
    }

    #[test]
    fn bytes_are_remembered_one_by_one() {
        let mut bytes = Bytes::new(130);
        bytes.set(64, 4);
        bytes.set(129, 1);
        assert_eq!(bytes.get(64, 8), 0xf);
        assert_eq!((bytes.get(128, 1), bytes.get(128, 2)), (0, 2));
        bytes.clear();
        assert_eq!(bytes.get(64, 8), 0);
    }
}
