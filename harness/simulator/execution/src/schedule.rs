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
mod unit;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::block::Room;
use crate::build::Build;
use crate::calls::stack_room;
use crate::cause::{Cause, Failure};
use crate::context::{Context, of_block};
use crate::counts::BlockCount;
use crate::fault::Fault;
use crate::heap::Heap;
use crate::launch::{Host, Launch};
use crate::level::Level;
use crate::listener::{Listener, Unwatched};
use crate::patience::{Limit, Patience};
use crate::printed::{Printed, Prints};
use crate::reads::Reads;
use crate::scheduling::Scheduling;
use crate::spaces::Spaces;
use crate::stale::Stale;
use memory::{Memory, Storage};
use program::communication::Between;
use program::{Instruction, Kernel, Module};
use textures::Objects;

use order::Order;
use threads::{cores, in_parallel};
use unit::{Blocks, Unit};

/// The multiprocessors over which blocks are spread: block `b` runs on number `b % count`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Multiprocessors {
    /// How many there are.
    pub count: u32,
    /// Blocks that are resident on each at a time.
    pub resident_blocks: u32,
    /// Only this many of them run, to estimate a launch that is too big; all if `None`.
    pub run: Option<u32>,
}

/// A launch: what runs, on which memory, and how its blocks are scheduled.
pub struct Grid<'a> {
    /// The kernel's module.
    pub module: &'a Module,
    /// What runs.
    pub kernel: &'a Kernel,
    /// Its shape and arguments.
    pub launch: &'a Launch<'a>,
    /// Global memory.
    pub memory: &'a Memory,
    /// Texture and surface objects.
    pub objects: &'a Objects,
    /// What texture reads see of arrays that the launch writes.
    pub stale: &'a Stale,
    /// Addresses of the module's variables.
    pub addresses: &'a [u64],
    /// The arguments as [`parameters`](crate::parameters) lays them out.
    pub parameters: &'a Storage,
    /// Address of the workspace of grid barriers; 0 if the launch is not cooperative.
    pub workspace: u64,
    /// How the blocks communicate.
    pub between: &'a Between,
    /// From which the kernel allocates, if it does or another did.
    pub heap: Option<&'a Heap>,
    /// Bytes of each thread's stack, for calls.
    pub stack_bytes: u64,
    /// Decides in which order blocks begin and warps take turns; 0 for ascending.
    pub seed: u64,
    /// The blocks to run, if not all.
    pub only: Option<&'a [u64]>,
    /// How lanes of a warp that have parted go on.
    pub scheduling: Scheduling,
    /// Over which blocks are spread, if that matters to the listener; if not, each block runs by itself.
    pub multiprocessors: Option<Multiprocessors>,
    /// Nobody looks at values, only at what is counted: if some multiprocessors are left out, arithmetic that decides nothing
    /// is left out too.
    pub counts_only: bool,
    /// Where some multiprocessors are left out, the first run, and not those in the middle.
    pub first_blocks: bool,
    /// Blocks may wait for any other block of the grid, as in a cooperative launch.
    pub cooperative: bool,
    /// Stops the launch, as a fault, if for so long none of its blocks ends, or if it takes 60 times as long.
    pub limit: Option<Duration>,
    /// Asked while all blocks wait, if a program goes on beside the launch.
    pub host: Option<Host<'a>>,
}

/// A launch that has ended.
#[derive(Debug)]
pub struct Ended<H> {
    /// Executions of each basic block, or the fault of the first block that failed.
    pub counts: Result<Vec<BlockCount>, Box<Fault>>,
    /// Blocks that ran.
    pub blocks_run: u64,
    /// What the blocks printed, up to the fault.
    pub printed: Printed,
    /// What the listeners records, in the order of their blocks.
    pub records: Vec<H>,
}

/// Whose blocks a CPU thread runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Share {
    /// Some, beside other CPU threads.
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
        let progress = Progress {
            next: AtomicU64::new(0),
            units,
            order: Order::new(units, self.seed),
            meets: AtomicBool::new(false),
            failed: AtomicU64::new(u64::MAX),
            fault: Mutex::new(None),
            limit: self.limit.map(Limit::new),
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

    fn blocks(&self) -> u64 {
        self.launch.grid.iter().map(|&n| u64::from(n)).product()
    }

    /// The number of units: multiprocessors with work, or blocks.
    fn units(&self) -> u64 {
        if let Some(only) = self.only {
            return only.len() as u64;
        }
        let Some(all) = self.multiprocessors else { return self.blocks() };
        let most = all.run.unwrap_or(all.count);
        u64::from(most.min(all.count).max(1)).min(self.blocks())
    }

    /// Multiprocessors with work whose blocks are not run. Those in the middle are run, because the first and the last
    /// block often are special and represent few. A trace needs the first warps.
    fn left_out(&self) -> u64 {
        let counts_few = !self.first_blocks && self.only.is_none();
        let Some(all) = self.multiprocessors.filter(|_| counts_few) else {
            return 0;
        };
        u64::from(all.count.max(1)).min(self.blocks()) - self.units()
    }

    /// The code to execute. If a launch is only counted and not all of its blocks run, nothing can use their results,
    /// so instructions that do not affect the counts are left out.
    fn code(&self) -> &[Instruction] {
        let all = self.multiprocessors.filter(|_| self.counts_only && self.only.is_none());
        let all = all.map(|all| u64::from(all.count).min(self.blocks()));
        // What one kernel stores, another may load.
        let counts = all.is_some_and(|all| self.units() < all)
            && self.module.kernels().all(|kernel| kernel.counting().is_some());
        let counting = self.kernel.counting().filter(|_| counts);
        counting.unwrap_or(&self.kernel.program().code)
    }

    /// Opens a unit.
    fn open<L: Listener>(&self, index: u64, listener: L) -> Unit<L> {
        if let Some(only) = self.only {
            let block = only[index as usize];
            return Unit::new(block, Blocks::one(block, self.blocks()), 1, listener);
        }
        let (distance, resident) = match self.multiprocessors {
            Some(all) => (all.count.max(1).into(), all.resident_blocks),
            None => (self.blocks(), 1),
        };
        let left_out = self.left_out();
        let blocks = Blocks {
            start: 0,
            place: index + left_out / 2,
            // If few blocks represent all, run blocks of every remainder: a kernel may treat every second block
            // differently.
            shift: u64::from(left_out > 0),
            distance,
            all: self.blocks(),
        };
        Unit::new(index, blocks, resident.max(1) as usize, listener)
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

    /// Runs a CPU thread's share; the units with which another is to go on.
    fn work<L: Listener>(
        &self,
        level: Level,
        progress: &Progress<L::Records>,
        listener: &impl Fn() -> L,
        mut open: Vec<Unit<L>>,
        share: Share,
    ) -> Vec<Unit<L>> {
        let mut cx = self.context(level, progress);
        let mut rooms: Vec<Room> = Vec::new();
        // The turns of one round: index in `open`, and block of that unit.
        let mut turns: Vec<(usize, usize)> = Vec::new();
        // All multiprocessors run at once where that is asked for, and where it tells how long one waits for another.
        let with_clocks = self.multiprocessors.is_some() && self.between.place.is_some();
        let side_by_side = self.cooperative || with_clocks;
        let at_once = match share {
            Share::OfMany => 1,
            Share::All if side_by_side => MOST_OPEN,
            Share::All if self.between.place.is_some() => progress.order.at_once(),
            Share::All => 1,
        };
        for round in 0.. {
            // If all wait, open twice as many: soon all that wait for each other are open.
            let wanted = if open.iter().all(Unit::waits) { 2 * open.len() } else { open.len() };
            while open.len() < wanted.max(at_once).min(MOST_OPEN) {
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
                    let none_to_open = open.len() == MOST_OPEN
                        || progress.next.load(Ordering::Relaxed) >= progress.units;
                    if !open.is_empty()
                        && !changed
                        && none_to_open
                        && open.iter().all(Unit::sleeps)
                        && !self.host.is_some_and(|goes_on| goes_on())
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

    /// Ends the launch with what is to be said of blocks that all wait.
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

    /// What the blocks of one CPU thread share.
    fn context<'c, H>(&'c self, level: Level, progress: &'c Progress<H>) -> Context<'c> {
        let program = self.kernel.program();
        // Dynamic shared memory is aligned for any type.
        let fixed = u64::from(self.kernel.shared_bytes()).next_multiple_of(16);
        let dynamic = self.launch.shared_bytes;
        let shared_bytes = if dynamic > 0 {
            fixed + u64::from(dynamic)
        } else {
            self.kernel.shared_bytes().into()
        };
        let stack = if program.functions.is_empty() { 0 } else { stack_room(self.stack_bytes) };
        Context {
            build: Build::new(level),
            kernel: self.kernel,
            program,
            code: self.code(),
            addresses: self.addresses,
            grid: self.launch.grid,
            threads: self.launch.block,
            block: [0; 3],
            spaces: Spaces {
                memory: self.memory,
                heap: self.heap,
                parameters: self.parameters,
                parameter_bytes: program.parameter_bytes.into(),
                shared: Storage::default(),
                shared_bytes,
                local_bytes: program.local_bytes + stack,
            },
            stack_bytes: self.stack_bytes,
            prints: Prints::default(),
            objects: self.objects,
            stale: self.stale,
            dynamic_shared_bytes: dynamic,
            grid_workspace: self.workspace,
            seed: self.seed,
            scheduling: self.scheduling,
            // The clock continues from the counts of earlier blocks.
            counts: std::mem::replace(
                &mut *lock(&progress.counts),
                vec![BlockCount::default(); program.blocks.len()],
            ),
            settled: &self.between.settled,
            reads: Reads::default(),
            patience: progress.limit.as_ref().map(Patience::new),
            asked: 0,
            hints: vec![u32::MAX; program.accesses.len()],
            steps: vec![None; program.accesses.len()],
            starts: Vec::new(),
            of_block: of_block(program),
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
