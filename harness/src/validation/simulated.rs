//! Steps as the simulator sees them, each once for every n.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Context, Result};
use device::{CodeRoute, Profile, SimulatorDevice, Watching};
use ladder::limits::{longest, watch};
use ladder::problem::Input;
use ladder::{Ladder, Step, Threads};
use rayon::prelude::*;
use simt::model::{Estimate, Gpu};

use crate::ladders::{kernels, open};

/// The size at which a step in one thread is simulated; its time grows with the work.
const ONE_THREADS_SIZE: u64 = 1024;

/// What the model says of a pass of a step.
#[derive(Debug, Clone)]
pub struct Modelled {
    pub seconds: f64,
    /// What limits it.
    pub binding: &'static str,
}

/// The steps of a ladder on one modelled GPU.
pub struct Steps {
    ladder: &'static dyn Ladder,
    gpu: Gpu,
    kernels: PathBuf,
    known: BTreeMap<(String, u64), Modelled>,
}

impl Steps {
    pub fn new(ladder: &'static dyn Ladder, gpu: &Gpu) -> Result<Steps> {
        let kernels = kernels(ladder)?;
        Ok(Steps { ladder, gpu: gpu.clone(), kernels, known: BTreeMap::new() })
    }

    /// Models passes of these steps and sizes, over all cores.
    pub fn model<'s>(&mut self, wanted: impl Iterator<Item = (&'s str, u64)>) -> Result<()> {
        let mut wanted: Vec<(&str, u64)> = wanted.collect();
        wanted.sort();
        wanted.dedup();
        let modelled =
            wanted.par_iter().map(|&(step, n)| Ok(((step.to_owned(), n), self.one(step, n)?)));
        let modelled: Vec<_> = modelled.collect::<Result<_>>()?;
        self.known.extend(modelled);
        Ok(())
    }

    /// What [`Steps::model`] found.
    pub fn modelled(&self, step: &str, n: u64) -> Result<&Modelled> {
        self.known.get(&(step.to_owned(), n)).with_context(|| format!("{step} was not modelled"))
    }

    /// A step in one thread is simulated at a smaller size, and with caches that are smaller in proportion: what fits and
    /// what does not stays as it is, and the time grows with the work.
    fn one(&self, name: &str, n: u64) -> Result<Modelled> {
        let step = self.ladder.step(name);
        let step = step
            .with_context(|| format!("the ladder `{}` has no step `{name}`", self.ladder.name()))?;
        let simulated = match step.threads {
            Threads::One | Threads::Cores => n.min(ONE_THREADS_SIZE),
            Threads::Blocks { .. } => n,
        };
        let share = simulated as f64 / n as f64;
        let mut gpu = self.gpu.clone();
        gpu.memory.l1_bytes.value = (gpu.memory.l1_bytes.value * share).round();
        gpu.chip.l2_bytes.value = (gpu.chip.l2_bytes.value * share).round();
        let profiles = self.profiles_on(gpu, &step, simulated, Some(1))?;
        let sum = |of: fn(&Estimate) -> f64| profiles.iter().map(|p| of(&p.estimate)).sum::<f64>();
        let of_launch = sum(|estimate| estimate.launch_seconds);
        let all = sum(|estimate| estimate.seconds);
        let binding = profiles[longest(&profiles)].estimate.binding();
        Ok(Modelled {
            seconds: of_launch + (all - of_launch) / share.powi(2),
            binding: binding.map(|bound| bound.name).unwrap_or_default(),
        })
    }

    /// The launches of one pass of size `n`, all blocks of them.
    pub fn profiles(&self, step: &Step, n: u64) -> Result<Vec<Profile>> {
        self.profiles_on(self.gpu.clone(), step, n, None)
    }

    fn profiles_on(
        &self,
        gpu: Gpu,
        step: &Step,
        n: u64,
        multiprocessors: Option<u32>,
    ) -> Result<Vec<Profile>> {
        let source = step.source(&self.kernels)?;
        let mut device = SimulatorDevice::open(CodeRoute::Committed, gpu);
        let mut open = open(self.ladder)?;
        let watching = Watching { multiprocessors, warm_l2: true, ..Watching::default() };
        Ok(watch(&mut device, watching, &mut *open, step, &source, Input::trial(n))?.profiles)
    }
}
