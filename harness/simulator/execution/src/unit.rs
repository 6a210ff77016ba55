//! A unit of scheduling: the blocks of one multiprocessor, or a single block.

use crate::block::{Resident, Room, Round};
use crate::cause::Failure;
use crate::context::Context;
use crate::listener::Listener;

/// A resident block.
struct Begun<L: Listener> {
    index: u64,
    resident: Resident<L>,
    last: Round,
}

/// Linear indices of a unit's blocks: one of every `distance` blocks, at a position that moves by `shift`.
#[derive(Debug, Clone)]
pub(crate) struct Blocks {
    /// The first of the next `distance` blocks.
    pub start: u64,
    pub place: u64,
    pub shift: u64,
    pub distance: u64,
    /// Blocks of the grid.
    pub all: u64,
}

impl Blocks {
    /// A single block of a grid of `all` blocks.
    pub(crate) fn one(block: u64, all: u64) -> Blocks {
        Blocks { start: block, place: 0, shift: 0, distance: 1, all: all.min(block + 1) }
    }
}

impl Iterator for Blocks {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        while self.start < self.all {
            let block = self.start + self.place;
            self.start += self.distance;
            self.place = (self.place + self.shift) % self.distance;
            if block < self.all {
                return Some(block);
            }
        }
        None
    }
}

/// Blocks of which some are resident at a time; the others follow in order.
pub(crate) struct Unit<L: Listener> {
    index: u64,
    to_come: Blocks,
    begun: Vec<Begun<L>>,
    most: usize,
    blocks_run: u64,
    listener: L,
}

impl<L: Listener> Unit<L> {
    /// A unit of which at most `most` blocks are resident at a time.
    pub(crate) fn new(index: u64, blocks: Blocks, most: usize, listener: L) -> Unit<L> {
        Unit { index, to_come: blocks, begun: Vec::new(), most, blocks_run: 0, listener }
    }

    /// Drops the blocks from `failed` on and begins others while there is room. Returns the number of resident blocks.
    pub(crate) fn begin(&mut self, cx: &mut Context, rooms: &mut Vec<Room>, failed: u64) -> usize {
        self.begun.retain(|begun| begun.index < failed);
        while self.begun.len() < self.most {
            let Some(index) = self.to_come.next() else { break };
            if index >= failed {
                self.to_come.start = self.to_come.all;
                break;
            }
            let [width, height, _] = cx.grid.map(u64::from);
            cx.block =
                [index % width, index / width % height, index / width / height].map(|n| n as u32);
            let room = rooms.pop().unwrap_or_default();
            let resident = Resident::new(cx, &mut self.listener, room);
            self.begun.push(Begun { index, resident, last: Round::Changes });
            self.blocks_run += 1;
        }
        self.begun.len()
    }

    /// Runs a round of a resident block, and returns whether it may have changed memory.
    ///
    /// # Errors
    /// The index of the block, and its failure.
    pub(crate) fn round(
        &mut self,
        block: usize,
        cx: &mut Context,
    ) -> Result<bool, (u64, Box<Failure>)> {
        let begun = &mut self.begun[block];
        let round = begun.resident.round(cx, &mut self.listener);
        begun.last = round.map_err(|failure| (begun.index, failure))?;
        if begun.last == Round::Ended {
            cx.patience.as_ref().inspect(|patience| patience.goes_on());
            if let Some(weak) = &mut cx.weak {
                weak.end(begun.index);
            }
        }
        Ok(matches!(begun.last, Round::Ended | Round::Changes))
    }

    /// Removes the blocks that have finished.
    pub(crate) fn end(&mut self, rooms: &mut Vec<Room>) {
        for ended in self.begun.extract_if(.., |begun| begun.last == Round::Ended) {
            rooms.push(ended.resident.end(&mut self.listener));
        }
    }

    /// Whether all its blocks have finished or were dropped.
    pub(crate) fn has_ended(&self) -> bool {
        self.begun.is_empty() && self.to_come.clone().next().is_none()
    }

    /// Whether all its resident blocks seem to wait for others.
    pub(crate) fn waits(&self) -> bool {
        let waits = |begun: &Begun<L>| matches!(begun.last, Round::Waits | Round::Sleeps);
        self.begun.iter().all(waits) && !self.begun.is_empty()
    }

    /// Whether a resident block sleeps until another changes memory.
    pub(crate) fn has_sleepers(&self) -> bool {
        self.begun.iter().any(|begun| begun.last == Round::Sleeps)
    }

    /// Whether all resident blocks sleep.
    pub(crate) fn sleeps(&self) -> bool {
        self.begun.iter().all(|begun| begun.last == Round::Sleeps) && !self.begun.is_empty()
    }

    /// Wakes all resident blocks for one more round.
    pub(crate) fn wakes(&mut self) {
        self.begun.iter_mut().for_each(|begun| begun.resident.wakes());
    }

    /// Index in the grid of a resident block.
    pub(crate) fn block(&self, place: usize) -> u64 {
        self.begun[place].index
    }

    /// The number of resident blocks, and of those that have not begun.
    pub(crate) fn blocks(&self) -> (u64, u64) {
        (self.begun.len() as u64, self.to_come.clone().count() as u64)
    }

    /// Index of the unit, which is that of its first block.
    pub(crate) fn index(&self) -> u64 {
        self.index
    }

    /// The failure of its first block, which is stuck in an infinite loop.
    pub(crate) fn livelock(&self, cx: &mut Context) -> Option<(u64, Box<Failure>)> {
        let first = self.begun.first()?;
        Some((first.index, first.resident.livelock(cx)))
    }

    /// The number of blocks that began.
    pub(crate) fn blocks_run(&self) -> u64 {
        self.blocks_run
    }

    /// Index of the unit, and what its listener recorded.
    pub(crate) fn records(self) -> (u64, Option<L::Records>) {
        (self.index, self.listener.records())
    }
}
