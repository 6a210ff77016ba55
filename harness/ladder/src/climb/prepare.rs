//! A step before it is timed: loaded, verified, its sizes chosen.

use std::time::Instant;

use device::{Device, Module};

use super::{Climb, Stop, row};
use crate::measure::{self, Pilot, Point, SHORT_LAUNCH_SIZE, Target};
use crate::nbody::{self, Simulation};
use report::{Outcome, Row};
use crate::verify::verify;
use crate::{Progress, Step};
use report::{Subject, Variant};

/// What became of a step when it was prepared.
pub enum Prepared {
    /// It has its row: it did not verify, or its time is the model's.
    Row(Box<Row>),
    /// It verified and is to be timed.
    Ready(Box<Ready>),
}

/// A verified step, to be timed.
pub struct Ready {
    pub(super) step: Step,
    pub(super) row: Row,
    pub(super) module: Module,
    /// The step's own size first.
    pub(super) points: Vec<Point>,
}

/// A size at which a step is to be timed.
struct Size {
    n: usize,
    /// Time steps that are timed together, where that was asked for.
    time_steps: Option<u32>,
}

impl Climb<'_> {
    /// Verifies a variant of a step and finds out how it can be timed. Whatever goes wrong is said in its row.
    pub fn prepare(
        &mut self,
        step: &Step,
        variant: &Variant,
        device: &mut dyn Device,
        progress: &mut dyn FnMut(Progress),
    ) -> Prepared {
        let mut row = Row::new(self.ladder.name, step, Outcome::Failed, None);
        row.device = Some(device.info().name.clone());
        (row.block, row.defines) = (variant.block, variant.defines.clone());
        row.session = self.request.session;
        let step = match variant.of(step) {
            Ok(step) => step,
            Err(why) => {
                row::skip(&mut row, why);
                return Prepared::Row(Box::new(row));
            }
        };
        match self.try_prepare(&step, &mut row, device, progress) {
            Ok((module, points)) => {
                let ready = Ready { step, row, module, points };
                match measure::is_modelled(device.info()) {
                    true => Prepared::Row(Box::new(self.finish(ready, device, None, progress))),
                    false => Prepared::Ready(Box::new(ready)),
                }
            }
            Err(stop) => Prepared::Row(Box::new(self.stopped(row, stop))),
        }
    }

    fn try_prepare(
        &mut self,
        step: &Step,
        row: &mut Row,
        device: &mut dyn Device,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<(Module, Vec<Point>), Stop> {
        if step.division.is_some() {
            return Err(Stop::Skip(
                "it divides its work over several GPUs, and a run has one: cargo run -p harness -- scale"
                    .to_owned(),
            ));
        }
        let target = self.target(step, device)?;
        progress(Progress::Load);
        let began = Instant::now();
        let mut module = self.load(device, step, &row.variant())?;
        let code_seconds = began.elapsed().as_secs_f64();
        row.code = Some(module.code().to_owned());
        let threads = nbody::threads(step, device);
        row.threads = threads.and_then(|threads| u32::try_from(threads).ok());
        let drift = verify(device, step, &mut module, &mut self.cases, progress)?;
        (row.energy_drift, row.momentum_drift) = (Some(drift.energy), Some(drift.momentum));
        let parent = step.after.and_then(|after| self.request.sizes.get(after).copied());
        let parent = parent.and_then(|n| usize::try_from(n).ok());
        let target = Target { n: target, asked: self.asked().is_some(), parent };
        let (n, pilot) =
            measure::choose_size(device, step, &mut module, &self.cases, target, progress)?;
        let sizes = self.sizes(step, device, n)?;
        let own = sizes[0].n;
        if own < target.n {
            row.reason = Some(format!(
                "timed at n = {own} instead of {}: a single launch would take too long",
                target.n
            ));
        }
        let mut points = Vec::new();
        for Size { n, time_steps } in sizes {
            let expected_seconds = expected(pilot, n, time_steps);
            progress(Progress::Prepare { n: n as u64, expected_seconds });
            let case = self.cases.timed(n);
            points.push(Point::verify(device, step, &mut module, case, time_steps)?);
        }
        if !measure::is_modelled(device.info()) {
            let case = self.cases.timed(own);
            row.end_to_end =
                Some(measure::end_to_end(device, step, &mut module, &case, code_seconds)?);
        }
        self.request.sizes.insert(step.name.to_owned(), own as u64);
        self.save(step, device, &mut module, (own, target.n, pilot), progress)?;
        Ok((module, points))
    }

    /// Bodies that are to be timed, if the device has room for them.
    fn target(&self, step: &Step, device: &dyn Device) -> Result<usize, Stop> {
        let info = device.info();
        let target = self.asked().unwrap_or_else(|| measure::default_size(info, step));
        let needed = nbody::bytes(step, target as u64);
        if needed > info.memory_bytes {
            return Err(Stop::Reason(format!(
                "{target} bodies need {} MiB and {} has {}; choose a smaller --size",
                needed >> 20,
                info.name,
                info.memory_bytes >> 20
            )));
        }
        Ok(target)
    }

    /// Bodies that were asked for: at most in a sweep, by number, or as many as a file has.
    fn asked(&self) -> Option<usize> {
        let largest = self.request.sweep_sizes.last().copied();
        let asked = largest.or(self.request.size).and_then(|n| usize::try_from(n).ok());
        asked.or(self.cases.file_len())
    }

    /// Sizes at which a step is timed, its own first: `n`, its parent's, and that of short launches;
    /// or those of a sweep up to `n`.
    fn sizes(&self, step: &Step, device: &dyn Device, n: usize) -> Result<Vec<Size>, Stop> {
        let of = |n: u64| usize::try_from(n).ok().map(|n| Size { n, time_steps: None });
        if !self.request.sweep_sizes.is_empty() {
            let up_to = self.request.sweep_sizes.iter().rev().filter(|&&size| size <= n as u64);
            let sizes: Vec<Size> = up_to.filter_map(|&size| of(size)).collect();
            if sizes.is_empty() {
                let smallest = self.request.sweep_sizes[0];
                return Err(Stop::Skip(format!(
                    "already at n = {smallest} a single launch would take too long"
                )));
            }
            return Ok(sizes);
        }
        let mut sizes = vec![Size { n, time_steps: None }];
        let parents = step.after.and_then(|after| self.request.sizes.get(after).copied());
        sizes.extend(parents.and_then(of).filter(|size| size.n < n));
        if self.ladder.has_short_launches(step) {
            let short = SHORT_LAUNCH_SIZE.min(self.cases.file_len().unwrap_or(usize::MAX));
            if sizes.iter().all(|size| size.n != short) {
                sizes.push(Size { n: short, time_steps: Some(self.time_steps(device)) });
            }
        }
        Ok(sizes)
    }

    /// Runs the last step over all bodies and saves where they are.
    fn save(
        &mut self,
        step: &Step,
        device: &mut dyn Device,
        module: &mut Module,
        (n, target, pilot): (usize, usize, Pilot),
        progress: &mut dyn FnMut(Progress),
    ) -> Result<(), Stop> {
        let is_last = self.request.steps.last().is_none_or(|last| last == step.name);
        let Some(file) = self.request.save.clone().filter(|_| is_last) else { return Ok(()) };
        if n < target {
            return Err(Stop::Reason(format!(
                "nothing was saved: this step is too slow for {target} bodies; \
                 let --steps end with a faster one"
            )));
        }
        let time_steps = self.time_steps(device);
        let expected_seconds = expected(pilot, n, Some(time_steps));
        progress(Progress::Save { n: n as u64, time_steps, expected_seconds });
        let case = self.cases.timed(n);
        let simulation = Simulation::new(device, step, module, &case.bodies)?;
        simulation.run(device, time_steps)?;
        // The last evaluation corrects the velocities.
        simulation.force(device, time_steps)?;
        let state = simulation.download(device)?;
        nbody::write(&file, &state.bodies).map_err(|error| Stop::Reason(error.to_string()))
    }

    fn time_steps(&self, device: &dyn Device) -> u32 {
        self.request.time_steps.unwrap_or_else(|| measure::default_time_steps(device.info()))
    }
}

impl Ready {
    /// Which step, as which variant.
    pub fn subject(&self) -> Subject {
        super::subject(&self.row)
    }
}

/// What some evaluations and their reference are expected to take, s. The reference is computed for
/// at most 16384 bodies against all, at 10⁸ interactions per second and core or more.
fn expected(pilot: Pilot, n: usize, time_steps: Option<u32>) -> f64 {
    let evaluations = 2.0 + f64::from(time_steps.unwrap_or(1));
    evaluations * pilot.expected(n) + n.min(16_384) as f64 * n as f64 / 1e8
}
