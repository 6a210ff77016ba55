//! Schedules blocks on multiprocessors, and multiprocessors on CPU cores.
//!
//! A unit is one block, or, if traffic is counted, all blocks of one multiprocessor, which runs as many at a time as
//! are resident there. Each CPU thread opens the next unit when its last has finished, or when all blocks that it has
//! opened wait for others. So a block may wait for any other that can be resident with it. Counts are sums over blocks,
//! records of units are combined in their order, and of several faults that of the first block is reported, so results
//! do not depend on the number of CPU threads.
//!
//! Blocks that communicate take turns on one CPU thread, in order, as many at a time as a seed draws, so what one sees
//! of another is reproducible. If communication was not known beforehand and a block waits for another, all unfinished
//! blocks go on in this way.

mod failures;
mod order;
mod threads;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::block::Room;
use crate::cause::{Cause, Failure};
use crate::context::Context;
use crate::counts::BlockCount;
use crate::deadline::{Deadline, Limit};
use crate::fault::Fault;
use crate::grid::Grid;
use crate::level::Level;
use crate::listener::{Listener, Unwatched};
use crate::printed::{Printed, Prints};
use crate::unit::Unit;
use crate::weak::WeakMemory;

use order::Order;
use threads::{cores, in_parallel};

/// A launch that has ended.
#[derive(Debug)]
pub struct Ended<H> {
    /// Executions of each basic block, or the fault of the first block that failed.
    pub counts: Result<Vec<BlockCount>, Box<Fault>>,
    /// Blocks that ran.
    pub blocks_run: u64,
    /// What the blocks printed, up to the fault.
    pub printed: Printed,
    /// What the listeners recorded, in the order of their blocks.
    pub records: Vec<H>,
}

/// Whose blocks a CPU thread runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Share {
    /// Some; other CPU threads run the rest.
    OfMany,
    All,
}

/// Most units that one CPU thread opens while all of them wait.
const MOST_OPEN: usize = 4096;

/// What the CPU threads share.
struct Progress<H> {
    /// The turn of the next unit to open.
    next: AtomicU64,
    units: u64,
    order: Order,
    /// Set if a block waits for another. All units then go on together on one CPU thread.
    meets: AtomicBool,
    /// The first block that failed; `u64::MAX` if none failed.
    failed: AtomicU64,
    fault: Mutex<Option<(u64, Fault)>>,
    limit: Option<Limit>,
    counts: Mutex<Vec<BlockCount>>,
    blocks_run: AtomicU64,
    prints: Mutex<Prints>,
    /// By unit.
    records: Mutex<Vec<(u64, H)>>,
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn owned<T>(mutex: Mutex<T>) -> T {
    mutex.into_inner().unwrap_or_else(PoisonError::into_inner)
}

impl Grid<'_> {
    /// Runs all blocks, on at most `threads` CPU threads.
    pub fn execute(&self, level: Level, threads: Option<usize>) -> Ended<()> {
        self.execute_for(level, threads, &|| Unwatched)
    }

    /// Runs all blocks, on at most `threads` CPU threads, with a listener for each unit of blocks.
    pub fn execute_for<L>(
        &self,
        level: Level,
        threads: Option<usize>,
        listener: &(impl Fn() -> L + Sync),
    ) -> Ended<L::Records>
    where
        L: Listener<Records: Send, Block: Send> + Send,
    {
        let units = self.units();
        let most = if self.between.place.is_some() { 1 } else { threads.unwrap_or_else(cores) };
        let threads = most.min(usize::try_from(units).unwrap_or(usize::MAX));
        let order = Order::new(units, self.launch.seed);
        let progress = Progress {
            next: AtomicU64::new(0),
            units,
            order: if self.launch.resident.is_some() { order.of_few() } else { order },
            meets: AtomicBool::new(false),
            failed: AtomicU64::new(u64::MAX),
            fault: Mutex::new(None),
            limit: self.launch.limit.map(Limit::new),
            counts: Mutex::new(vec![BlockCount::default(); self.kernel.blocks().len()]),
            blocks_run: AtomicU64::new(0),
            prints: Mutex::default(),
            records: Mutex::new(Vec::new()),
        };
        self.go(level, threads, &progress, listener);
        let failed = progress.failed.load(Ordering::Relaxed);
        let printed = owned(progress.prints).printed(failed);
        let counts = match owned(progress.fault) {
            Some((_, fault)) => Err(Box::new(fault)),
            None => Ok(owned(progress.counts)),
        };
        let mut records = owned(progress.records);
        records.sort_by_key(|(unit, _)| *unit);
        let records = records.into_iter().map(|(_, records)| records).collect();
        Ended { counts, blocks_run: progress.blocks_run.into_inner(), printed, records }
    }

    /// Runs all units: on several CPU threads until one waits for another, and the rest on one.
    fn go<L>(
        &self,
        level: Level,
        threads: usize,
        progress: &Progress<L::Records>,
        listener: &(impl Fn() -> L + Sync),
    ) where
        L: Listener<Records: Send, Block: Send> + Send,
    {
        let left = Mutex::new(Vec::new());
        if threads > 1 {
            in_parallel(threads, &|| {
                let open = self.work(level, progress, listener, Vec::new(), Share::OfMany);
                lock(&left).extend(open);
            });
        }
        let mut open = owned(left);
        open.sort_by_key(Unit::index);
        open.iter_mut().for_each(Unit::wakes);
        self.work(level, progress, listener, open, Share::All);
    }

    /// Runs a CPU thread's share. Returns unfinished units, which one thread then runs together.
    fn work<L: Listener>(
        &self,
        level: Level,
        progress: &Progress<L::Records>,
        listener: &impl Fn() -> L,
        mut open: Vec<Unit<L>>,
        share: Share,
    ) -> Vec<Unit<L>> {
        // The clock continues from the counts of earlier blocks.
        let none = vec![BlockCount::default(); self.kernel.program().blocks.len()];
        let counts = std::mem::replace(&mut *lock(&progress.counts), none);
        let deadline = progress.limit.as_ref().map(Deadline::new);
        let mut cx = self.context(level, (counts, deadline));
        cx.lands_late = listener().weakens();
        // Other blocks of a cluster are seen without delay.
        if cx.lands_late && self.clusters.size() == 1 {
            let communicate = share == Share::All && self.between.place.is_some();
            cx.weak = WeakMemory::new(
                self.kernel.code(),
                self.launch.seed,
                (communicate, self.launch.staggered),
            );
        }
        let mut rooms: Vec<Room> = Vec::new();
        // The turns of one round: index in `open`, and block of that unit.
        let mut turns: Vec<(usize, usize)> = Vec::new();
        // All multiprocessors run at once if asked for, and if clocks measure how long one waits for another.
        let with_clocks = self.sampling.multiprocessors.is_some() && self.between.place.is_some();
        let side_by_side = self.launch.cooperative || with_clocks;
        let at_once = match share {
            Share::OfMany => 1,
            Share::All if side_by_side => MOST_OPEN,
            Share::All if self.between.place.is_some() => progress.order.at_once(),
            Share::All => 1,
        };
        let resident = self.launch.resident.map_or(MOST_OPEN, |most| most.max(1) as usize);
        let most = if self.launch.cooperative { MOST_OPEN } else { resident.min(MOST_OPEN) };
        for round in 0.. {
            // If all wait, open twice as many: soon all that wait for each other are open.
            let wanted = if open.iter().all(Unit::waits) { 2 * open.len() } else { open.len() };
            while open.len() < wanted.max(at_once).min(most) {
                let turn = progress.next.fetch_add(1, Ordering::Relaxed);
                let failed = progress.failed.load(Ordering::Relaxed);
                if turn >= progress.units || progress.order.earliest(turn) >= failed {
                    break;
                }
                // A unit's number is that of its first block.
                let index = progress.order.unit(turn);
                if index < failed {
                    open.push(self.open(index, listener()));
                }
            }
            if open.is_empty() {
                break;
            }
            let failed = progress.failed.load(Ordering::Relaxed);
            turns.clear();
            for (place, unit) in open.iter_mut().enumerate() {
                let running = unit.begin(&mut cx, &mut rooms, failed);
                turns.extend((0..running).map(|block| (place, block)));
            }
            if with_clocks {
                progress.order.mix(round, &mut turns);
            }
            let mut changed = false;
            for &(place, block) in &turns {
                let number = open[place].block(block);
                let stops = cx.weak.as_mut().is_some_and(|weak| weak.stops(number));
                if stops && !open[place].sleeps() {
                    changed = true;
                    continue;
                }
                match open[place].round(block, &mut cx) {
                    Ok(has_changed) => changed |= has_changed,
                    Err((block, failure)) => {
                        changed = true;
                        self.fails(progress, &cx, block, *failure);
                    }
                }
            }
            open.iter_mut().for_each(|unit| unit.end(&mut rooms));
            for ended in open.extract_if(.., |unit| unit.has_ended()) {
                progress.blocks_run.fetch_add(ended.blocks_run(), Ordering::Relaxed);
                let (index, records) = ended.records();
                lock(&progress.records).extend(records.map(|records| (index, records)));
            }
            match share {
                Share::OfMany => {
                    if open.iter().any(Unit::has_sleepers) {
                        progress.meets.store(true, Ordering::Relaxed);
                    }
                    if progress.meets.load(Ordering::Relaxed) {
                        break;
                    }
                }
                // No block changed anything in this round or will, and no other block can begin.
                Share::All => {
                    let none_to_open = open.len() >= most
                        || progress.next.load(Ordering::Relaxed) >= progress.units;
                    if !open.is_empty()
                        && !changed
                        && none_to_open
                        && open.iter().all(Unit::sleeps)
                        && !self.launch.host.is_some_and(|goes_on| goes_on())
                    {
                        self.stuck(progress, &mut cx, &open);
                        open.clear();
                    }
                }
            }
        }
        lock(&progress.prints).add(std::mem::take(&mut cx.prints));
        for (sum, own) in lock(&progress.counts).iter_mut().zip(cx.counts) {
            sum.executions += own.executions;
            sum.lanes += own.lanes;
        }
        open
    }

    /// Ends the launch with a fault for each block that waits.
    fn stuck<L: Listener>(
        &self,
        progress: &Progress<L::Records>,
        cx: &mut Context,
        open: &[Unit<L>],
    ) {
        let (begun, to_come) =
            open.iter().map(Unit::blocks).fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
        let next = progress.next.load(Ordering::Relaxed).min(progress.units);
        // Units have one block each if there are many.
        let to_come = to_come + (progress.units - next);
        for unit in open {
            let Some((block, mut failure)) = unit.livelock(cx) else { continue };
            if to_come > 0 {
                failure.cause = Cause::Residency { begun, to_come };
            }
            self.fails(progress, cx, block, *failure);
        }
    }

    /// Keeps the fault of the first block that fails.
    fn fails<H>(&self, progress: &Progress<H>, cx: &Context, block: u64, failure: Failure) {
        // No other block goes on with a launch that is stopped.
        let block = if matches!(failure.cause, Cause::Overdue) { 0 } else { block };
        progress.failed.fetch_min(block, Ordering::Relaxed);
        let mut first = lock(&progress.fault);
        if first.as_ref().is_none_or(|(earlier, _)| block < *earlier) {
            *first = Some((block, self.fault(cx, failure)));
        }
    }
}
