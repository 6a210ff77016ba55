//! A step at one size: verified, sampled, verified again.

use std::sync::Arc;
use std::time::Instant;

use device::{Conditions, Device, Error, Module, TimeSource};

use super::floor;
use super::plan::Plan;
use super::sample::{Sample, take};
use super::size::is_modelled;
use super::timed;
use crate::Step;
use crate::limits::Chip;
use crate::nbody::{Simulation, State};
use report::{Accuracy, EndToEnd, Timed};
use crate::verify::{
    Case, Errors, Evaluation, Problem, acceleration_tolerance, judge_repetition,
    verify_accelerations,
};

/// A look at an evaluation that lasts longer tells enough; a shorter one is looked at again, since
/// the first launch of a kernel also loads it.
const TELLING_SECONDS: f64 = 1.0;

/// A step at one size.
pub struct Point {
    case: Arc<Case>,
    errors: Errors,
    /// What the first evaluation left, of a step that promises the same bits in every run.
    first: Option<State>,
    plan: Plan,
    /// Significant bits that a term of the step's sums keeps.
    bits: u32,
    /// What one evaluation is expected to last, s.
    expected: f64,
    source: TimeSource,
    rounds: Vec<u32>,
    samples: Vec<Sample>,
    conditions: Vec<Conditions>,
}

impl Point {
    /// Verifies the accelerations of `case` and makes a plan; `time_steps` are timed together where
    /// that is given. Where time is modelled this takes the only sample.
    ///
    /// # Errors
    /// [`Problem`]: the results are wrong, or the device failed.
    pub fn verify(
        device: &mut dyn Device,
        step: &Step,
        module: &mut Module,
        case: Arc<Case>,
        time_steps: Option<u32>,
    ) -> Result<Point, Problem> {
        let simulation = Simulation::new(device, step, module, &case.bodies)?;
        let Evaluation { errors, timing: first, state } =
            verify_accelerations(device, &simulation, &case)?;
        let modelled = is_modelled(device.info());
        let mut expected = first.seconds;
        if !modelled && first.seconds < TELLING_SECONDS {
            expected = device.time(&mut |device| simulation.force(device, 0))?.seconds;
        }
        let mut point = Point {
            bits: step.bits,
            plan: Plan::new(expected, time_steps),
            source: first.source,
            case: case.clone(),
            errors,
            first: step.reproducible.then_some(state),
            expected,
            rounds: Vec::new(),
            samples: Vec::new(),
            conditions: Vec::new(),
        };
        if modelled {
            let step_seconds = match time_steps {
                None => {
                    let advance = device.time(&mut |device| simulation.advance(device))?;
                    first.seconds + advance.seconds
                }
                Some(steps) => {
                    simulation.upload(device, &case.bodies, None)?;
                    device.time(&mut |device| simulation.run(device, steps))?.seconds
                        / f64::from(steps)
                }
            };
            point.plan = Plan { launches: 1, time_steps: time_steps.unwrap_or(0), ..point.plan };
            point.rounds.push(0);
            point.samples.push(Sample { seconds: first.seconds, step_seconds });
        }
        Ok(point)
    }

    /// Bodies.
    pub fn n(&self) -> usize {
        self.case.bodies.len()
    }

    /// What a sample is expected to last, with all that belongs to it, s.
    pub fn expected_seconds(&self) -> f64 {
        let Plan { warm_ups, launches, time_steps, .. } = self.plan;
        self.expected * f64::from(warm_ups + launches + time_steps.max(1))
    }

    /// Takes a sample if the point has one in this round.
    ///
    /// # Errors
    /// The device's; or a time that no clock can have shown.
    pub fn sample(
        &mut self,
        device: &mut dyn Device,
        step: &Step,
        module: &mut Module,
        round: u32,
    ) -> Result<(), Problem> {
        if !self.plan.takes_part(round) {
            return Ok(());
        }
        let simulation = Simulation::new(device, step, module, &self.case.bodies)?;
        let (sample, conditions) = take(device, &simulation, self.plan)?;
        self.rounds.push(round);
        self.samples.push(sample);
        self.conditions.extend(conditions);
        Ok(())
    }

    /// Verifies once more that the step computes what it was timed for, and says how long it took:
    /// longer than the least that is possible on `chip`. None of a point that was never sampled.
    ///
    /// # Errors
    /// [`Problem`]: the results are wrong, the device failed, or the time is impossible.
    pub fn finish(
        &self,
        device: &mut dyn Device,
        step: &Step,
        module: &mut Module,
        chip: Option<&Chip>,
    ) -> Result<Option<Timed>, Problem> {
        if self.samples.is_empty() {
            return Ok(None);
        }
        if !is_modelled(device.info()) {
            let simulation = Simulation::new(device, step, module, &self.case.bodies)?;
            let last = verify_accelerations(device, &simulation, &self.case)?.state;
            self.first.as_ref().map_or(Ok(()), |first| judge_repetition(first, &last))?;
            floor::check(chip, self.n(), &self.samples)?;
        }
        Ok(Some(timed::of(
            self.accuracy(),
            self.plan,
            &self.rounds,
            &self.samples,
            &self.conditions,
        )))
    }

    /// Where its times come from.
    pub fn source(&self) -> TimeSource {
        self.source
    }

    fn accuracy(&self) -> Accuracy {
        let tolerance = acceleration_tolerance(self.n(), self.bits);
        Accuracy::of(self.n(), self.errors, tolerance)
    }
}

/// What a force evaluation costs from allocation to results on the host, by the host's clock.
/// `code_seconds` is what its code cost.
///
/// # Errors
/// The device's.
pub fn end_to_end(
    device: &mut dyn Device,
    step: &Step,
    module: &mut Module,
    case: &Case,
    code_seconds: f64,
) -> Result<EndToEnd, Error> {
    let mut last = Instant::now();
    let mut lap = || {
        let now = Instant::now();
        (now - std::mem::replace(&mut last, now)).as_secs_f64()
    };
    let simulation = Simulation::allocate(device, step, module, case.bodies.len())?;
    device.synchronize()?;
    let allocate_seconds = lap();
    simulation.upload(device, &case.bodies, None)?;
    device.synchronize()?;
    let upload_seconds = lap();
    simulation.force(device, 0)?;
    device.synchronize()?;
    let force_seconds = lap();
    simulation.copy_back(device)?;
    Ok(EndToEnd {
        code_seconds,
        allocate_seconds,
        upload_seconds,
        upload_bytes: simulation.bytes(),
        force_seconds,
        download_seconds: lap(),
        download_bytes: simulation.bytes(),
    })
}
