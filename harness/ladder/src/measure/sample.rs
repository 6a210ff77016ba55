//! One sample: a force evaluation and a time step, each timed in the middle of others like it.

use device::{Conditions, Device, Error, TimeSource};

use super::plan::Plan;
use crate::nbody::Simulation;
use crate::verify::Problem;

/// Times of one evaluation and one time step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Sample {
    /// Of a force evaluation, s.
    pub(super) seconds: f64,
    /// Of a time step, s.
    pub(super) step_seconds: f64,
}

/// Takes a sample of freshly uploaded bodies. The conditions are read while the launches run.
pub(super) fn take(
    device: &mut dyn Device,
    simulation: &Simulation,
    plan: Plan,
) -> Result<(Sample, Option<Conditions>), Problem> {
    for _ in 0..plan.warm_ups {
        simulation.force(device, 0)?;
    }
    let mut conditions = None;
    let seconds = time(device, plan.launches, &mut |device| {
        for _ in 0..plan.launches {
            simulation.force(device, 0)?;
        }
        conditions = device.conditions();
        Ok(())
    })?;
    let step_seconds = match plan.time_steps {
        0 => seconds + time(device, 1, &mut |device| simulation.advance(device))?,
        steps => {
            let ready = simulation.prepare(device, steps)?;
            time(device, steps, &mut |device| ready.start(device))?
        }
    };
    Ok((Sample { seconds, step_seconds }, conditions))
}

/// Time of one of `count` things that `work` does.
fn time(
    device: &mut dyn Device,
    count: u32,
    work: &mut dyn FnMut(&mut dyn Device) -> Result<(), Error>,
) -> Result<f64, Problem> {
    let timing = device.time(work)?;
    if timing.seconds > 0.0 && timing.seconds.is_finite() {
        return Ok(timing.seconds / f64::from(count));
    }
    let clock = match timing.source {
        TimeSource::Device => "the GPU's clock",
        TimeSource::Host => "this computer's clock",
        TimeSource::Model => "the time model",
    };
    Err(Problem::Clock(format!("{clock} says that {} s passed; measure again", timing.seconds)))
}
