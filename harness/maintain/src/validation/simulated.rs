//! Steps as the simulator sees them, each once for every n.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Context, Result};
use device::{CodeRoute, Profile, SimulatorDevice, Watching};
use ladder::limits::{Modelled, model, watch};
use ladder::problem::Input;
use ladder::{Ladder, Step};
use rayon::prelude::*;
use simt::model::Gpu;

/// The steps of a ladder on one modelled GPU.
pub struct Steps {
    ladder: &'static dyn Ladder,
    gpu: Gpu,
    kernels: PathBuf,
    known: BTreeMap<(String, u64), Modelled>,
}

impl Steps {
    pub fn new(ladder: &'static dyn Ladder, gpu: &Gpu) -> Result<Steps> {
        let kernels = ladder.kernels()?;
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
        let source = step.source(&self.kernels)?;
        Ok(model(&mut *self.ladder.open_plain()?, &step, &source, &self.gpu, n)?)
    }

    /// The launches of one pass of size `n`, all blocks of them.
    pub fn profiles(&self, step: &Step, n: u64) -> Result<Vec<Profile>> {
        let watching = Watching { warm_l2: true, ..Watching::default() };
        let source = step.source(&self.kernels)?;
        let mut device = SimulatorDevice::open(CodeRoute::Committed, self.gpu.clone());
        let mut open = self.ladder.open_plain()?;
        let input = Input::trial(n);
        Ok(watch(&mut device, watching, &mut *open, step, &source, input)?.profiles)
    }
}
