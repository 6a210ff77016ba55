//! Steps as the simulator sees them, each run once however many pages show it.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use anyhow::{Context, Result, anyhow};
use ladder::{Ladder, Step};
use launches::explain::running::{self, Side, Task};
use simt::model::Gpu;

/// The GPU on which the book's steps were measured, and which is modelled.
pub const GPU: &str = "h200";

/// The steps that have been run.
#[derive(Default)]
pub struct Sides {
    known: Mutex<BTreeMap<(&'static str, &'static str), Arc<Side>>>,
}

impl Sides {
    /// What the simulator sees of `step`: as `explain` runs it, with the kernels below `root`.
    ///
    /// # Errors
    /// Kernels that are not there, or a fault of one of them.
    pub fn of(&self, root: &Path, ladder: &'static dyn Ladder, step: &Step) -> Result<Arc<Side>> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (ladder.name(), step.name);
        if !known.contains_key(&key) {
            let gpu = Gpu::named(GPU)?;
            let size = |step: &Step| running::size(ladder, step, &gpu);
            let sides = all(root, ladder, &ladder.steps(), &gpu, &size)?;
            let named = sides.into_iter().map(|(step, side)| ((key.0, step), Arc::new(side)));
            known.extend(named);
        }
        known.get(&key).cloned().with_context(|| format!("{} is no step of {}", key.1, key.0))
    }
}

/// Steps of a ladder as `gpu` is modelled, each at the size that it is given, on all cores; in no order.
pub fn all(
    root: &Path,
    ladder: &'static dyn Ladder,
    steps: &[Step],
    gpu: &Gpu,
    size: &(dyn Fn(&Step) -> Result<u64> + Sync),
) -> Result<Vec<(&'static str, Side)>> {
    let kernels = &root.join("kernels").join(ladder.name());
    let next = AtomicUsize::new(0);
    let run = |step: &Step| {
        let size = size(step)?;
        running::run(&Task {
            ladder,
            step,
            file: None,
            kernels,
            size,
            gpu,
            timeline: false,
            whole: false,
        })
    };
    let work = || {
        let mut done = Vec::new();
        while let Some(step) = steps.get(next.fetch_add(1, Ordering::Relaxed)) {
            done.push((step.name, run(step)));
        }
        done
    };
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let done: Vec<_> = thread::scope(|scope| {
        let threads: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
        threads.into_iter().map(thread::ScopedJoinHandle::join).collect()
    });
    let mut sides = Vec::new();
    for part in done {
        let part = part.map_err(|_| anyhow!("the simulator gave up; please report this"))?;
        for (name, side) in part {
            sides.push((name, side.with_context(|| format!("cannot run {name}"))?));
        }
    }
    Ok(sides)
}
