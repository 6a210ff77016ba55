//! Which size a step is timed at.

use std::time::Instant;

use device::{Device, Error, Info, Module};

use crate::ladder::OpenProblem;
use crate::problem::Input;
use crate::{Progress, Step};

/// The size of the first trial.
const FIRST: u64 = 256;

/// A trial that took this long tells how a step's time grows; shorter ones are mostly overhead.
const TELLING_SECONDS: f64 = 0.05;

/// A trial that took less is made again before it is believed that a step is too slow.
const AGAIN_SECONDS: f64 = 1.0;

/// How long one pass may take on the simulator, where it costs the reader's own time. Long enough
/// that the choice of a size seldom depends on how busy the computer is.
const HOST_SECONDS: f64 = 20.0;

/// How long one pass may take where it is measured: several are.
const MEASURED_SECONDS: f64 = 5.0;

/// How long one pass may take on the CPU where nobody has said which size: a ladder of many steps is
/// then measured in half a minute.
const CPU_SECONDS: f64 = 0.15;

/// A CPU's caches hold a small size, and not a large one. A trial of less than this share of the target is believed only
/// if it leaves so much room.
const CPU_ROOM: u64 = 8;

/// Whether a device's times are those of a model, which gives the same time every time.
pub fn is_modelled(info: &Info) -> bool {
    info.modelled.is_some()
}

fn is_cpu(info: &Info) -> bool {
    info.kind == "cpu"
}

/// What a trial says of a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pilot {
    /// Problem size `n` of the trial.
    pub n: u64,
    /// What one pass costs then, s: on a GPU or the CPU its own time, on the simulator the host's.
    pub seconds: f64,
}

impl Pilot {
    /// What one pass costs at size `n`, at most, s: it grows with the work, and less while a GPU is
    /// not yet full.
    pub fn expected(&self, open: &dyn OpenProblem, n: u64) -> f64 {
        self.seconds * (open.work(n) / open.work(self.n)).max(1.0)
    }
}

/// The size at which a step is to be timed, as far as it is known beforehand.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    /// Problem size `n`.
    pub n: u64,
    /// Whether somebody has said so.
    pub asked: bool,
    /// The size at which its parent was timed, if it was.
    pub parent: Option<u64>,
}

/// The size at which a step is timed: `target.n`, or the largest power of two at which one pass
/// lasts no longer than the device allows (on the simulator, and on the CPU where the target was not
/// asked for: than a reader waits); and the trial that showed it. On the CPU a step may take twice
/// as long at the size of its parent: one that is a little slower is to be compared with it.
///
/// # Errors
/// The device's.
pub fn choose_size(
    device: &mut dyn Device,
    open: &mut dyn OpenProblem,
    step: &Step,
    module: &mut Module,
    Target { n: target, asked, parent }: Target,
    progress: &mut dyn FnMut(Progress),
) -> Result<(u64, Pilot), Error> {
    let limit = match is_modelled(device.info()) {
        true => HOST_SECONDS,
        false if is_cpu(device.info()) && !asked => CPU_SECONDS,
        false => device.info().launch_limit_seconds.min(MEASURED_SECONDS),
    };
    let mut n = FIRST.min(target);
    let mut expected_seconds = 0.0;
    loop {
        progress(Progress::Pilot { n, expected_seconds });
        let mut pilot = Pilot { n, seconds: trial(device, open, step, module, n)? };
        if pilot.expected(open, target) > limit && pilot.seconds < AGAIN_SECONDS {
            // Something else may have kept the computer busy just then.
            pilot.seconds = pilot.seconds.min(trial(device, open, step, module, n)?);
        }
        let is_sure = !is_cpu(device.info())
            || n >= target / CPU_ROOM
            || pilot.expected(open, target) * CPU_ROOM as f64 <= limit;
        if pilot.expected(open, target) <= limit && is_sure {
            return Ok((target, pilot));
        }
        let next = 4 * n;
        expected_seconds = pilot.expected(open, next);
        if pilot.seconds > TELLING_SECONDS || next >= target || expected_seconds > limit {
            let largest = largest_within(limit, pilot, target, |n| open.work(n));
            let is_near = |n: &u64| *n < target && pilot.expected(open, *n) <= 2.0 * limit;
            let parents = parent.filter(|_| is_cpu(device.info())).filter(is_near);
            return Ok((largest.max(parents.unwrap_or(0)), pilot));
        }
        n = next;
    }
}

/// The largest power of two whose expected time is within `limit`, below `target`.
fn largest_within(limit: f64, pilot: Pilot, target: u64, work: impl Fn(u64) -> f64) -> u64 {
    let expected = |n: u64| pilot.seconds * work(n) / work(pilot.n);
    let mut size = 1;
    while 2 * size < target && expected(2 * size) <= limit {
        size *= 2;
    }
    size
}

/// What one pass costs: on a GPU or the CPU its own time, on the simulator the host's.
fn trial(
    device: &mut dyn Device,
    open: &mut dyn OpenProblem,
    step: &Step,
    module: &mut Module,
    n: u64,
) -> Result<f64, Error> {
    let mut pass = open.place(device, step, module, Input::trial(n))?;
    pass.upload(device)?;
    if is_modelled(device.info()) {
        let start = Instant::now();
        pass.run(device)?;
        device.synchronize()?;
        return Ok(start.elapsed().as_secs_f64());
    }
    pass.run(device)?; // the first launch of a kernel also loads it
    Ok(device.time(&mut |device| pass.run(device))?.seconds.max(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_the_largest_powers_of_two_within_the_limit() {
        let pilot = |seconds| Pilot { n: 256, seconds };
        let largest = |limit, seconds, target| {
            largest_within(limit, pilot(seconds), target, |n| (n as f64).powi(2))
        };
        // 16 ms at 256: 16.4 s at 8192, 65 s at 16384.
        assert_eq!(largest(20.0, 0.016, 131_072), 8192);
        assert_eq!(largest(1.0, 0.016, 131_072), 1024);
        // Never up to the target, which was expected to take too long.
        assert_eq!(largest(20.0, 1e-9, 4096), 2048);
        // Slower than the limit even at the trial's size.
        assert_eq!(largest(1.0, 10.0, 4096), 64);
        assert_eq!(largest(1.0, 1e9, 4096), 1);
    }
}
