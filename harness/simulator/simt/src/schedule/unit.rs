//! Blocks that share a multiprocessor, or a single block.

use crate::exec::block::{Resident, Room, Round};
use crate::exec::cause::Failure;
use crate::exec::context::Context;
use crate::exec::listener::Listener;

/// A block that has begun.
struct Begun<L: Listener> {
    index: u64,
    resident: Resident<L>,
    last: Round,
}

/// Numbers of a unit's blocks: one of each `distance`, at a place that moves on by `shift`.
#[derive(Debug, Clone)]
pub(super) struct Blocks {
    /// The first of the next `distance`.
    pub start: u64,
    pub place: u64,
    pub shift: u64,
    pub distance: u64,
    /// Blocks of the grid.
    pub all: u64,
}

impl Blocks {
    /// A single block of a grid of so many.
    pub(super) fn one(block: u64, all: u64) -> Blocks {
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

/// Blocks of which some run side by side, the others after them in order.
pub(super) struct Unit<L: Listener> {
    index: u64,
    to_come: Blocks,
    begun: Vec<Begun<L>>,
    most: usize,
    blocks_run: u64,
    listener: L,
}

impl<L: Listener> Unit<L> {
    /// A unit of which `most` blocks may run at a time.
    pub(super) fn new(index: u64, blocks: Blocks, most: usize, listener: L) -> Unit<L> {
        Unit { index, to_come: blocks, begun: Vec::new(), most, blocks_run: 0, listener }
    }

    /// Drops blocks from the one called `failed` on and begins others where there is room; how many run now.
    pub(super) fn begin(&mut self, cx: &mut Context, rooms: &mut Vec<Room>, failed: u64) -> usize {
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

    /// Runs a round of one of the blocks that run now; whether it may have changed memory.
    ///
    /// # Errors
    /// The block failed; its number, and how.
    pub(super) fn round(
        &mut self,
        block: usize,
        cx: &mut Context,
    ) -> Result<bool, (u64, Box<Failure>)> {
        let begun = &mut self.begun[block];
        let round = begun.resident.round(cx, &mut self.listener);
        begun.last = round.map_err(|failure| (begun.index, failure))?;
        if begun.last == Round::Ended {
            cx.patience.as_ref().inspect(|patience| patience.goes_on());
        }
        Ok(matches!(begun.last, Round::Ended | Round::Changes))
    }

    /// Makes room where blocks have ended.
    pub(super) fn end(&mut self, rooms: &mut Vec<Room>) {
        for ended in self.begun.extract_if(.., |begun| begun.last == Round::Ended) {
            rooms.push(ended.resident.end(&mut self.listener));
        }
    }

    /// Whether all its blocks ended or were dropped.
    pub(super) fn has_ended(&self) -> bool {
        self.begun.is_empty() && self.to_come.clone().next().is_none()
    }

    /// Whether all its blocks that run seem to wait for others.
    pub(super) fn waits(&self) -> bool {
        let waits = |begun: &Begun<L>| matches!(begun.last, Round::Waits | Round::Sleeps);
        self.begun.iter().all(waits) && !self.begun.is_empty()
    }

    /// Whether one of its blocks waits for another to change something.
    pub(super) fn has_sleepers(&self) -> bool {
        self.begun.iter().any(|begun| begun.last == Round::Sleeps)
    }

    /// Whether all of them do.
    pub(super) fn sleeps(&self) -> bool {
        self.begun.iter().all(|begun| begun.last == Round::Sleeps) && !self.begun.is_empty()
    }

    /// Lets all its blocks run once more, whatever they wait for.
    pub(super) fn wakes(&mut self) {
        self.begun.iter_mut().for_each(|begun| begun.resident.wakes());
    }

    /// Blocks that have begun and not ended, and those that have not begun.
    pub(super) fn blocks(&self) -> (u64, u64) {
        (self.begun.len() as u64, self.to_come.clone().count() as u64)
    }

    /// Its number: that of its first block.
    pub(super) fn index(&self) -> u64 {
        self.index
    }

    /// What to say of its first block, if it is stuck.
    pub(super) fn livelock(&self, cx: &mut Context) -> Option<(u64, Box<Failure>)> {
        let first = self.begun.first()?;
        Some((first.index, first.resident.livelock(cx)))
    }

    /// Blocks that began.
    pub(super) fn blocks_run(&self) -> u64 {
        self.blocks_run
    }

    /// What its listener heard.
    pub(super) fn heard(self) -> (u64, Option<L::Heard>) {
        (self.index, self.listener.heard())
    }
}
