//! A block: its warps take turns, and meet at barriers.

use super::barrier::release_barriers;
use super::cause::Failure;
use super::cluster_barrier::release;
use super::completion::release_products;
use super::context::Context;
use super::control::{Fiber, State, merge};
use super::garbage::GARBAGE;
use super::landings::land;
use super::listener::Listener;
use super::reads::Reads;
use super::run::{Stop, run};
use super::spin::SpinDetector;
use super::start::start;
use super::stuck::{deadlock, livelock, overdue};
use super::turns::Turns;
use super::warp::Warp;
use crate::scheduling::Scheduling;
use memory::Storage;
use program::registers::LANES;

/// What rounds in a row, in which every fiber that can run only gave way, may spend before the block counts as stuck. A
/// fiber spends 1 with 32 accesses that may wait for another thread, and 256 with 2²² backward branches: an endless loop
/// becomes a fault after 2²⁵ such accesses or 2³⁴ branches.
const PATIENCE: u32 = 1 << 20;

/// Idle rounds after which other blocks should be given a chance.
const IDLE: u32 = 16;

/// A block that runs: what is its own.
pub struct Resident<L: Listener> {
    pub(super) block: [u32; 3],
    pub(super) shared: Storage,
    pub(super) warps: Vec<Warp>,
    turns: Turns,
    /// By warp the rounds for which it is still passed over.
    pauses: Vec<u32>,
    /// By warp whether it has ended or waits for other warps. It has no turns until what it waits for may have come.
    rests: Vec<bool>,
    /// Threads that arrived at each barrier without waiting there.
    arrived: [u32; 16],
    /// How long nothing happened but giving way.
    idle: u32,
    spin: SpinDetector,
    reads: Reads,
    /// A fiber changed something and will not be asked: it has ended, has become part of another, or its warp rests.
    has_changed_more: bool,
    /// Something changed in the last round.
    has_changed: bool,
    own: L::Block,
}

/// How a block's round went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Round {
    /// All its threads have ended.
    Ended,
    /// It may have changed memory.
    Changed,
    /// It changed nothing.
    Unchanged,
    /// It seems to wait for another block, and changed nothing.
    WaitsForBlock,
    /// All its threads that can run wait for other blocks of their cluster.
    WaitsForCluster,
    /// It will not change anything until another block does.
    Asleep,
}

/// Rounds by which a warp begins later than the one before, where they are staggered: enough for some hundred accesses.
const DELAY: u32 = 128;

/// Later warps begin together.
const MOST_DELAYS: u64 = 8;

impl<L: Listener> Resident<L> {
    /// Puts all threads of the context's block at the kernel's first instruction; `storage` is to be used again.
    pub fn new(cx: &mut Context, listener: &mut L, storage: Room) -> Resident<L> {
        let Room { shared, mut warps } = storage;
        let mut shared = if shared.bytes() >= cx.spaces.shared_bytes {
            shared
        } else {
            Storage::new(cx.spaces.shared_bytes).unwrap_or_default()
        };
        shared.bytes_mut().fill(GARBAGE);
        if let Some(reserved) = cx.program.reserved_shared() {
            shared.bytes_mut()[reserved].fill(0);
        }
        let threads: u32 = cx.threads.iter().product();
        warps.resize_with(threads.div_ceil(LANES as u32) as usize, Warp::default);
        let count = warps.len();
        for (index, warp) in (0..).zip(warps.iter_mut()) {
            start(cx, warp, index, threads);
        }
        let first = cx.block_number().saturating_mul(count as u64);
        let pauses = match cx.staggered && cx.weak.is_some() {
            true => {
                (first..).take(count).map(|number| DELAY * number.min(MOST_DELAYS) as u32).collect()
            }
            false => vec![0; count],
        };
        let turns = Turns::new(warps.len(), cx.seed, cx.block);
        let own = listener.begin(cx);
        Resident {
            block: cx.block,
            shared,
            warps,
            turns,
            pauses,
            rests: vec![false; count],
            arrived: [0; 16],
            idle: 0,
            spin: SpinDetector::default(),
            reads: Reads::default(),
            has_changed_more: false,
            has_changed: true,
            own,
        }
    }

    /// Runs every warp that can, until it waits or gives way.
    pub fn round(&mut self, cx: &mut Context, l: &mut L) -> Result<Round, Box<Failure>> {
        if let Some(known) = self.spin.asleep() {
            if known.holds(cx.spaces.memory) {
                return Ok(Round::Asleep);
            }
            self.spin.wake(&mut self.reads);
        }
        cx.block = self.block;
        std::mem::swap(&mut cx.spaces.shared, &mut self.shared);
        std::mem::swap(&mut cx.reads, &mut self.reads);
        let round = self.turn_all(cx, l);
        std::mem::swap(&mut cx.spaces.shared, &mut self.shared);
        std::mem::swap(&mut cx.reads, &mut self.reads);
        round
    }

    fn turn_all(&mut self, cx: &mut Context, listener: &mut L) -> Result<Round, Box<Failure>> {
        if cx.is_late() {
            return Err(overdue(cx, &self.warps));
        }
        // The most that a fiber spent, if all of them only gave way.
        let mut spent = Some(0);
        let mut has_held = false;
        // Someone may have come to where threads meet, or has ended, for whom others waited.
        let mut may_meet = false;
        let block = cx.block_number();
        for &place in self.turns.round() {
            let (warp, pause) = (&mut self.warps[place], &mut self.pauses[place]);
            let rests = self.rests[place];
            if !rests && !warp.landings.is_empty() {
                has_held |= land(cx, (warp.index, &warp.local), &mut warp.landings)?;
            }
            let may_pause = self.has_changed || *pause > 0;
            if may_pause
                && let Some(weak) = &mut cx.weak
                && weak.passes_over(block, pause, self.has_changed)
            {
                has_held = true;
                continue;
            }
            if rests {
                continue;
            }
            if !warp.can_run() {
                if warp.landings.is_empty() {
                    self.rests[place] = true;
                    self.has_changed_more |= warp.fibers.iter().any(|fiber| fiber.changed);
                }
                continue;
            }
            let (count, live) = (warp.fibers.len(), warp.live);
            let own = turn(cx, (listener, &mut self.own), warp)?;
            *pause = std::mem::take(&mut warp.pause);
            self.has_changed_more |= warp.fibers.len() < count;
            may_meet |= warp.fibers.len() != count || warp.live != live || !warp.is_ready();
            spent = spent.zip(own).map(|(most, own)| most.max(own));
        }
        if may_meet {
            let warps = self.warps.iter_mut().zip(&self.rests);
            warps.filter(|(_, rests)| !**rests).for_each(|(warp, _)| grant_exchanges(warp));
        }
        if !cx.program.product_waits.is_empty() && release_products(&mut self.warps) {
            self.rests.fill(false);
        }
        if may_meet && self.may_complete_barriers(cx) {
            self.rests.fill(false);
            release_barriers(cx, (listener, &mut self.own), &mut self.warps, &mut self.arrived);
        }
        if cx.lands_late && self.awake().any(|warp| !warp.landings.is_empty()) {
            return Ok(Round::Changed);
        }
        if fibers(self.awake()).next().is_none() && fibers(&self.warps).next().is_none() {
            return Ok(Round::Ended);
        }
        // The last copy may have landed in another block of the cluster.
        if has_held {
            return Ok(Round::Changed);
        }
        if !fibers(self.awake()).any(|f| f.state == State::Ready) {
            if !fibers(&self.warps).any(|f| matches!(f.state, State::Cluster(_))) {
                return Err(deadlock(cx, &self.warps));
            }
            // Some of them may have waited for a phase that was complete.
            let released = self.release(cx, listener);
            return Ok(if released { Round::Changed } else { Round::WaitsForCluster });
        }
        self.idle = spent.map_or(0, |spent| self.idle.saturating_add(spent));
        let round = self.judge(cx);
        self.has_changed = round == Round::Changed;
        Ok(round)
    }

    /// Whether anything changed in a round that is over.
    fn judge(&mut self, cx: &mut Context) -> Round {
        if self.has_changed_more || fibers(self.awake()).any(|f| f.changed) {
            self.has_changed_more = false;
            for fiber in self.warps.iter_mut().flat_map(|w| &mut w.fibers) {
                (fiber.changed, fiber.waited) = (false, false);
            }
            self.spin.record_change(&mut cx.reads);
            return Round::Changed;
        }
        if fibers(self.awake()).all(|f| f.waited || f.state != State::Ready) {
            self.spin.record_idle_round(cx.build, &mut self.warps, &mut cx.reads);
            // Nobody waits for lanes that wait for something else.
            if self.spin.asleep().is_some()
                && cx.scheduling == Scheduling::Independent
                && self.warps.iter_mut().filter_map(|warp| split(warp).then_some(())).count() > 0
            {
                self.spin.record_change(&mut cx.reads);
            }
        }
        match self.spin.asleep() {
            // Another block may have changed by now what it read before.
            Some(_) => Round::WaitsForBlock,
            // It has waited for so long that nothing will come of it.
            None if self.idle >= PATIENCE => Round::Asleep,
            None if self.idle >= IDLE => Round::WaitsForBlock,
            None => Round::Unchanged,
        }
    }

    /// Whether a barrier may be complete. One that waits for all threads is not while any of them could go on.
    fn may_complete_barriers(&self, cx: &Context) -> bool {
        cx.program.barriers.iter().any(|barrier| barrier.counted || barrier.arrive)
            || !fibers(self.awake()).any(|fiber| fiber.state == State::Ready)
    }

    /// The warps that do not rest.
    fn awake(&self) -> impl Iterator<Item = &Warp> {
        self.warps.iter().zip(&self.rests).filter_map(|(warp, rests)| (!rests).then_some(warp))
    }

    /// Lets the warps go on that wait for a phase of the cluster's barrier which is complete; whether there were any.
    fn release(&mut self, cx: &mut Context, listener: &mut L) -> bool {
        self.rests.fill(false);
        release(cx, (listener, &mut self.own), &mut self.warps)
    }

    /// Lets it run once more, whatever it waits for.
    pub fn wakes(&mut self) {
        self.spin.record_change(&mut self.reads);
    }

    /// Another block of its cluster has changed something that it may wait for.
    pub(super) fn is_roused(&mut self) {
        self.idle = 0;
        self.wakes();
    }

    /// A phase of the cluster's barrier is complete.
    pub(super) fn goes_on(&mut self, cx: &mut Context, listener: &mut L) {
        cx.block = self.block;
        self.release(cx, listener);
        self.is_roused();
    }

    /// What to say of a block that is stuck.
    pub fn livelock(&self, cx: &mut Context) -> Box<Failure> {
        cx.block = self.block;
        livelock(cx, &self.warps)
    }

    /// Ends the block, and gives back its storage.
    pub fn end(self, listener: &mut L) -> Room {
        listener.end(self.own);
        Room { shared: self.shared, warps: self.warps }
    }
}

/// Storage of a block that has ended.
#[derive(Default)]
pub struct Room {
    shared: Storage,
    warps: Vec<Warp>,
}

fn fibers<'w>(warps: impl IntoIterator<Item = &'w Warp>) -> impl Iterator<Item = &'w Fiber> {
    warps.into_iter().flat_map(|warp| &warp.fibers)
}

/// Runs each of a warp's fibers that can. If they all did no more than give way: the most that one spent.
fn turn<L: Listener>(
    cx: &mut Context,
    (listener, own): (&mut L, &mut L::Block),
    warp: &mut Warp,
) -> Result<Option<u32>, Box<Failure>> {
    if warp.fibers.len() > 1 {
        merge(&mut warp.fibers);
    }
    let mut most = Some(0);
    let mut go = |warp: &mut Warp, mut fiber: Fiber| {
        if fiber.state == State::Ready {
            warp.digest = None;
            let stop = run(cx, (&mut *listener, &mut *own), warp, &mut fiber)?;
            most = match stop {
                Stop::Yields(spent) => most.map(|most| most.max(spent)),
                Stop::Ended | Stop::Waits | Stop::Turns => None,
            };
            if stop == Stop::Ended {
                return Ok(());
            }
        }
        warp.fibers.push(fiber);
        Ok::<(), Box<Failure>>(())
    };
    // Most warps have one fiber: it keeps its place.
    if warp.fibers.len() == 1 {
        if let Some(fiber) = warp.fibers.pop() {
            go(warp, fiber)?;
        }
    } else {
        for fiber in std::mem::take(&mut warp.fibers) {
            go(warp, fiber)?;
        }
    }
    Ok(most)
}

/// Makes lanes that wait for others of their fiber one of their own; whether there were any.
fn split(warp: &mut Warp) -> bool {
    let ready = warp.fibers.iter_mut().filter(|fiber| fiber.state == State::Ready);
    let parted: Vec<Fiber> = ready.filter_map(Fiber::split).collect();
    let has_parted = !parted.is_empty();
    warp.fibers.extend(parted);
    has_parted
}

/// Lets exchanges happen whose lanes are all there.
fn grant_exchanges(warp: &mut Warp) {
    let waits = |f: &Fiber| matches!(f.state, State::Exchange(_));
    if !warp.fibers.iter().any(waits) {
        return;
    }
    merge(&mut warp.fibers);
    let states: Vec<_> = warp.fibers.iter().map(|f| (f.state, f.mask())).collect();
    for fiber in &mut warp.fibers {
        if let State::Exchange(members) = fiber.state {
            let same = states.iter().filter(|(state, _)| *state == State::Exchange(members));
            let come = same.fold(0, |mask, (_, lanes)| mask | lanes);
            if members & warp.live & !come == 0 {
                fiber.state = State::Ready;
                fiber.granted = true;
            }
        }
    }
}
