//! Whether a step computes what the reference says.
//!
//! Nothing is timed before it: accelerations at sizes around the edges of warps, blocks and tiles,
//! there also single launches from states of their own, then positions and velocities after a few
//! time steps, then, in [`crate::measure`], the
//! accelerations at the timed size itself.

mod case;
mod divided;
mod errors;
mod judge;
#[cfg(test)]
mod mutants;
mod single;
mod tolerance;
mod wrong;

use device::{Device, Module, Timing};

use crate::nbody::{Simulation, State};
use crate::{Progress, Step};
use single::verify_single_launches;

pub use case::{Case, Cases, TIME_STEPS, Trajectory};
pub use divided::{verify_divided, verify_divided_accelerations};
pub use errors::{Errors, Tolerance};
pub use judge::{Drift, judge_accelerations, judge_repetition, judge_time_steps};
pub use tolerance::{acceleration_tolerance, time_step_tolerance};
pub use wrong::{Mismatch, Wrong};

/// Sizes at which accelerations are verified: around the 4 bodies by which compilers unroll a loop,
/// both sides of a warp's and of a block's edge, two full blocks, a size that is no multiple of
/// anything, and a prime with many tiles; that one not by a single thread of a GPU, which has no
/// tiles and would take seconds for it.
pub const SIZES: [usize; 14] = [1, 2, 3, 4, 5, 31, 32, 33, 255, 256, 257, 512, 1000, 4099];

/// Above this many bodies a slow step takes seconds: there the later force evaluation stands for
/// the first as well.
const BOTH_EVALUATIONS: usize = 1000;

/// Where two evaluations are compared bit by bit, with warps in different orders where the device
/// can choose.
const REPEATED: usize = 1000;

/// Sizes at which positions and velocities after [`TIME_STEPS`] time steps are verified.
pub const TIME_STEP_SIZES: [usize; 2] = [257, 1000];

/// Why a step did not verify.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    /// It ran, and its results are wrong.
    #[error("{0}")]
    Wrong(Box<Wrong>),
    /// It was timed by a clock that goes wrong.
    #[error("{0}")]
    Clock(String),
    /// It was faster than anything that does the work can be.
    #[error(
        "impossible: a force evaluation of {n} bodies took {seconds:.3e} s, and none can take less \
         than {floor:.3e} s on {chip}: does it leave out work when nobody looks?"
    )]
    Impossible {
        /// Bodies.
        n: usize,
        /// The shortest sample, s.
        seconds: f64,
        /// The least time that is possible, s.
        floor: f64,
        /// The GPU, or the CPU.
        chip: String,
    },
    /// It did not run to the end.
    #[error(transparent)]
    Device(#[from] device::Error),
}

impl From<Wrong> for Problem {
    fn from(wrong: Wrong) -> Problem {
        Problem::Wrong(Box::new(wrong))
    }
}

/// Verifies a step at all sizes of [`SIZES`] and [`TIME_STEP_SIZES`]; what its energy and momentum
/// did at the largest of the latter. Where the device can, it looks for hazards as well.
///
/// # Errors
/// The first [`Problem`].
pub fn verify(
    device: &mut dyn Device,
    step: &Step,
    module: &mut Module,
    cases: &mut Cases,
    progress: &mut dyn FnMut(Progress),
) -> Result<Drift, Problem> {
    device.check_hazards(true);
    let drift = verify_results(device, step, module, cases, progress);
    device.check_hazards(false);
    drift
}

/// Those of [`SIZES`] at which a step is verified.
fn sizes(step: &Step) -> impl Iterator<Item = usize> {
    let is_slow = step.is_one_gpu_thread();
    SIZES.into_iter().filter(move |&n| n <= BOTH_EVALUATIONS || !is_slow)
}

fn verify_results(
    device: &mut dyn Device,
    step: &Step,
    module: &mut Module,
    cases: &mut Cases,
    progress: &mut dyn FnMut(Progress),
) -> Result<Drift, Problem> {
    for n in sizes(step) {
        progress(Progress::Verify { n: n as u64 });
        let case = cases.verification(n);
        device.shuffle_warps(n as u64);
        if n <= BOTH_EVALUATIONS {
            let simulation = Simulation::new(device, step, module, &case.bodies)?;
            let first = verify_accelerations(device, &simulation, &case)?.state;
            if step.reproducible && n == REPEATED {
                device.shuffle_warps(!(n as u64));
                judge_repetition(&first, &evaluate(device, step, module, &case)?)?;
                device.shuffle_warps(n as u64);
            }
        }
        verify_single_launches(device, step, module, &case)?;
    }
    device.shuffle_warps(0);
    let mut drift = Drift::default();
    for n in TIME_STEP_SIZES {
        progress(Progress::VerifyTimeSteps { n: n as u64, time_steps: TIME_STEPS });
        let trajectory = cases.trajectory(n);
        let simulation = Simulation::new(device, step, module, &trajectory.bodies)?;
        simulation.run(device, TIME_STEPS)?;
        // The last evaluation corrects the velocities.
        simulation.force(device, TIME_STEPS)?;
        drift = judge_time_steps(&trajectory, &simulation.download(device)?, step.bits)?;
    }
    Ok(drift)
}

/// A force evaluation whose accelerations are right.
#[derive(Debug)]
pub struct Evaluation {
    /// How far off they are.
    pub errors: Errors,
    /// How long it took.
    pub timing: Timing,
    /// What it left.
    pub state: State,
}

/// Runs one force evaluation on freshly uploaded bodies and compares its accelerations.
///
/// # Errors
/// [`Problem`]: the results are wrong, or the device failed.
pub fn verify_accelerations(
    device: &mut dyn Device,
    simulation: &Simulation,
    case: &Case,
) -> Result<Evaluation, Problem> {
    let timing = device.time(&mut |device| simulation.force(device, 0))?;
    let state = simulation.download(device)?;
    let errors = judge_accelerations(case, &state, simulation.bits())?;
    Ok(Evaluation { errors, timing, state })
}

/// What a force evaluation leaves.
fn evaluate(
    device: &mut dyn Device,
    step: &Step,
    module: &mut Module,
    case: &Case,
) -> Result<State, Problem> {
    let simulation = Simulation::new(device, step, module, &case.bodies)?;
    simulation.force(device, 0)?;
    Ok(simulation.download(device)?)
}
