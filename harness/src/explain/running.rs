//! Runs the force evaluation of a step on the simulator, through the ladder's own host code, and watches it.

use std::path::{Path, PathBuf};

use anyhow::Result;
use device::{CodeRoute, Device, Profile, Ptx, SimulatorDevice, Source, Watching};
use ladder::Step;
use ladder::limits::{Watched, watch};
use ladder::nbody::{self, Bodies, SEED, Simulation};
use simt::model::Gpu;
use simt::{Kernel, Trace, TraceRequest};

use super::facts::Facts;
use crate::accounting::Accounting;
use crate::names::Usage;

/// The time step that is watched: one like all but the first, which has no velocities to correct.
const TIME_STEP: u32 = 1;

/// Bodies for a step that does all its work in one thread.
const ONE_THREADS_BODIES: u64 = 512;

/// The most bodies otherwise, and the fewest.
const BODIES: (u64, u64) = (1 << 17, 1 << 12);

/// Interactions that are computed in about a second.
const INTERACTIONS: u64 = 1 << 27;

/// From this many bodies on, the blocks of one multiprocessor stand for all.
const SAMPLED_FROM: u64 = 8192;

/// Bodies at which a reader's kernel is searched for hazards: several blocks, the last one not full.
const SEARCHED: usize = 1000;

/// What is to be run.
#[derive(Debug, Clone)]
pub struct Task<'t> {
    /// The step, or the one whose place a reader's kernel takes.
    pub step: &'t Step,
    /// A reader's kernel.
    pub file: Option<&'t Path>,
    /// Where the steps' kernels are.
    pub kernels: &'t Path,
    /// How many bodies.
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
    /// Its code.
    pub source: Source,
    /// The PTX that ran.
    pub ptx: Ptx,
    /// The number of bodies.
    pub size: u64,
    /// What was seen.
    pub facts: Facts,
    /// What an interaction costs.
    pub accounting: Accounting,
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

impl Side {
    /// Pairs of bodies whose force on each other was computed.
    pub fn interactions(&self) -> f64 {
        self.size as f64 * self.size as f64
    }
}

/// How many bodies show what a step does on `gpu`, and still are simulated while a reader waits.
pub fn size(step: &Step, gpu: &Gpu) -> u64 {
    let Some(block) = step.threads.block() else { return ONE_THREADS_BODIES };
    let multiprocessors = (gpu.chip.multiprocessors.value as u64).max(1);
    let (mut size, fewest) = BODIES;
    let interactions = |size: u64| {
        let blocks = size.div_ceil(u64::from(block)).div_ceil(multiprocessors);
        blocks * u64::from(block) * size
    };
    while size > fewest && interactions(size) > INTERACTIONS {
        size /= 2;
    }
    size
}

/// Runs one force evaluation.
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
    let sampled = task.size >= SAMPLED_FROM && !task.step.threads.is_one();
    let watching = Watching {
        hazards: false,
        trace: task.trace,
        multiprocessors: sampled.then_some(1),
        // One of many time steps: the bodies are still there from the last one.
        warm_l2: nbody::bytes(task.step, task.size) as f64 <= task.gpu.chip.l2_bytes.value,
    };
    let bodies = bodies(task.size)?;
    let source = source(task)?;
    let mut device = SimulatorDevice::open(CodeRoute::Auto, task.gpu.clone());
    let watched = match with_machine_code {
        true => watch(&mut device, watching, task.step, &source, &bodies, TIME_STEP)?,
        false => {
            // Of PTX alone nobody knows the machine code.
            let ptx = Source { cuda: None, machine: None, ..source.clone() };
            watch(&mut device, watching, task.step, &ptx, &bodies, TIME_STEP)?
        }
    };
    let Watched { profiles, code, ptx } = &watched;
    let facts = Facts::of_launches(profiles, &source, code, ptx);
    let name = task.file.map_or_else(|| task.step.name.to_owned(), |_| source.name.clone());
    Ok(Side {
        changes: match task.file {
            Some(_) => format!("your kernel in the place of {}", task.step.name),
            None => task.step.changes.to_owned(),
        },
        facts,
        accounting: Accounting::new(&name, profiles, task.size),
        size: task.size,
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

/// The hazards of a reader's kernel, found with few bodies and all blocks.
///
/// # Errors
/// As [`run`].
pub fn hazards(task: &Task) -> Result<Vec<String>> {
    let source = source(task)?;
    let mut device = SimulatorDevice::open(CodeRoute::Auto, task.gpu.clone());
    let mut module = device.load(&source)?;
    device.watch(Watching { hazards: true, ..Watching::default() });
    let bodies = nbody::plummer(SEARCHED, SEED);
    let simulation = Simulation::new(&mut device, task.step, &mut module, &bodies)?;
    simulation.run(&mut device, 2)?;
    let found = device.take_profiles();
    let mut told: Vec<String> = Vec::new();
    for hazard in found.iter().flat_map(|profile| &profile.events.hazards) {
        // Every time step has the same.
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
            let source = Source::from_file(file, task.step.options())?;
            Ok(Source { needs: task.step.needs, ..source })
        }
        None => task.step.source(task.kernels),
    }
}

fn bodies(size: u64) -> Result<Bodies, Usage> {
    /// Positions and velocities of as many fit the simulator's memory.
    const MOST: u64 = 1 << 24;
    match usize::try_from(size) {
        Ok(count) if size <= MOST => Ok(nbody::plummer(count, SEED)),
        _ => Err(Usage(format!("--size {size} is too large to be explained; the most is {MOST}"))),
    }
}

/// The folder of a ladder's kernels.
///
/// # Errors
/// Not inside a clone of the repository.
pub fn kernels(ladder: &str) -> Result<PathBuf> {
    Ok(ladder::workspace::root()?.join("kernels").join(ladder))
}
