//! Runs a pass of a step on the simulator, through the ladder's own host code, and watches it.

use std::path::{Path, PathBuf};

use anyhow::Result;
use device::{CodeRoute, Device, Profile, Ptx, SimulatorDevice, Source, Watching, launch_limit};
use ladder::limits::{Watched, watch};
use ladder::problem::Input;
use ladder::{Ladder, Open, Step, Threads};
use report::{Figure, Request};
use simt::model::Gpu;
use simt::{Kernel, Trace, TraceRequest};

use super::facts::Facts;
use crate::accounting::Accounting;
use crate::names::Usage;

/// The size for a step that does all its work in one thread.
const ONE_THREADS_SIZE: u64 = 512;

/// The largest size otherwise, and the smallest.
const SIZES: (u64, u64) = (1 << 17, 1 << 12);

/// Work of one multiprocessor that is simulated in about a second.
const WORK: f64 = (1u64 << 27) as f64;

/// Bytes on the simulated device that are filled and copied in a fraction of a second.
const BYTES: u64 = 1 << 27;

/// From this size on, the blocks of one multiprocessor stand for all.
const SAMPLED_FROM: u64 = 8192;

/// The size at which a reader's kernel is searched for hazards: several blocks, the last one not full.
const SEARCHED: u64 = 1000;

/// The largest size that fits the simulator's memory.
const MOST: u64 = 1 << 24;

/// What is to be run.
#[derive(Clone, Copy)]
pub struct Task<'t> {
    /// The ladder.
    pub ladder: &'static dyn Ladder,
    /// The step, or the one whose place a reader's kernel takes.
    pub step: &'t Step,
    /// A reader's kernel.
    pub file: Option<&'t Path>,
    /// Where the steps' kernels are.
    pub kernels: &'t Path,
    /// The size.
    pub size: u64,
    /// The GPU that is modelled.
    pub gpu: &'t Gpu,
    /// What to record.
    pub trace: Option<TraceRequest>,
}

/// What became of it.
#[derive(Debug)]
pub struct Side {
    /// The step's folder, or the reader's file.
    pub name: String,
    /// What the step changes, or that the kernel is the reader's.
    pub changes: String,
    /// What the host does for it, in words.
    pub on_the_host: Vec<(&'static str, String)>,
    /// Its code.
    pub source: Source,
    /// The PTX that ran.
    pub ptx: Ptx,
    /// The size.
    pub size: u64,
    /// Its work, in the units of the figure.
    pub work: f64,
    /// The ladder's figure of merit.
    pub figure: Figure,
    /// What was seen.
    pub facts: Facts,
    /// What a unit of work costs, where operations are counted for it.
    pub accounting: Option<Accounting>,
    /// What was recorded, if that was asked for.
    pub trace: Option<Recorded>,
}

/// A recorded timeline, with the code that it speaks of.
#[derive(Debug)]
pub struct Recorded {
    /// What the warps did.
    pub trace: Trace,
    /// The code of the kernel that did it.
    pub module: std::sync::Arc<simt::Module>,
    /// Its name.
    pub kernel: String,
}

impl Recorded {
    /// The kernel.
    pub fn kernel(&self) -> Option<&Kernel> {
        self.module.kernel(&self.kernel)
    }
}

/// A size that shows what a step does on `gpu`, and still is simulated while a reader waits.
///
/// # Errors
/// The problem cannot be opened.
pub fn size(ladder: &dyn Ladder, step: &Step, gpu: &Gpu) -> Result<u64> {
    if step.threads == Threads::One {
        return Ok(ONE_THREADS_SIZE);
    }
    let open = open(ladder)?;
    let multiprocessors = gpu.chip.multiprocessors.value.max(1.0);
    let (mut size, fewest) = SIZES;
    let is_large =
        |size: u64| open.work(size) / multiprocessors > WORK || open.bytes(step, size) > BYTES;
    while size > fewest && is_large(size) {
        size /= 2;
    }
    Ok(size)
}

fn open(ladder: &dyn Ladder) -> Result<Box<dyn Open>, Usage> {
    let asked = Request { ladder: ladder.name().to_owned(), ..Request::default() };
    ladder.open(&asked).map_err(Usage)
}

/// Runs one pass.
///
/// # Errors
/// Code that is not there or cannot run, or a fault of it.
pub fn run(task: &Task) -> Result<Side> {
    run_with(task, true)
}

/// The same with PTX instructions expanded one by one, as if there were no machine code: to be compared with code of
/// which there is none.
///
/// # Errors
/// As [`run`].
pub fn run_expanded(task: &Task) -> Result<Side> {
    run_with(task, false)
}

fn run_with(task: &Task, with_machine_code: bool) -> Result<Side> {
    if task.size > MOST {
        let size = task.size;
        let what = format!("--size {size} is too large to be explained; the most is {MOST}");
        return Err(Usage(what).into());
    }
    let mut open = open(task.ladder)?;
    let sampled = task.size >= SAMPLED_FROM && task.step.threads != Threads::One;
    let watching = Watching {
        hazards: false,
        limit: Some(launch_limit()?),
        trace: task.trace,
        multiprocessors: sampled.then_some(1),
        // One of many passes: the inputs are still there from the last one, where they fit.
        warm_l2: open.bytes(task.step, task.size) as f64 <= task.gpu.chip.l2_bytes.value,
    };
    let source = source(task)?;
    let mut device = SimulatorDevice::open(CodeRoute::Auto, task.gpu.clone());
    let run = match with_machine_code {
        true => source.clone(),
        // Of PTX alone nobody knows the machine code.
        false => Source { cuda: None, machine: None, ..source.clone() },
    };
    let input = Input::counted(task.size);
    let watched = watch(&mut device, watching, &mut *open, task.step, &run, input)?;
    let Watched { profiles, code, ptx } = &watched;
    let facts = Facts::of_launches(profiles, &source, code, ptx);
    let name = task.file.map_or_else(|| task.step.name.to_owned(), |_| source.name.clone());
    let (work, figure) = (open.work(task.size), task.ladder.figure());
    Ok(Side {
        changes: match task.file {
            Some(_) => format!("your kernel in the place of {}", task.step.name),
            None => task.step.changes.to_owned(),
        },
        on_the_host: task.ladder.on_the_host(task.step),
        facts,
        accounting: figure.flop.map(|flop| Accounting::new(&name, profiles, work, flop)),
        size: task.size,
        work,
        figure,
        name,
        source,
        ptx: ptx.clone(),
        trace: recorded(watched.into_longest()),
    })
}

/// What was recorded of a launch.
fn recorded(profile: Profile) -> Option<Recorded> {
    let Profile { events, module, kernel, .. } = profile;
    events.trace.map(|trace| Recorded { trace, module, kernel })
}

/// The hazards of a reader's kernel, found at a small size and with all blocks.
///
/// # Errors
/// As [`run`].
pub fn hazards(task: &Task) -> Result<Vec<String>> {
    let source = source(task)?;
    let mut device = SimulatorDevice::open(CodeRoute::Auto, task.gpu.clone());
    let mut module = device.load(&source)?;
    let limit = Some(launch_limit()?);
    device.watch(Watching { hazards: true, limit, ..Watching::default() });
    let mut open = open(task.ladder)?;
    // Twice, or two wholes: what one leaves behind, the next may read.
    let input = Input::trial(SEARCHED);
    let mut pass = open.place(&mut device, task.step, &mut module, input)?;
    pass.upload(&mut device)?;
    match pass.wholes(&mut device, 2)? {
        Some(mut work) => work(&mut device)?,
        None => (0..2).try_for_each(|_| pass.run(&mut device))?,
    }
    let found = device.take_profiles();
    let mut told: Vec<String> = Vec::new();
    for hazard in found.iter().flat_map(|profile| &profile.events.hazards) {
        // Every pass has the same.
        let text = hazard.to_string();
        if !told.contains(&text) {
            told.push(text);
        }
    }
    Ok(told)
}

fn source(task: &Task) -> Result<Source, device::Error> {
    match task.file {
        Some(file) => {
            let source = Source::replacing(file, task.step.options(), task.kernels)?;
            Ok(Source { needs: task.step.needs, ..source })
        }
        None => task.step.source(task.kernels),
    }
}

/// The folder of a ladder's kernels.
///
/// # Errors
/// Not inside a clone of the repository.
pub fn kernels(ladder: &str) -> Result<PathBuf> {
    Ok(ladder::workspace::root()?.join("kernels").join(ladder))
}
