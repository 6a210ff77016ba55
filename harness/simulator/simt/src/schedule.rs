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

use crate::communication::Between;
use crate::events::{BlockCount, Events};
use crate::exec::block::Room;
use crate::exec::build::Build;
use crate::exec::calls::stack_room;
use crate::exec::cause::{Cause, Failure};
use crate::exec::context::{Context, of_block};
use crate::exec::listener::Listener;
use crate::exec::patience::{Limit, Patience};
use crate::exec::reads::Reads;
use crate::exec::spaces::Spaces;
use crate::fault::Fault;
use crate::heap::Heap;
use crate::kernel::Kernel;
use crate::launch::{Host, Launch};
use crate::level::Level;
use crate::memory::{Memory, Storage};
use crate::module::Module;
use crate::printed::{Printed, Prints};
use crate::program::Instruction;
use crate::scheduling::Scheduling;
use crate::texture::{Objects, Stale};
use crate::watch::{
    FaultReport, LaunchCoverage, LaunchHazards, LaunchMessages, Records, Unwatched, Watch, Watcher,
    combine,
};
use order::Order;
use threads::{cores, in_parallel};
use unit::{Blocks, Unit};

/// A launch.
pub(crate) struct Grid<'a> {
    pub module: &'a Module,
    pub kernel: &'a Kernel,
    pub launch: &'a Launch<'a>,
    pub memory: &'a Memory,
    pub objects: &'a Objects,
    /// What texture reads see of arrays that the launch writes.
    pub stale: &'a Stale,
    pub addresses: &'a [u64],
    pub parameters: &'a Storage,
    /// Address of the workspace of grid barriers; 0 if the launch is not cooperative.
    pub workspace: u64,
    pub between: &'a Between,
    pub seed: u64,
    /// The blocks to run, if not all.
    pub only: Option<&'a [u64]>,
    pub watch: &'a Watch,
    pub scheduling: Scheduling,
    /// Present if hazards are to be detected.
    pub hazards: Option<&'a LaunchHazards<'a>>,
    /// Present if coverage is to be recorded.
    pub coverage: Option<&'a LaunchCoverage>,
    /// The device's heap, if this kernel or an earlier one allocates from it.
    pub heap: Option<&'a Heap>,
    /// Bytes of each thread's stack.
    pub stack_bytes: u64,
    /// Asked while all blocks wait, if the host runs concurrently with the launch.
    pub host: Option<Host<'a>>,
}

/// Which blocks a CPU thread runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Share {
    /// Some, beside other CPU threads.
    OfMany,
    All,
}

/// Most units that one CPU thread opens while all of them wait.
const MOST_OPEN: usize = 4096;

/// The state that the CPU threads share.
struct Progress {
    /// Position of the next unit to open.
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
    records: Mutex<Vec<(u64, Records)>>,
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn owned<T>(mutex: Mutex<T>) -> T {
    mutex.into_inner().unwrap_or_else(PoisonError::into_inner)
}

impl Grid<'_> {
    /// Runs all blocks on at most `threads` CPU threads; their output comes with the result.
    pub(crate) fn run(
        &self,
        level: Level,
        threads: Option<usize>,
    ) -> (Result<Events, Box<Fault>>, Printed) {
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
            limit: self.watch.limit.map(Limit::new),
            counts: Mutex::new(vec![BlockCount::default(); self.kernel.blocks().len()]),
            blocks_run: AtomicU64::new(0),
            prints: Mutex::default(),
            records: Mutex::default(),
        };
        if self.watch.is_on() {
            let machine = self.watch.traffic.filter(|_| self.between.place.is_some());
            let messages = machine.map(|machine| LaunchMessages::new(&machine, self.kernel));
            let messages = messages.as_ref();
            let watcher =
                || Watcher::new(self.watch, self.kernel, self.hazards, self.coverage, messages);
            self.go(level, threads, &progress, &watcher);
        } else {
            self.go(level, threads, &progress, &|| Unwatched);
        }
        let failed = progress.failed.load(Ordering::Relaxed);
        let printed = owned(progress.prints).printed(failed);
        if let Some((_, fault)) = owned(progress.fault) {
            return (Err(Box::new(fault)), printed);
        }
        let mut events = Events::from_blocks(self.kernel, owned(progress.counts));
        events.ran = self.coverage.map(|it| it.ran(self.kernel, &events.blocks));
        let place = |at| self.kernel.line_of(self.kernel.instruction(at));
        events.in_order = self.between.place.map(place);
        events.blocks_run = progress.blocks_run.into_inner();
        let mut records = owned(progress.records);
        records.sort_by_key(|(unit, _)| *unit);
        let records = records.into_iter().map(|(_, records)| records).collect();
        let Grid { module, kernel, launch, memory, .. } = *self;
        let report = FaultReport { module, kernel, launch, memory };
        (Ok(combine(self.watch, self.kernel, records, events, &report)), printed)
    }

    fn blocks(&self) -> u64 {
        self.launch.grid.iter().map(|&n| u64::from(n)).product()
    }

    /// The number of units: multiprocessors with work, or blocks.
    fn units(&self) -> u64 {
        if let Some(only) = self.only {
            return only.len() as u64;
        }
        let Some(machine) = self.watch.traffic else { return self.blocks() };
        let most = self.watch.multiprocessors.unwrap_or(machine.multiprocessors);
        u64::from(most.min(machine.multiprocessors).max(1)).min(self.blocks())
    }

    /// Multiprocessors with work whose blocks are not run. Those in the middle are run, because the first and the last
    /// block often are special and represent few. A trace needs the first warps.
    fn left_out(&self) -> u64 {
        let counts_few = self.watch.trace.is_none() && self.only.is_none();
        let Some(machine) = self.watch.traffic.filter(|_| counts_few) else {
            return 0;
        };
        u64::from(machine.multiprocessors.max(1)).min(self.blocks()) - self.units()
    }

    /// The code to execute. If a launch is only counted and not all of its blocks run, nothing can use their results,
    /// so instructions that do not affect the counts are left out.
    fn code(&self) -> &[Instruction] {
        let Watch { traffic, hazards, coverage, trace, .. } = self.watch;
        let counts_only = !hazards && !coverage && trace.is_none() && self.only.is_none();
        let machine = traffic.filter(|_| counts_only);
        let all = machine.map(|machine| u64::from(machine.multiprocessors).min(self.blocks()));
        // Another kernel may load what this one stores.
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
        let (distance, resident) = match self.watch.traffic {
            Some(machine) => (machine.multiprocessors.max(1).into(), machine.resident_blocks),
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
        progress: &Progress,
        listener: &(impl Fn() -> L + Sync),
    ) where
        L: Listener<Records = Records, Block: Send> + Send,
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

    /// Runs a CPU thread's share. Returns the units that another thread is to continue.
    fn work<L: Listener<Records = Records>>(
        &self,
        level: Level,
        progress: &Progress,
        listener: &impl Fn() -> L,
        mut open: Vec<Unit<L>>,
        share: Share,
    ) -> Vec<Unit<L>> {
        let mut cx = self.context(level, progress);
        let mut rooms: Vec<Room> = Vec::new();
        // The turns of one round: index in `open`, and block of that unit.
        let mut turns: Vec<(usize, usize)> = Vec::new();
        // All multiprocessors run at once if that is asked for, or if the time that one waits for another is measured.
        let with_clocks = self.watch.traffic.is_some() && self.between.place.is_some();
        let side_by_side = self.watch.cooperative || with_clocks;
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

    /// Ends the launch with a fault, because all blocks wait.
    fn stuck<L: Listener>(&self, progress: &Progress, cx: &mut Context, open: &[Unit<L>]) {
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

    /// The context that the blocks of one CPU thread share.
    fn context<'c>(&'c self, level: Level, progress: &'c Progress) -> Context<'c> {
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
    fn fails(&self, progress: &Progress, cx: &Context, block: u64, failure: Failure) {
        // A timeout stops all blocks.
        let block = if matches!(failure.cause, Cause::Overdue) { 0 } else { block };
        progress.failed.fetch_min(block, Ordering::Relaxed);
        let mut first = lock(&progress.fault);
        if first.as_ref().is_none_or(|(earlier, _)| block < *earlier) {
            *first = Some((block, self.fault(cx, failure)));
        }
    }
}
