//! How many bodies a step is timed with.

use std::time::Instant;

use device::{Device, Error, Info, Module};

use crate::nbody::{Bodies, Simulation};
use crate::verify::Cases;
use crate::{Progress, Step, Threads};

/// Bodies of the first trial.
const FIRST: usize = 256;

/// A trial that took this long tells how a step's time grows; shorter ones are mostly overhead.
const TELLING_SECONDS: f64 = 0.05;

/// How long one evaluation may take on the simulator, where it costs the reader's own time. Long
/// enough that the choice of a size seldom depends on how busy the computer is.
const HOST_SECONDS: f64 = 20.0;

/// How long one evaluation may take where it is measured: several are.
const MEASURED_SECONDS: f64 = 5.0;

/// How long one evaluation may take on the CPU where nobody has said how many bodies: a ladder of many
/// steps is then measured in half a minute.
const CPU_SECONDS: f64 = 0.15;

/// Bodies that show what a step gains per launch, as in the tutorial.
pub const SHORT_LAUNCH_SIZE: usize = 1000;

/// Whether a device's times are those of a model, which gives the same time every time.
pub fn is_modelled(info: &Info) -> bool {
    info.modelled.is_some()
}

/// Bodies of the timed cluster where nobody has said how many.
///
/// Small enough on the simulator and on the CPU that a ladder takes seconds; what one thread does on
/// the simulator, one core does.
pub fn default_size(info: &Info, step: &Step) -> usize {
    match (is_modelled(info), step.threads) {
        _ if is_cpu(info) => 16_384,
        (true, Threads::One | Threads::Cores) => 1024,
        (true, Threads::PerBody { .. } | Threads::Planned { .. }) => 4096,
        (false, _) => 131_072,
    }
}

fn is_cpu(info: &Info) -> bool {
    info.kind == "cpu"
}

/// Time steps of what is run over many of them, where nobody has said how many.
pub fn default_time_steps(info: &Info) -> u32 {
    if is_modelled(info) { 3 } else { 1000 }
}

/// What a trial told of a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pilot {
    /// Bodies of the trial.
    pub n: usize,
    /// What one evaluation costs then, s: on a GPU or the CPU its own time, on the simulator the host's.
    pub seconds: f64,
}

impl Pilot {
    /// What one evaluation costs at `n` bodies, at most, s. All pairs: it grows with the square;
    /// less while a GPU is not yet full.
    pub fn expected(&self, n: usize) -> f64 {
        self.seconds * (n as f64 / self.n as f64).powi(2).max(1.0)
    }
}

/// The size at which a step is to be timed, as far as it is known beforehand.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    /// Bodies.
    pub n: usize,
    /// Whether somebody has said so many.
    pub asked: bool,
    /// Bodies at which its parent was timed, if it was.
    pub parent: Option<usize>,
}

/// The size at which a step is timed: `target.n`, or the largest power of two at which one force
/// evaluation lasts no longer than the device allows (on the simulator, and on the CPU where the
/// target was not asked for: than a reader waits); and the trial that told it. On the CPU a step may
/// take twice as long at the size of its parent: one that is a little slower is to be compared with it.
///
/// # Errors
/// The device's.
pub fn choose_size(
    device: &mut dyn Device,
    step: &Step,
    module: &mut Module,
    cases: &Cases,
    Target { n: target, asked, parent }: Target,
    progress: &mut dyn FnMut(Progress),
) -> Result<(usize, Pilot), Error> {
    let limit = match is_modelled(device.info()) {
        true => HOST_SECONDS,
        false if is_cpu(device.info()) && !asked => CPU_SECONDS,
        false => device.info().launch_limit_seconds.min(MEASURED_SECONDS),
    };
    let mut n = FIRST.min(target);
    let mut expected_seconds = 0.0;
    loop {
        progress(Progress::Pilot { n: n as u64, expected_seconds });
        let pilot = Pilot { n, seconds: trial(device, step, module, &cases.bodies(n))? };
        if pilot.expected(target) <= limit {
            return Ok((target, pilot));
        }
        let next = 4 * n;
        expected_seconds = pilot.expected(next);
        if pilot.seconds > TELLING_SECONDS || next >= target || expected_seconds > limit {
            let largest = largest_within(limit, pilot, target);
            let is_near = |n: &usize| *n < target && pilot.expected(*n) <= 2.0 * limit;
            let parents = parent.filter(|_| is_cpu(device.info())).filter(is_near);
            return Ok((largest.max(parents.unwrap_or(0)), pilot));
        }
        n = next;
    }
}

/// The largest power of two whose expected time is within `limit`, below `target`.
fn largest_within(limit: f64, pilot: Pilot, target: usize) -> usize {
    let expected = |n: usize| pilot.seconds * (n as f64 / pilot.n as f64).powi(2);
    let mut size = 1;
    while 2 * size < target && expected(2 * size) <= limit {
        size *= 2;
    }
    size
}

/// What one force evaluation costs: on a GPU or the CPU its own time, on the simulator the host's.
fn trial(
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
    Ok(device.time(&mut force)?.seconds.max(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_the_largest_powers_of_two_within_the_limit() {
        let pilot = |seconds| Pilot { n: 256, seconds };
        // 16 ms at 256: 16.4 s at 8192, 65 s at 16384.
        assert_eq!(largest_within(20.0, pilot(0.016), 131_072), 8192);
        assert_eq!(largest_within(1.0, pilot(0.016), 131_072), 1024);
        // Never up to the target, which was expected to take too long.
        assert_eq!(largest_within(20.0, pilot(1e-9), 4096), 2048);
        // Slower than the limit even at the trial's size.
        assert_eq!(largest_within(1.0, pilot(10.0), 4096), 64);
        assert_eq!(largest_within(1.0, pilot(1e9), 4096), 1);
    }
}
