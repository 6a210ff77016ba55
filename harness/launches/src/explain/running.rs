//! Runs a pass of a step on the simulator, through the ladder's own host code, and watches it.

use std::path::Path;
use std::thread;

use anyhow::{Result, anyhow};
use device::{
    CodeRoute, Device, Ptx, SimulatorDevice, Source, Watching, launch_limit, long_launch_limit,
};
use ladder::limits::{WHOLE, Watched, longest, repeated, watch};
use ladder::problem::{Growth, Input};
use ladder::{Ladder, Launch, Step, Threads};
use report::Figure;
use serde::Serialize;
use simt::model::Gpu;
use ui::Usage;

use super::timeline::{self, Timeline};
use crate::accounting::Accounting;
use crate::facts::{Facts, LineFacts};

/// The size for a step that does all its work in one thread.
const ONE_THREADS_SIZE: u64 = 512;

/// The largest size otherwise, and the smallest.
const SIZES: (u64, u64) = (1 << 17, 1 << 12);

/// Work of one multiprocessor that is simulated in about a second.
const WORK: f64 = (1u64 << 27) as f64;

/// The same in a fraction of a second: enough for what happens in a pass, and too little for its time on a GPU.
const LITTLE_WORK: f64 = (1u64 << 23) as f64;

/// Bytes on the simulated device that are filled and copied in a fraction of a second.
const BYTES: u64 = 1 << 27;

/// Of a launch of so many blocks, those of one multiprocessor stand for all.
const SAMPLED_FROM: u64 = 32;

/// The size at which a reader's kernel is searched for hazards: several blocks, the last one not full.
const SEARCHED: u64 = 1000;

/// The largest size that can be asked for, where some blocks stand for all; else it is [`WHOLE`].
const MOST: u64 = 1 << 24;

/// What is to be run.
#[derive(Clone, Copy)]
pub struct Task<'t> {
    /// The ladder of the step.
    pub ladder: &'static dyn Ladder,
    /// The step, or the one whose place a reader's kernel takes.
    pub step: &'t Step,
    /// A reader's kernel.
    pub file: Option<&'t Path>,
    /// The folder of the ladder's kernels.
    pub kernels: &'t Path,
    /// The size of the problem.
    pub size: u64,
    /// The GPU that is modelled.
    pub gpu: &'t Gpu,
    /// Whether the timeline of the first warps is recorded.
    pub timeline: bool,
    /// Whether every block is run and counted, however many there are. Else one multiprocessor's blocks stand for all of a large
    /// launch, and what the others do instead is not seen.
    pub whole: bool,
}

/// What was seen of a task.
#[derive(Debug, Serialize)]
pub struct Side {
    /// The step's folder, or the reader's file.
    pub name: String,
    /// What the step changes, or that the kernel is the reader's.
    pub changes: String,
    /// The size of the problem.
    pub size: u64,
    /// What the launches of a pass did.
    #[serde(rename = "launch")]
    pub facts: Facts,
    /// What a unit of work costs, where operations are counted for it.
    pub accounting: Option<Accounting>,
    /// What the host does for the step, in words.
    #[serde(skip)]
    pub on_the_host: Vec<(&'static str, String)>,
    /// The code as it was written.
    #[serde(skip)]
    pub source: Source,
    /// What was run.
    #[serde(skip)]
    pub ptx: Ptx,
    /// Work of a pass, in the units of the figure.
    #[serde(skip)]
    pub work: f64,
    /// What the ladder counts and compares.
    #[serde(skip)]
    pub figure: Figure,
    #[serde(skip)]
    timeline: Option<Timeline>,
}

impl Side {
    /// What the first warps did, if that was recorded, and the source lines that it may name.
    pub fn timeline(&self) -> Option<(&Timeline, &[LineFacts])> {
        Some((self.timeline.as_ref()?, &self.facts.lines))
    }
}

/// A size that shows what a step does on `gpu`, and still is simulated while a reader waits.
pub fn size(ladder: &dyn Ladder, step: &Step, gpu: &Gpu) -> Result<u64> {
    let open = ladder.open_plain()?;
    if open.growth() != Growth::Square && open.is_counted_by_few_blocks() {
        let device = SimulatorDevice::open(CodeRoute::Auto, gpu.clone());
        let n = open.default_size(step, device.info());
        let multiprocessors = gpu.chip.multiprocessors.value as u32;
        return Ok(open.sample(step, n, multiprocessors, true).n().min(MOST));
    }
    size_within(ladder, step, gpu, WORK)
}

/// A size that shows which events a pass has, and is simulated at once.
pub fn little_size(ladder: &dyn Ladder, step: &Step, gpu: &Gpu) -> Result<u64> {
    size_within(ladder, step, gpu, LITTLE_WORK)
}

/// A size of which a multiprocessor has at most so much work.
fn size_within(ladder: &dyn Ladder, step: &Step, gpu: &Gpu, most: f64) -> Result<u64> {
    if step.threads == Threads::One {
        return Ok(ONE_THREADS_SIZE);
    }
    let open = ladder.open_plain()?;
    let multiprocessors = gpu.chip.multiprocessors.value.max(1.0);
    let (mut size, mut fewest) = SIZES;
    // Of a problem with several dimensions, few along each are much.
    let memory = SimulatorDevice::open(CodeRoute::Auto, gpu.clone()).info().memory_bytes;
    if open.bytes(step, fewest) > memory {
        fewest = 1;
    }
    // Where few blocks cannot stand for all, all are run.
    let longest = if open.is_counted_by_few_blocks() { u64::MAX } else { WHOLE };
    let is_large = |size: u64| {
        open.work(size) / multiprocessors > most || open.bytes(step, size) > BYTES || size > longest
    };
    while size > fewest && is_large(size) {
        size /= 2;
    }
    Ok(size)
}

/// Runs two tasks at the same time. Where only one has machine code, PTX is compared with PTX; a reader's kernel and what it is
/// compared with come from one compiler.
pub fn both(old: &Task, new: &Task) -> Result<(Side, Side)> {
    let made = |source: &Source| match new.file {
        Some(_) => toolchain::comparable(source),
        None => Ok(source.clone()),
    };
    let (before, after) = thread::scope(|scope| {
        let old = scope.spawn(|| run_as(old, made));
        let after = run_as(new, made);
        let before =
            old.join().map_err(|_| anyhow!("the simulator gave up; please report this"))?;
        anyhow::Ok((before?, after?))
    })?;
    if after.facts.machine.arch.is_none() && before.facts.machine.arch.is_some() {
        return Ok((run_as(old, |source| Ok(source.as_ptx()))?, after));
    }
    Ok((before, after))
}

/// Runs one pass.
pub fn run(task: &Task) -> Result<Side> {
    run_as(task, |source| Ok(source.clone()))
}

/// Runs one pass of what is `made` of the task's source.
fn run_as(task: &Task, made: impl Fn(&Source) -> Result<Source, toolchain::Error>) -> Result<Side> {
    let source = source(task)?;
    run_source(task, &source, &made(&source)?)
}

/// Runs one pass of code that was read before, of which `run` is what is run. Without machine code, PTX instructions are
/// expanded one by one by a table of what they become.
pub fn run_source(task: &Task, source: &Source, run: &Source) -> Result<Side> {
    let Task { ladder, step, size, gpu, .. } = *task;
    let mut open = ladder.open_plain()?;
    let mut device = SimulatorDevice::open(CodeRoute::Auto, gpu.clone());
    let memory = device.info().memory_bytes;
    let most = if open.is_counted_by_few_blocks() { MOST } else { WHOLE };
    let what = if size > most {
        Some(format!("the most is {most}"))
    } else if open.bytes(step, size) > memory {
        Some(format!("the simulator has {memory} bytes of memory; take a smaller one"))
    } else {
        None
    };
    if let Some(what) = what {
        return Err(Usage(format!("--size {size} is too large to be explained; {what}")).into());
    }
    let launches = open.launches(step, size, gpu.chip.multiprocessors.value as u32);
    let blocks = launches.iter().map(Launch::blocks).max().unwrap_or(0);
    let sampled = !task.whole && blocks >= SAMPLED_FROM && open.is_counted_by_few_blocks();
    let limit = Some(long_launch_limit()?);
    let mut watched = |multiprocessors| {
        let watching = Watching {
            hazards: false,
            limit,
            trace: task.timeline.then_some(timeline::REQUEST),
            multiprocessors,
            // One of many passes: the inputs are still there from the last one, where they fit.
            warm_l2: open.bytes(step, size) as f64 <= gpu.chip.l2_bytes.value,
        };
        watch(&mut device, watching, &mut *open, step, run, Input::counted(size))
    };
    // A launch may need what every block of an earlier one left.
    let watched = match sampled {
        true => watched(Some(1)).or_else(|_| watched(None)),
        false => watched(None),
    }?;
    let Watched { profiles, code, ptx, .. } = watched;
    let profiles = repeated(profiles, 1.0);
    let (name, changes) = match task.file {
        Some(_) => (source.name.clone(), format!("your kernel in place of {}", step.name)),
        None => (step.name.to_owned(), step.changes.to_owned()),
    };
    let (work, figure) = (open.work(size), ladder.figure());
    let timeline = Timeline::of(&name, &profiles[longest(&profiles)]);
    Ok(Side {
        facts: Facts::of(&profiles, source, &code, &ptx),
        accounting: figure.flop.map(|flop| Accounting::new(&name, &profiles, work, flop)),
        on_the_host: ladder.on_the_host(step),
        name,
        changes,
        size,
        source: source.clone(),
        ptx,
        work,
        figure,
        timeline,
    })
}

/// The hazards of a reader's kernel, found at a small size and with all blocks.
pub fn hazards(task: &Task) -> Result<Vec<String>> {
    let source = source(task)?;
    let mut device = SimulatorDevice::open(CodeRoute::Auto, task.gpu.clone());
    let mut module = device.load(&source)?;
    let limit = Some(launch_limit()?);
    device.watch(Watching { hazards: true, limit, ..Watching::default() });
    let mut open = task.ladder.open_plain()?;
    // Twice, or two wholes: what one leaves behind, the next may read.
    let input = Input::trial(SEARCHED);
    let mut pass = open.place(&mut device, task.step, &mut module, input)?;
    pass.upload(&mut device)?;
    match pass.wholes(&mut device, 2)? {
        Some(mut work) => work(&mut device)?,
        None => (0..2).try_for_each(|_| pass.run(&mut device))?,
    }
    let profiles = device.take_profiles();
    let mut found: Vec<String> = Vec::new();
    for hazard in profiles.iter().flat_map(|profile| &profile.events.hazards) {
        // Every pass has the same.
        let text = hazard.to_string();
        if !found.contains(&text) {
            found.push(text);
        }
    }
    Ok(found)
}

/// The code of a task: the step's, or the reader's in its place.
///
/// # Errors
/// The files cannot be read.
pub fn source(task: &Task) -> Result<Source, device::Error> {
    match task.file {
        Some(file) => task.step.replaced(file, task.kernels),
        None => task.step.source(task.kernels),
    }
}
