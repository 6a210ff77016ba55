//! Steps as the simulator sees them, each once for every n.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Context, Result};
use device::{CodeRoute, Device, Profile, SimulatorDevice, Source, Watching};
use ladder::nbody::{SEED, Simulation, plummer};
use ladder::{Ladder, Step, Threads, workspace};
use simt::model::Gpu;

/// Bodies at which a step in one thread is simulated; its time grows with the number of pairs.
const ONE_THREADS_BODIES: u64 = 1024;

/// What the model says of a step.
#[derive(Debug, Clone)]
pub struct Modelled {
    /// Time of a force evaluation, s.
    pub seconds: f64,
    /// What limits it.
    pub binding: String,
}

/// The steps of a ladder on one modelled GPU.
pub struct Steps {
    ladder: &'static Ladder,
    gpu: Gpu,
    kernels: PathBuf,
    known: BTreeMap<(String, u64), Modelled>,
}

impl Steps {
    /// The steps of `ladder` on `gpu`.
    ///
    /// # Errors
    /// Not inside a clone of the repository.
    pub fn new(ladder: &'static Ladder, gpu: &Gpu) -> Result<Steps> {
        let kernels = workspace::root()?.join("kernels").join(ladder.name);
        Ok(Steps { ladder, gpu: gpu.clone(), kernels, known: BTreeMap::new() })
    }

    /// The modelled time of one force evaluation of `n` bodies.
    ///
    /// # Errors
    /// No such step, or a fault of its kernel.
    pub fn modelled(&mut self, step: &str, n: u64) -> Result<Modelled> {
        let key = (step.to_owned(), n);
        if let Some(modelled) = self.known.get(&key) {
            return Ok(modelled.clone());
        }
        let found = self.step(step)?;
        let simulated = match found.threads {
            Threads::One => n.min(ONE_THREADS_BODIES),
            Threads::PerBody { .. } => n,
        };
        let estimate = self.profile(found, simulated, Some(1))?.estimate;
        let pairs = (n as f64 / simulated as f64).powi(2);
        let modelled = Modelled {
            seconds: estimate.launch_seconds + (estimate.seconds - estimate.launch_seconds) * pairs,
            binding: estimate.binding().map(|bound| bound.name.to_owned()).unwrap_or_default(),
        };
        self.known.insert(key, modelled.clone());
        Ok(modelled)
    }

    /// One force evaluation of `n` bodies, watched; on `multiprocessors` of the GPU, which stand for all.
    ///
    /// # Errors
    /// A fault of the kernel.
    pub fn profile(&self, step: &Step, n: u64, multiprocessors: Option<u32>) -> Result<Profile> {
        let source = Source::from_kernels(&self.kernels, step.name, step.cuda, step.options)?;
        let mut device = SimulatorDevice::open(CodeRoute::Committed, self.gpu.clone());
        let mut module = device.load(&source)?;
        let bodies = plummer(usize::try_from(n).context("the number of bodies")?, SEED);
        device.watch(Watching { multiprocessors, warm_l2: true, ..Watching::default() });
        let simulation = Simulation::new(&mut device, step, &mut module, &bodies)?;
        simulation.force(&mut device, 0)?;
        device.take_profiles().pop().with_context(|| format!("{} launched nothing", step.name))
    }

    /// A step by its folder.
    ///
    /// # Errors
    /// The ladder has no such step.
    pub fn step(&self, name: &str) -> Result<&'static Step> {
        let found = self.ladder.steps.iter().find(|step| step.name == name);
        found.with_context(|| format!("the ladder `{}` has no step `{name}`", self.ladder.name))
    }
}
