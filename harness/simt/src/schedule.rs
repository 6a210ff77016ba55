//! Blocks over the cores.
//!
//! Each CPU thread takes the next block that has not begun, in order. So a block may wait for earlier ones (as a
//! decoupled look-back does), but not for later ones. Counts are sums over blocks, and of several faults that of the
//! first block is told: neither depends on the number of CPU threads.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::alu::Build;
use crate::exec::block::{Surroundings, run_block, thread};
use crate::exec::{Cause, Context, Failure, Warp, nearest};
use crate::fault::{Access, Fault, FaultKind};
use crate::memory::{Memory, Storage};
use crate::{BlockCount, Events, Kernel, Launch, Level, Module};

/// A launch.
pub(crate) struct Grid<'a> {
    pub module: &'a Module,
    pub kernel: &'a Kernel,
    pub launch: &'a Launch<'a>,
    pub memory: &'a Memory,
    pub addresses: &'a [u64],
    pub parameters: &'a Storage,
    pub warp_seed: u64,
}

/// What the CPU threads share.
struct Progress {
    /// The next block to begin.
    next: AtomicU64,
    total: u64,
    /// The first block that failed; `u64::MAX` if none did.
    failed: AtomicU64,
    fault: Mutex<Option<(u64, Fault)>>,
    /// CPU threads that still run blocks, and those of them whose block is stuck.
    working: AtomicUsize,
    stuck: AtomicUsize,
}

/// A block's view of the others.
struct Others<'a> {
    progress: &'a Progress,
    block: u64,
    is_stuck: std::cell::Cell<bool>,
}

impl Surroundings for Others<'_> {
    fn is_cancelled(&self) -> bool {
        self.progress.failed.load(Ordering::Relaxed) < self.block
    }

    fn stuck(&self, is_stuck: bool) -> bool {
        let progress = self.progress;
        match (self.is_stuck.replace(is_stuck), is_stuck) {
            (false, true) => progress.stuck.fetch_add(1, Ordering::SeqCst),
            (true, false) => progress.stuck.fetch_sub(1, Ordering::SeqCst),
            _ => 0,
        };
        progress.stuck.load(Ordering::SeqCst) == progress.working.load(Ordering::SeqCst)
    }
}

impl Grid<'_> {
    /// Runs all blocks, on at most `threads` CPU threads.
    pub(crate) fn run(&self, level: Level, threads: Option<usize>) -> Result<Events, Box<Fault>> {
        let total = self.launch.grid.iter().map(|&n| u64::from(n)).product();
        let threads =
            threads.unwrap_or_else(cores).min(usize::try_from(total).unwrap_or(usize::MAX));
        let progress = Progress {
            next: AtomicU64::new(0),
            total,
            failed: AtomicU64::new(u64::MAX),
            fault: Mutex::new(None),
            working: AtomicUsize::new(threads),
            stuck: AtomicUsize::new(0),
        };
        let counts = Mutex::new(vec![BlockCount::default(); self.kernel.blocks().len()]);
        let work = || {
            let own = self.work(level, &progress);
            progress.working.fetch_sub(1, Ordering::SeqCst);
            let mut counts = counts.lock().unwrap_or_else(PoisonError::into_inner);
            for (sum, own) in counts.iter_mut().zip(own) {
                sum.executions += own.executions;
                sum.lanes += own.lanes;
            }
        };
        in_parallel(threads, &work);
        if let Some((_, fault)) =
            progress.fault.into_inner().unwrap_or_else(PoisonError::into_inner)
        {
            return Err(Box::new(fault));
        }
        let counts = counts.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(Events::from_blocks(self.kernel, counts))
    }

    /// One CPU thread's share.
    fn work(&self, level: Level, progress: &Progress) -> Vec<BlockCount> {
        let program = &self.kernel.program;
        // The launch's own shared memory begins where any type is aligned.
        let fixed = u64::from(self.kernel.shared_bytes()).next_multiple_of(16);
        let dynamic = self.launch.shared_bytes;
        let shared_bytes = if dynamic > 0 {
            fixed + u64::from(dynamic)
        } else {
            self.kernel.shared_bytes().into()
        };
        let mut cx = Context {
            build: Build::new(level),
            program,
            memory: self.memory,
            addresses: self.addresses,
            parameters: self.parameters,
            grid: self.launch.grid,
            threads: self.launch.block,
            block: [0; 3],
            shared: Storage::new(shared_bytes).unwrap_or_default(),
            shared_bytes,
            dynamic_shared_bytes: dynamic,
            warp_seed: self.warp_seed,
            counts: vec![BlockCount::default(); program.blocks.len()],
            hints: vec![u32::MAX; program.accesses.len()],
        };
        let mut warps: Vec<Warp> = Vec::new();
        let [width, height, _] = self.launch.grid.map(u64::from);
        loop {
            let index = progress.next.fetch_add(1, Ordering::Relaxed);
            if index >= progress.total || index > progress.failed.load(Ordering::Relaxed) {
                return cx.counts;
            }
            cx.block =
                [index % width, index / width % height, index / width / height].map(|n| n as u32);
            let others = Others { progress, block: index, is_stuck: false.into() };
            if let Err(failure) = run_block(&mut cx, &mut warps, &others) {
                others.stuck(false);
                progress.failed.fetch_min(index, Ordering::Relaxed);
                let mut first = progress.fault.lock().unwrap_or_else(PoisonError::into_inner);
                if first.as_ref().is_none_or(|(earlier, _)| index < *earlier) {
                    *first = Some((index, self.fault(&cx, *failure)));
                }
            }
        }
    }

    /// Tells a failure in the words of the source.
    fn fault(&self, cx: &Context, failure: Failure) -> Fault {
        let kind = match failure.cause {
            Cause::Access { problem, write, space, bytes, address } => {
                let nearest = nearest(cx, space, address);
                FaultKind::Access(Access { problem, write, space, bytes, address, nearest })
            }
            Cause::Trap => FaultKind::Trap,
            Cause::Deadlock(text) => FaultKind::Deadlock(text),
            Cause::Livelock(text) => FaultKind::Livelock(text),
        };
        let (line, location) = cx.program.lines[failure.at as usize];
        let cuda = self.module.source_files.get(&location.file).map(|f| (f.clone(), location.line));
        Fault {
            kind,
            kernel: self.kernel.name().to_string(),
            file: self.module.file.clone(),
            line,
            cuda: cuda.filter(|_| location.line > 0),
            block: cx.block,
            thread: thread(cx, failure.warp, failure.lane),
        }
    }
}

#[cfg(feature = "parallel")]
fn cores() -> usize {
    rayon::current_num_threads()
}

#[cfg(not(feature = "parallel"))]
fn cores() -> usize {
    1
}

/// Calls `work` on each of some CPU threads.
#[cfg(feature = "parallel")]
fn in_parallel(threads: usize, work: &(impl Fn() + Sync)) {
    if threads == 1 {
        return work();
    }
    rayon::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|_| work());
        }
    });
}

#[cfg(not(feature = "parallel"))]
fn in_parallel(threads: usize, work: &impl Fn()) {
    for _ in 0..threads {
        work();
    }
}
