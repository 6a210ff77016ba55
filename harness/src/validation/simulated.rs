//! Steps as the simulator sees them, each once for every n.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use device::{CodeRoute, Profile, SimulatorDevice, Watching};
use ladder::limits::{WHOLE, longest, repeated, watch};
use ladder::problem::{Growth, Input};
use ladder::{Ladder, Open, Step, Threads};
use rayon::prelude::*;
use simt::model::{Estimate, Gpu};

use crate::ladders::{kernels, open};

/// The size at which a step in one thread is simulated; its time grows with the work.
const ONE_THREADS_SIZE: u64 = 1024;

/// The most bytes of what is simulated where the work is done once: more than caches hold.
const SIMULATED_BYTES: u64 = 1 << 27;

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

    fn one(&self, name: &str, n: u64) -> Result<Modelled> {
        let step = self.ladder.step(name);
        let step = step
            .with_context(|| format!("the ladder `{}` has no step `{name}`", self.ladder.name()))?;
        let mut open = open(self.ladder)?;
        let is_whole = !open.is_counted_by_few_blocks();
        if is_whole && n > WHOLE {
            bail!(
                "all blocks of {name} must be simulated, and n = {n} is too large for that: hold the model against \
                 a report of n = {WHOLE} or less"
            );
        }
        let simulated = if is_whole { n } else { simulated(&*open, &step, n) };
        let (mut gpu, mut warm_l2) = (self.gpu.clone(), true);
        match open.growth() {
            // Caches that are smaller in proportion: what fits and what does not stays as it is.
            Growth::Square => {
                let share = simulated as f64 / n as f64;
                gpu.memory.l1_bytes.value = (gpu.memory.l1_bytes.value * share).round();
                gpu.chip.l2_bytes.value = (gpu.chip.l2_bytes.value * share).round();
            }
            Growth::Work => warm_l2 = open.bytes(&step, n) as f64 <= gpu.chip.l2_bytes.value,
        }
        let work = open.work(n) / open.work(simulated);
        let multiprocessors = (!is_whole).then_some(1);
        let watching = Watching { multiprocessors, warm_l2, ..Watching::default() };
        let profiles = self.profiles_on(gpu, &mut *open, &step, simulated, watching)?;
        let profiles = repeated(profiles, work);
        let sum = |of: fn(&Estimate) -> f64| profiles.iter().map(|p| of(&p.estimate)).sum::<f64>();
        let of_launch = sum(|estimate| estimate.launch_seconds);
        let all = sum(|estimate| estimate.seconds);
        let binding = profiles[longest(&profiles)].estimate.binding();
        let seconds = of_launch + (all - of_launch) * work;
        Ok(Modelled {
            seconds: self.gpu.pass_seconds(seconds, profiles.len()),
            binding: binding.map(|bound| bound.name).unwrap_or_default(),
        })
    }

    /// The launches of one pass of size `n`, all blocks of them.
    pub fn profiles(&self, step: &Step, n: u64) -> Result<Vec<Profile>> {
        let watching = Watching { warm_l2: true, ..Watching::default() };
        self.profiles_on(self.gpu.clone(), &mut *open(self.ladder)?, step, n, watching)
    }

    fn profiles_on(
        &self,
        gpu: Gpu,
        open: &mut dyn Open,
        step: &Step,
        n: u64,
        watching: Watching,
    ) -> Result<Vec<Profile>> {
        let source = step.source(&self.kernels)?;
        let mut device = SimulatorDevice::open(CodeRoute::Committed, gpu);
        let mut watched =
            |watching| watch(&mut device, watching, open, step, &source, Input::trial(n));
        // A launch may need what all blocks of an earlier one have done.
        let all = Watching { multiprocessors: None, ..watching };
        Ok(watched(watching).or_else(|_| watched(all))?.profiles)
    }
}

/// The size at which a step is simulated: a smaller one of a step in one thread, and where much memory is needed.
fn simulated(open: &dyn Open, step: &Step, n: u64) -> u64 {
    if open.growth() == Growth::Work {
        let mut size = n;
        while open.bytes(step, size) > SIMULATED_BYTES {
            size /= 2;
        }
        return size;
    }
    match step.threads {
        Threads::One | Threads::Cores => n.min(ONE_THREADS_SIZE),
        Threads::Blocks { .. } => n,
    }
}
