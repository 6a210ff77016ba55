//! Whether what was timed was done each time: a pass over inputs that were used before may leave out
//! what it did then.

use device::{Buffer, Device};
use report::statistics::median;

use super::plan::Plan;
use super::sample::Sample;
use crate::problem::Pass;
use crate::verify::{Evaluation, Failure, evaluate};

/// A pass over new inputs that takes so many times as long as a sample's is looked at again.
const LONGER: f64 = 1.5;

/// It has kept results if it takes so many times as long as one over old inputs …
const KEPT: f64 = 2.0;

/// … and so much longer, s: some times the resolution of a GPU's clock.
const KEPT_SECONDS: f64 = 5e-6;

/// How often it is looked at again. The shortest time counts: whatever else a computer does makes
/// times longer.
const LOOKS: usize = 5;

/// How often at most if it seems to have kept results: a busy computer may make a few in a row longer.
const MOST_LOOKS: usize = 25;

/// Runs a pass over inputs that were never used before, judges its results, and refuses samples that
/// were so much shorter that work must have been left out of them.
///
/// Samples are taken over the same inputs again and again, so a kernel could keep results and find
/// them again. What is compared are single passes: the first over inputs just placed, and one that
/// follows as many others as in a sample.
///
/// # Errors
/// [`Failure::Kept`]; the results are wrong, or the device failed.
pub(super) fn check(
    device: &mut dyn Device,
    pass: &mut dyn Pass,
    n: u64,
    plan: Plan,
    samples: &[Sample],
) -> Result<(), Failure> {
    let Evaluation { timing, .. } = evaluate(device, pass)?;
    let seconds: Vec<f64> = samples.iter().map(|sample| sample.seconds).collect();
    if timing.seconds <= LONGER * median(&seconds).unwrap_or_default() {
        return Ok(());
    }
    let (mut new, mut old) = (timing.seconds, f64::INFINITY);
    let evicted = evicted(device);
    for look in 1..=MOST_LOOKS {
        pass.restore(device)?;
        new = new.min(cold(device, pass, evicted.as_ref())?);
        for _ in 0..plan.warm_ups + plan.passes {
            pass.run(device)?;
        }
        old = old.min(cold(device, pass, evicted.as_ref())?);
        let kept = new > KEPT * old && new > old + KEPT_SECONDS;
        if !kept && look >= LOOKS {
            return Ok(());
        }
    }
    Err(Failure::Kept { n, new, old })
}

/// Memory of twice the size of a GPU's L2 cache, if there is room for it.
fn evicted(device: &mut dyn Device) -> Option<Buffer> {
    let bytes = 2.0 * device.gpu()?.chip.l2_bytes.value;
    device.alloc("what caches hold", bytes as usize).ok()
}

/// How often a GPU fills that memory before it is timed: some milliseconds, after which its clocks are up again if it
/// had nothing to do while inputs were copied.
const FILLS: usize = 64;

/// How long a pass takes whose data no cache has, on a GPU that has just worked: what differs between inputs that were
/// copied just now and others is then the work alone.
fn cold(
    device: &mut dyn Device,
    pass: &dyn Pass,
    evicted: Option<&Buffer>,
) -> Result<f64, device::Error> {
    if let Some(buffer) = evicted {
        (0..FILLS).try_for_each(|_| device.fill(buffer, 0))?;
    }
    Ok(device.time(&mut |device| pass.run(device))?.seconds)
}
