//! One sample: a pass, and a whole where there is one, each timed in the middle of others like it.

use device::{Conditions, Device, Error, TimeSource};

use super::plan::Plan;
use crate::problem::Pass;
use crate::verify::Failure;

/// Times of one pass and one whole.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Sample {
    /// Of a pass, s.
    pub(super) seconds: f64,
    /// Of a whole, s; none where the problem has none.
    pub(super) whole_seconds: Option<f64>,
}

/// Takes a sample over freshly placed inputs. The conditions are read while the launches run.
pub(super) fn take(
    device: &mut dyn Device,
    pass: &dyn Pass,
    plan: Plan,
    has_whole: bool,
) -> Result<(Sample, Option<Conditions>), Failure> {
    let recorded = pass.record(device)?;
    let run = |device: &mut dyn Device| match &recorded {
        Some(graph) => device.replay(graph),
        None => pass.run(device),
    };
    for _ in 0..plan.warm_ups {
        run(device)?;
    }
    let mut conditions = None;
    let seconds = time(device, plan.passes, &mut |device| {
        for _ in 0..plan.passes {
            run(device)?;
        }
        conditions = device.conditions();
        Ok(())
    })?;
    let whole_seconds = match (has_whole, plan.wholes) {
        (false, _) => None,
        (true, 0) => Some(seconds + time(device, 1, &mut |device| pass.rest(device))?),
        (true, count) => {
            let Some(mut work) = pass.wholes(device, count)? else {
                return Ok((Sample { seconds, whole_seconds: None }, conditions));
            };
            Some(time(device, count, &mut work)?)
        }
    };
    Ok((Sample { seconds, whole_seconds }, conditions))
}

/// Time of one of `count` things that `work` does.
fn time(
    device: &mut dyn Device,
    count: u32,
    work: &mut dyn FnMut(&mut dyn Device) -> Result<(), Error>,
) -> Result<f64, Failure> {
    let timing = device.time(work)?;
    if timing.seconds > 0.0 && timing.seconds.is_finite() {
        return Ok(timing.seconds / f64::from(count));
    }
    let clock = match timing.source {
        TimeSource::Device => "the GPU's clock",
        TimeSource::Host => "this computer's clock",
        TimeSource::Model => "the time model",
    };
    Err(Failure::Clock(format!("{clock} says that {} s passed; measure again", timing.seconds)))
}
