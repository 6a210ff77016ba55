//! A unit of scheduling: the blocks of one multiprocessor, or a single block.

use crate::block::{Resident, Room, Round};
use crate::cause::Failure;
use crate::cluster::Clusters;
use crate::context::Context;
use crate::listener::Listener;
use crate::meeting::{complete, deadlock};

/// A resident block.
struct Begun<L: Listener> {
    index: u64,
    /// The first block of its cluster.
    leader: u64,
    /// A block of its cluster has failed.
    is_lost: bool,
    resident: Resident<L>,
    last: Round,
}

/// Numbers of a unit's clusters, or blocks where there are none: one of every `distance`, at a position that moves by
/// `shift`.
#[derive(Debug, Clone)]
pub(crate) struct Groups {
    /// The first of the next `distance` ones.
    pub start: u64,
    pub place: u64,
    pub shift: u64,
    pub distance: u64,
    /// Those of the grid.
    pub all: u64,
}

impl Groups {
    /// A single one of `all`.
    pub(crate) fn one(group: u64, all: u64) -> Groups {
        Groups { start: group, place: 0, shift: 0, distance: 1, all: all.min(group + 1) }
    }
}

impl Iterator for Groups {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        while self.start < self.all {
            let group = self.start + self.place;
            self.start += self.distance;
            self.place = (self.place + self.shift) % self.distance;
            if group < self.all {
                return Some(group);
            }
        }
        None
    }
}

/// Blocks of which some are resident at a time; the others follow in order. Those of a cluster begin together.
pub(crate) struct Unit<L: Listener> {
    index: u64,
    to_come: Groups,
    begun: Vec<Begun<L>>,
    clusters: Clusters,
    most: usize,
    blocks_run: u64,
    listener: L,
}

impl<L: Listener> Unit<L> {
    /// A unit of which at most `most` blocks are resident at a time, and at least a cluster.
    pub(crate) fn new(
        index: u64,
        groups: Groups,
        (clusters, most): (Clusters, u32),
        listener: L,
    ) -> Unit<L> {
        let most = most.max(clusters.size()) as usize;
        Unit { index, to_come: groups, begun: Vec::new(), clusters, most, blocks_run: 0, listener }
    }

    /// Drops the blocks from `failed` on and begins others while there is room. Returns the number of resident blocks.
    pub(crate) fn begin(&mut self, cx: &mut Context, rooms: &mut Vec<Room>, failed: u64) -> usize {
        self.begun.retain(|begun| begun.leader < failed && !begun.is_lost);
        let size = self.clusters.size() as usize;
        while self.begun.len() + size <= self.most {
            let Some(group) = self.to_come.next() else { break };
            let mut leader = None;
            for block in self.clusters.blocks(group) {
                cx.block = block;
                let index = cx.block_number();
                let leader = *leader.get_or_insert(index);
                if leader >= failed {
                    self.to_come.start = self.to_come.all;
                    return self.begun.len();
                }
                let room = rooms.pop().unwrap_or_default();
                let resident = Resident::new(cx, &mut self.listener, room);
                let last = Round::Changed;
                self.begun.push(Begun { index, leader, is_lost: false, resident, last });
                self.blocks_run += 1;
            }
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
        if self.begun[block].is_lost {
            return Ok(true);
        }
        let leader = self.begun[block].leader;
        if self.clusters.size() > 1 {
            self.lend(block, cx);
        }
        let begun = &mut self.begun[block];
        let round = begun.resident.round(cx, &mut self.listener);
        let index = begun.index;
        if self.clusters.size() > 1 {
            self.take_back(leader, cx);
        }
        let round = round.map_err(|failure| self.loses(leader, (index, failure)))?;
        self.begun[block].last = round;
        if round == Round::Ended {
            cx.deadline.as_ref().inspect(|deadline| deadline.goes_on());
            if let Some(weak) = &mut cx.weak {
                weak.end(index);
            }
        }
        let changes = matches!(round, Round::Ended | Round::Changed);
        if changes && self.clusters.size() > 1 {
            for other in of_cluster(&mut self.begun, leader) {
                if other.index != index
                    && matches!(other.last, Round::WaitsForBlock | Round::Asleep)
                {
                    other.resident.is_roused();
                    other.last = Round::Unchanged;
                }
            }
        }
        let has_met = cx.program.meets_clusters && self.meet(leader, cx)?;
        Ok(changes || has_met)
    }

    /// Lets a block find the shared memory of the others of its cluster.
    fn lend(&mut self, block: usize, cx: &mut Context) {
        let Begun { leader, index, resident, .. } = &self.begun[block];
        let (leader, index) = (*leader, *index);
        let peers = &mut cx.spaces.peers;
        peers.rank = self.clusters.rank(resident.block);
        peers.shared.clear();
        peers.shared.resize_with(self.clusters.size() as usize, || None);
        for other in of_cluster(&mut self.begun, leader) {
            if other.index != index && other.last != Round::Ended {
                let rank = self.clusters.rank(other.resident.block) as usize;
                peers.shared[rank] = Some(std::mem::take(&mut other.resident.shared));
            }
        }
    }

    /// Ends that.
    fn take_back(&mut self, leader: u64, cx: &mut Context) {
        for other in of_cluster(&mut self.begun, leader) {
            let rank = self.clusters.rank(other.resident.block) as usize;
            if let Some(shared) = cx.spaces.peers.shared[rank].take() {
                other.resident.shared = shared;
            }
        }
    }

    /// Completes a phase of a cluster's barrier if all have arrived; whether it did.
    ///
    /// # Errors
    /// All blocks of the cluster wait, and none can go on: the index of one, and its failure.
    fn meet(&mut self, leader: u64, cx: &mut Context) -> Result<bool, (u64, Box<Failure>)> {
        let running = || |begun: &&mut Begun<L>| begun.last != Round::Ended;
        let all = of_cluster(&mut self.begun, leader).filter(running());
        let mut blocks: Vec<_> = all.map(|begun| &mut begun.resident).collect();
        if complete(cx, &mut self.listener, &mut blocks) {
            for begun in of_cluster(&mut self.begun, leader).filter(running()) {
                begun.last = Round::Changed;
            }
            return Ok(true);
        }
        let live = || self.begun.iter().filter(|it| it.leader == leader && it.last != Round::Ended);
        if live().next().is_none() || !live().all(|begun| begun.last == Round::WaitsForCluster) {
            return Ok(false);
        }
        let all = of_cluster(&mut self.begun, leader).filter(running());
        let (indices, blocks): (Vec<u64>, Vec<_>) =
            all.map(|begun| (begun.index, &mut begun.resident)).unzip();
        match deadlock(cx, &blocks) {
            Some((place, failure)) => Err(self.loses(leader, (indices[place], failure))),
            None => Ok(false),
        }
    }

    /// A cluster ends with the first failure of one of its blocks.
    fn loses(&mut self, leader: u64, failure: (u64, Box<Failure>)) -> (u64, Box<Failure>) {
        of_cluster(&mut self.begun, leader).for_each(|begun| begun.is_lost = true);
        failure
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
        let waits = |begun: &Begun<L>| {
            matches!(begun.last, Round::WaitsForBlock | Round::WaitsForCluster | Round::Asleep)
        };
        self.begun.iter().all(waits) && !self.begun.is_empty()
    }

    /// Whether a resident block sleeps until one of another cluster changes memory.
    pub(crate) fn has_sleepers(&self) -> bool {
        let all_of = |leader: u64| self.begun.iter().filter(move |it| it.leader == leader);
        let sleeping = self.begun.iter().filter(|begun| begun.last == Round::Asleep);
        sleeping.into_iter().any(|begun| all_of(begun.leader).all(is_asleep))
    }

    /// Whether all resident blocks sleep.
    pub(crate) fn sleeps(&self) -> bool {
        self.begun.iter().all(is_asleep) && !self.begun.is_empty()
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
        let to_come = self.to_come.clone().count() as u64;
        (self.begun.len() as u64, to_come * u64::from(self.clusters.size()))
    }

    /// Index of the unit, which is that of its first block.
    pub(crate) fn index(&self) -> u64 {
        self.index
    }

    /// The failure of its first block that is stuck in an infinite loop.
    pub(crate) fn livelock(&self, cx: &mut Context) -> Option<(u64, Box<Failure>)> {
        // Others of its cluster may only wait for it.
        let spins = |begun: &&Begun<L>| begun.last == Round::Asleep;
        let first = self.begun.iter().find(spins).or(self.begun.first())?;
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

/// Whether a block does nothing until another changes something.
fn is_asleep<L: Listener>(begun: &Begun<L>) -> bool {
    matches!(begun.last, Round::Asleep | Round::WaitsForCluster)
}

/// The resident blocks of a cluster.
fn of_cluster<L: Listener>(
    begun: &mut [Begun<L>],
    leader: u64,
) -> impl Iterator<Item = &mut Begun<L>> {
    begun.iter_mut().filter(move |begun| begun.leader == leader)
}
