//! Whether a step on several GPUs computes what the reference says: on each of them, all of it.

use std::sync::{Mutex, PoisonError};

use device::{Device, Group, Module};

use super::case::{Case, Cases, TIME_STEPS};
use super::errors::Errors;
use super::judge::{Drift, judge_accelerations, judge_time_steps};
use super::single::{LATER, Start, judge_advance, judge_force};
use super::{Problem, SIZES, TIME_STEP_SIZES};
use crate::nbody::Divided;
use crate::{Progress, Step};

/// Sizes beside [`SIZES`]: primes, and around 32 bodies for each of eight GPUs.
const MORE_SIZES: [usize; 4] = [7, 127, 263, 2003];

/// Verifies a step on this GPU of a group, whose others do the same, at all sizes; what energy and momentum did. Where the device can, it
/// looks for hazards as well.
///
/// # Errors
/// The first [`Problem`].
pub fn verify_divided(
    device: &mut dyn Device,
    group: &mut dyn Group,
    step: &Step,
    module: &mut Module,
    cases: &Mutex<Cases>,
    progress: &mut dyn FnMut(Progress),
) -> Result<Drift, Problem> {
    device.check_hazards(true);
    let drift = verify_results(device, group, step, module, cases, progress);
    device.check_hazards(false);
    drift
}

fn verify_results(
    device: &mut dyn Device,
    group: &mut dyn Group,
    step: &Step,
    module: &mut Module,
    cases: &Mutex<Cases>,
    progress: &mut dyn FnMut(Progress),
) -> Result<Drift, Problem> {
    let mut sizes = [&SIZES[..], &MORE_SIZES].concat();
    sizes.sort_unstable();
    for n in sizes {
        progress(Progress::Verify { n: n as u64 });
        let case = locked(cases).verification(n);
        device.shuffle_warps(n as u64);
        let divided = Divided::allocate(device, group, step, module, n)?;
        divided.upload(device, &case.bodies, None)?;
        verify_divided_accelerations(device, group, &divided, &case)?;

        let start = Start::of_force(&case.bodies);
        divided.upload(device, &start.bodies, Some(&start.acceleration))?;
        divided.force(device, group, LATER)?;
        judge_force(&case, &start, &divided.download(device, group)?, step.bits)?;

        let start = Start::of_advance(&case.bodies);
        divided.upload(device, &start.bodies, Some(&start.acceleration))?;
        divided.advance(device, group)?;
        judge_advance(&start, &divided.download(device, group)?)?;
    }
    device.shuffle_warps(0);
    let mut drift = Drift::default();
    for n in TIME_STEP_SIZES {
        progress(Progress::VerifyTimeSteps { n: n as u64, time_steps: TIME_STEPS });
        let trajectory = locked(cases).trajectory(n);
        let divided = Divided::allocate(device, group, step, module, n)?;
        divided.upload(device, &trajectory.bodies, None)?;
        divided.run(device, group, 0, TIME_STEPS)?;
        // The last evaluation corrects the velocities.
        divided.force(device, group, TIME_STEPS)?;
        drift = judge_time_steps(&trajectory, &divided.download(device, group)?, step.bits)?;
    }
    Ok(drift)
}

/// Runs one force evaluation on freshly uploaded bodies and compares all accelerations.
///
/// # Errors
/// [`Problem`]: the results are wrong, or a device or the group failed.
pub fn verify_divided_accelerations(
    device: &mut dyn Device,
    group: &mut dyn Group,
    divided: &Divided,
    case: &Case,
) -> Result<Errors, Problem> {
    divided.force(device, group, 0)?;
    Ok(judge_accelerations(case, &divided.download(device, group)?, divided.bits())?)
}

/// Cases outlive a thread that failed.
fn locked(cases: &Mutex<Cases>) -> std::sync::MutexGuard<'_, Cases> {
    cases.lock().unwrap_or_else(PoisonError::into_inner)
}
