//! A case on a device, as the core runs and judges it.

use std::sync::Arc;

use device::{Device, Error, Module};
use ladder::problem::{Checked, Copied, Failed, Pass};
use report::Extra;

use crate::case::Case;
use crate::judge;
use crate::memory::Memory;
use crate::step::Host;

/// Time steps of which each launch is timed: the median counts.
const ROUNDS: usize = 5;

/// A case on a device.
pub(crate) struct Placed<'m> {
    pub(crate) module: &'m Module,
    pub(crate) host: Host,
    pub(crate) memory: Memory,
    pub(crate) case: Arc<Case>,
}

impl Placed<'_> {
    fn time_step(&self, device: &mut dyn Device) -> Result<(), Error> {
        let calls = self.host.calls.iter();
        calls.map(|call| self.memory.call(device, self.module, call, &self.case.values)).collect()
    }

    /// How long each kernel takes, ms, each launch timed alone.
    fn seconds_of_kernels(&self, device: &mut dyn Device) -> Result<Vec<Extra>, Error> {
        self.memory.upload(device, &self.case.bodies)?;
        let mut kernels: Vec<(&str, Vec<f64>)> = Vec::new();
        for round in 0..=ROUNDS {
            for call in self.host.calls {
                let one = device.time(&mut |device| {
                    self.memory.call(device, self.module, call, &self.case.values)
                })?;
                let seconds = 1e3 * one.seconds;
                match kernels.iter_mut().find(|(kernel, _)| *kernel == call.kernel) {
                    None => kernels.push((call.kernel, vec![0.0; ROUNDS + 1])),
                    Some(_) => {}
                }
                let own = kernels.iter_mut().find(|(kernel, _)| *kernel == call.kernel);
                own.into_iter().for_each(|(_, all)| all[round] += seconds);
            }
        }
        let median = |mut all: Vec<f64>| {
            all.remove(0); // the first one warmed up
            all.sort_by(f64::total_cmp);
            all[ROUNDS / 2]
        };
        let extra = |(kernel, all)| Extra { name: format!("ms of {kernel}"), value: median(all) };
        Ok(kernels.into_iter().map(extra).collect())
    }
}

impl Pass for Placed<'_> {
    /// Places the bodies. A step that uses the last time step's accelerations begins with those of a first one, as in
    /// all time steps but the first; where several are judged, these begin with the first.
    fn upload(&mut self, device: &mut dyn Device) -> Result<(), Error> {
        self.memory.upload(device, &self.case.bodies)?;
        if self.case.trajectory.is_none() && self.memory.has_accelerations() {
            self.time_step(device)?;
            let accelerations = self.memory.accelerations(device)?;
            self.memory.upload(device, &self.case.bodies)?;
            self.memory.upload_accelerations(device, &accelerations)?;
        }
        Ok(())
    }

    fn run(&self, device: &mut dyn Device) -> Result<(), Error> {
        let count = self.case.trajectory.as_ref().map_or(1, |it| it.count);
        (0..count).try_for_each(|_| self.time_step(device))
    }

    fn download(&mut self, device: &mut dyn Device) -> Result<Vec<Copied>, Error> {
        self.memory.results().map(|buffer| Copied::from(device, buffer)).collect()
    }

    fn check(&mut self, device: &mut dyn Device) -> Result<Checked, Failed> {
        let found = self.memory.download(device)?;
        let mut right = judge::check(&self.case, &self.host, &found)?;
        if self.case.is_timed && device.info().modelled.is_none() {
            right.extras.extend(self.seconds_of_kernels(device)?);
        }
        Ok(right)
    }

    /// Masses, positions and velocities; accelerations come back too.
    fn bytes(&self) -> (u64, u64) {
        let n = self.case.bodies.len() as u64;
        (4 * 7 * n, self.memory.results().map(|buffer| buffer.bytes() as u64).sum())
    }
}
