//! A case on a device, as the core runs and judges it.

use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use device::{Device, Error, Graph, Module};
use ladder::problem::{Checked, Copied, Failed, Pass};
use report::Extra;
use report::statistics::median;

use crate::case::Case;
use crate::judge;
use crate::kept::{Kept, OF_MANY, OF_ONE};
use crate::memory::Memory;
use crate::step::{Call, Host};

/// Time steps of which each launch is timed, at most: the median counts.
const MOST_ROUNDS: usize = 7;

/// No further one begins after so long.
const ENOUGH: Duration = Duration::from_millis(200);

/// A case on a device.
pub(crate) struct Placed<'m> {
    /// The step's name.
    pub(crate) step: &'static str,
    pub(crate) module: &'m Module,
    pub(crate) host: Host,
    pub(crate) memory: Memory,
    pub(crate) case: Arc<Case>,
}

impl Placed<'_> {
    pub(crate) fn time_step(&self, device: &mut dyn Device) -> Result<(), Error> {
        let mut calls = self.host.calls.iter();
        calls.try_for_each(|call| self.call(device, call))
    }

    pub(crate) fn call(&self, device: &mut dyn Device, call: &Call) -> Result<(), Error> {
        self.memory.call(device, self.module, call, &self.case.values)
    }

    /// Whether it begins with the accelerations of a time step before: all but the first have them. Where several are
    /// judged, these begin with the first.
    pub(crate) fn is_later(&self) -> bool {
        self.case.trajectory.is_none() && self.memory.has_accelerations()
    }

    /// Places the bodies again, with the accelerations that a time step left.
    pub(crate) fn again(&self, device: &mut dyn Device) -> Result<(), Error> {
        let accelerations = self.memory.accelerations(device)?;
        self.memory.upload(device, &self.case.bodies)?;
        self.memory.upload_accelerations(device, &accelerations)
    }

    /// Places what the GPU keeps; whether it keeps anything, as it may where time counts.
    pub(crate) fn restore_from(&self, device: &mut dyn Device, kept: &Kept) -> Result<bool, Error> {
        Ok(self.may_keep(device) && self.memory.restore(device, self.step, kept)?)
    }

    /// Has the GPU keep its arrays as they are now, if it may.
    pub(crate) fn keep_in(&self, device: &mut dyn Device, kept: &Kept) -> Result<(), Error> {
        match self.may_keep(device) {
            true => self.memory.keep(device, self.step, kept, OF_ONE),
            false => Ok(()),
        }
    }

    fn may_keep(&self, device: &dyn Device) -> bool {
        self.case.is_timed && device.info().modelled.is_none()
    }

    /// How many time steps a pass has.
    pub(crate) fn time_steps(&self) -> u32 {
        self.case.trajectory.as_ref().map_or(1, |it| it.count)
    }

    /// How long each kernel takes, ms: the launches of some time steps, each timed alone.
    fn kernels(&self, device: &mut dyn Device) -> Result<Vec<Extra>, Error> {
        self.memory.upload(device, &self.case.bodies)?;
        let mut rounds: Vec<Vec<f64>> = Vec::new();
        let began = Instant::now();
        while rounds.len() < MOST_ROUNDS && (rounds.is_empty() || began.elapsed() < ENOUGH) {
            let time = |call: &Call| {
                let mut launch = |device: &mut dyn Device| self.call(device, call);
                Ok(device.time(&mut launch)?.seconds)
            };
            rounds.push(self.host.calls.iter().map(time).collect::<Result<_, Error>>()?);
        }
        let mut kernels: Vec<(&str, f64)> = Vec::new();
        for (place, call) in self.host.calls.iter().enumerate() {
            let seconds = median(&rounds.iter().map(|round| round[place]).collect::<Vec<f64>>());
            match kernels.iter_mut().find(|(kernel, _)| *kernel == call.kernel) {
                Some((_, all)) => *all += seconds.unwrap_or(0.0),
                None => kernels.push((call.kernel, seconds.unwrap_or(0.0))),
            }
        }
        let extra = |(kernel, seconds): (&str, f64)| Extra {
            name: format!("ms of {kernel}"),
            value: 1e3 * seconds,
        };
        Ok(kernels.into_iter().map(extra).collect())
    }
}

impl Pass for Placed<'_> {
    /// Places the bodies. A step that uses the last time step's accelerations begins with those of a first one.
    fn upload(&mut self, device: &mut dyn Device) -> Result<(), Error> {
        self.memory.upload(device, &self.case.bodies)?;
        if self.is_later() {
            self.time_step(device)?;
            self.again(device)?;
        }
        Ok(())
    }

    fn restore(&mut self, device: &mut dyn Device) -> Result<(), Error> {
        let Placed { step, memory, case, .. } = &*self;
        if memory.restore(device, step, &case.kept)? {
            return Ok(());
        }
        self.upload(device)?;
        self.memory.keep(device, self.step, &self.case.kept, OF_MANY)
    }

    fn run(&self, device: &mut dyn Device) -> Result<(), Error> {
        let count = self.time_steps();
        match self.record(device)? {
            Some(graph) => (0..count).try_for_each(|_| device.replay(&graph)),
            None => (0..count).try_for_each(|_| self.time_step(device)),
        }
    }

    fn record<'p>(&'p self, device: &mut dyn Device) -> Result<Option<Graph<'p>>, Error> {
        if !self.host.in_graph {
            return Ok(None);
        }
        let values = &self.case.values;
        let nodes = self.host.calls.iter().map(|call| self.memory.node(call, values));
        device.record(self.module, nodes.collect()).map(Some)
    }

    fn download(&mut self, device: &mut dyn Device) -> Result<Vec<Copied>, Error> {
        self.memory.results().map(|buffer| Copied::from(device, buffer)).collect()
    }

    fn check(&mut self, device: &mut dyn Device) -> Result<Checked, Failed> {
        let found = self.memory.download(device)?;
        let mut right = judge::check(&self.case, &self.host, &found)?;
        if self.case.is_timed && device.info().modelled.is_none() {
            let mut known = self.case.kernels.lock().unwrap_or_else(PoisonError::into_inner);
            let kernels = match known.get(self.step) {
                Some(kernels) => kernels.clone(),
                None => self.kernels(device)?,
            };
            right.extras.extend(known.entry(self.step).or_insert(kernels).iter().cloned());
        }
        Ok(right)
    }

    /// Masses, positions and velocities; accelerations come back too.
    fn bytes(&self) -> (u64, u64) {
        let n = self.case.bodies.len() as u64;
        (4 * 7 * n, self.memory.results().map(|buffer| buffer.bytes() as u64).sum())
    }
}
