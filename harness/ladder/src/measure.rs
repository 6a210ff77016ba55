//! How long a step takes: the choice of a size, and the samples.

use std::time::Instant;

use device::{Device, Error, Info, Module, TimeSource};

use crate::nbody::{Bodies, Simulation};
use crate::statistics::median;
use crate::verify::{
    Case, Cases, Errors, Problem, Tolerance, acceleration_tolerance, verify_accelerations,
};
use crate::{Progress, Step, Threads};

/// Bodies of the first trial.
const PILOT: usize = 256;

/// A trial that took this long tells how a step's time grows; shorter ones are mostly overhead.
const TELLING_SECONDS: f64 = 0.05;

/// How long one evaluation may take on the simulator, where it costs the reader's own time. Long
/// enough that the choice of a size seldom depends on how busy the computer is.
const HOST_SECONDS: f64 = 20.0;

/// Evaluations that last longer are timed once.
const ONCE_SECONDS: f64 = 2.0;

/// Time given to the samples of one quantity.
const SAMPLING_SECONDS: f64 = 0.5;

/// Time a GPU is kept busy before it is timed, so that its clocks have risen.
const WARM_UP_SECONDS: f64 = 0.05;

/// Bodies that show what a step gains per launch, as in the tutorial.
pub const SHORT_LAUNCH_SIZE: usize = 1000;

/// What was measured at one size.
#[derive(Debug, Clone, PartialEq)]
pub struct Measurement {
    /// Bodies.
    pub n: usize,
    /// Errors of the accelerations there.
    pub errors: Errors,
    /// What they had to stay within.
    pub tolerance: Tolerance,
    /// Times of single force evaluations, in seconds.
    pub samples: Vec<f64>,
    /// Their median.
    pub seconds: f64,
    /// Median time of a time step.
    pub step_seconds: f64,
    /// Where the times come from.
    pub source: TimeSource,
}

/// Whether a device's times are those of a model, which gives the same time every time.
pub fn is_modelled(info: &Info) -> bool {
    info.modelled.is_some()
}

/// Bodies of the timed cluster where nobody has said how many.
///
/// Small enough on the simulator that a ladder takes seconds; what one thread does, one core does.
pub fn default_size(info: &Info, step: &Step) -> usize {
    match (is_modelled(info), step.threads) {
        (true, Threads::One) => 1024,
        (true, Threads::PerBody { .. }) => 4096,
        (false, _) => 131_072,
    }
}

/// Time steps of what is run over many of them, where nobody has said how many.
pub fn default_time_steps(info: &Info) -> u32 {
    if is_modelled(info) { 3 } else { 1000 }
}

/// The size at which a step is timed: `target`, or the largest power of two at which one force
/// evaluation lasts no longer than the device allows (on the simulator: than a reader waits).
///
/// # Errors
/// The device's.
pub fn choose_size(
    device: &mut dyn Device,
    step: &Step,
    module: &mut Module,
    cases: &Cases,
    target: usize,
    progress: &mut dyn FnMut(Progress),
) -> Result<usize, Error> {
    let limit = match is_modelled(device.info()) {
        true => HOST_SECONDS,
        false => device.info().launch_limit_seconds,
    };
    let mut n = PILOT.min(target);
    loop {
        progress(Progress::Pilot { n: n as u64 });
        let seconds = pilot(device, step, module, &cases.bodies(n))?;
        if projected(seconds, n, target) <= limit {
            return Ok(target);
        }
        let next = 4 * n;
        if seconds > TELLING_SECONDS || next >= target || projected(seconds, n, next) > limit {
            return Ok(largest_within(limit, seconds, n, target));
        }
        n = next;
    }
}

/// Time at `m` bodies of what takes `seconds` at `n` ≤ m. All pairs: with the square at most; less
/// while a GPU is not yet full.
fn projected(seconds: f64, n: usize, m: usize) -> f64 {
    seconds * (m as f64 / n as f64).powi(2)
}

/// The largest power of two whose projected time is within `limit`, below `target`.
fn largest_within(limit: f64, seconds: f64, n: usize, target: usize) -> usize {
    let mut size = 1;
    while 2 * size < target && projected(seconds, n, 2 * size) <= limit {
        size *= 2;
    }
    size
}

/// What one force evaluation costs: on a GPU its own time, on the simulator the host's.
fn pilot(
    device: &mut dyn Device,
    step: &Step,
    module: &mut Module,
    bodies: &Bodies,
) -> Result<f64, Error> {
    let simulation = Simulation::new(device, step, module, bodies)?;
    let mut force = |device: &mut dyn Device| simulation.force(device, 0);
    if is_modelled(device.info()) {
        let start = Instant::now();
        force(device)?;
        device.synchronize()?;
        return Ok(start.elapsed().as_secs_f64());
    }
    force(device)?; // the first launch of a kernel also loads it
    Ok(device.time(&mut force)?.seconds)
}

/// Verifies the accelerations of `case` and times its force evaluation and time step.
///
/// # Errors
/// [`Problem`]: the results are wrong, or the device failed.
pub fn measure(
    device: &mut dyn Device,
    step: &Step,
    module: &mut Module,
    case: &Case,
) -> Result<Measurement, Problem> {
    let n = case.bodies.len();
    let simulation = Simulation::new(device, step, module, &case.bodies)?;
    let (errors, timing) = verify_accelerations(device, &simulation, case)?;
    let once = is_modelled(device.info()) || timing.seconds > ONCE_SECONDS;
    let (samples, step_seconds) = if once {
        // The verified evaluation is the sample: another would be the same, or take too long.
        let advance = device.time(&mut |device| simulation.advance(device))?;
        (vec![timing.seconds], timing.seconds + advance.seconds)
    } else {
        sample(device, &simulation, timing.seconds)?
    };
    let seconds = median(&samples).unwrap_or(timing.seconds);
    let tolerance = acceleration_tolerance(n);
    Ok(Measurement { n, errors, tolerance, samples, seconds, step_seconds, source: timing.source })
}

/// Times force evaluations one by one, then whole time steps; the former's times and the latter's
/// median.
fn sample(
    device: &mut dyn Device,
    simulation: &Simulation,
    seconds: f64,
) -> Result<(Vec<f64>, f64), Error> {
    for _ in 0..count(WARM_UP_SECONDS, seconds, 1) {
        simulation.force(device, 0)?;
    }
    let count = count(SAMPLING_SECONDS, seconds, 5);
    let mut forces = Vec::new();
    for _ in 0..count {
        forces.push(device.time(&mut |device| simulation.force(device, 0))?.seconds);
    }
    let mut steps = Vec::new();
    simulation.advance(device)?;
    for step in 1..=count {
        let mut whole = |device: &mut dyn Device| {
            simulation.force(device, step)?;
            simulation.advance(device)
        };
        steps.push(device.time(&mut whole)?.seconds);
    }
    let step_seconds = median(&steps).unwrap_or(seconds);
    Ok((forces, step_seconds))
}

/// How many evaluations of `seconds` fit into `budget`: from `least` to 50.
fn count(budget: f64, seconds: f64, least: u32) -> u32 {
    // A conversion from floating point saturates, also that of 1/0.
    ((budget / seconds) as u32).clamp(least, 50)
}

/// Time of one time step, from `time_steps` of them timed together.
///
/// # Errors
/// The device's.
pub fn time_many_steps(
    device: &mut dyn Device,
    step: &Step,
    module: &mut Module,
    case: &Case,
    time_steps: u32,
) -> Result<f64, Error> {
    let simulation = Simulation::new(device, step, module, &case.bodies)?;
    let timing = device.time(&mut |device| simulation.run(device, time_steps))?;
    Ok(timing.seconds / f64::from(time_steps))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_the_largest_powers_of_two_within_the_limit() {
        // 16 ms at 256: 16.4 s at 8192, 65 s at 16384.
        assert_eq!(largest_within(20.0, 0.016, 256, 131_072), 8192);
        assert_eq!(largest_within(1.0, 0.016, 256, 131_072), 1024);
        // Never up to the target, which was projected to take too long.
        assert_eq!(largest_within(20.0, 1e-9, 256, 4096), 2048);
        // Slower than the limit even at the pilot's size.
        assert_eq!(largest_within(1.0, 10.0, 256, 4096), 64);
        assert_eq!(largest_within(1.0, 1e9, 256, 4096), 1);
    }

    #[test]
    fn samples_are_from_the_least_to_fifty() {
        assert_eq!(count(0.5, 1e-4, 5), 50);
        assert_eq!(count(0.5, 0.02, 5), 25);
        assert_eq!(count(0.5, 1.9, 5), 5);
        assert_eq!(count(0.5, 0.0, 5), 50);
    }
}
