//! The verdict on what a step computed.

use ladder::judge::{Errors, Mismatch};

use super::case::{Forces, Trajectory};
use super::compare::{Judged, acceleration_of, check_stray, check_unchanged, length, moved, other};
use crate::reference::Reference;
use crate::simulation::State;
use crate::tolerance::{Allowed, Precision};

/// How far quantities moved that nature keeps.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Drift {
    /// Change of the total energy, relative to it.
    pub energy: f64,
    /// Change of the total momentum, relative to Σ m|v|.
    pub momentum: f64,
}

/// Judges the state after one force evaluation.
///
/// # Errors
/// [`Mismatch`]: accelerations are off, or something else was changed.
pub fn judge_accelerations(
    case: &Forces,
    state: &State,
    precision: &Precision,
) -> Result<Errors, Mismatch> {
    check_unchanged(&case.bodies, state)?;
    judge_acceleration_values(case, state, "accelerations", precision)
}

/// Judges the accelerations alone.
pub(super) fn judge_acceleration_values(
    case: &Forces,
    state: &State,
    quantity: &str,
    precision: &Precision,
) -> Result<Errors, Mismatch> {
    let n = case.bodies.len();
    let got: Vec<[f64; 3]> = case.targets.iter().map(|&i| acceleration_of(state, i)).collect();
    let allowed = precision.accelerations(&case.expected, &case.pulls);
    Judged { quantity, n, targets: &case.targets }.check_each(&got, &case.expected, &allowed)
}

/// What is compared after some time steps and a last force evaluation.
///
/// Positions and velocities are compared by how far they moved, which is little against their own
/// size: a body that stays where it is would pass otherwise.
pub fn compared(trajectory: &Trajectory, state: &State, precision: &Precision) -> [Compared; 3] {
    let [position, velocity, _] = trajectory.start.state();
    let [position_now, velocity_now, _] = Reference::new(&state.bodies).state();
    let [position_expected, velocity_expected, acceleration_expected] = trajectory.end.state();
    let acceleration_now =
        (0..trajectory.bodies.len()).map(|i| acceleration_of(state, i)).collect();
    let expected = [
        moved(&position_expected, &position),
        moved(&velocity_expected, &velocity),
        acceleration_expected,
    ];
    let [of_positions, of_velocities, of_accelerations] = precision.time_steps(
        (trajectory.steps, trajectory.constants.dtime),
        expected.each_ref().map(Vec::as_slice),
        [&position, &velocity],
        trajectory.pulls.each_ref().map(Vec::as_slice),
    );
    let [positions, velocities, accelerations] = expected;
    let named = |what: &str| format!("{what} after {} time steps", trajectory.steps);
    [
        Compared {
            quantity: named("position changes"),
            got: moved(&position_now, &position),
            expected: positions,
            allowed: of_positions,
        },
        Compared {
            quantity: named("velocity changes"),
            got: moved(&velocity_now, &velocity),
            expected: velocities,
            allowed: of_velocities,
        },
        Compared {
            quantity: named("accelerations"),
            got: acceleration_now,
            expected: accelerations,
            allowed: of_accelerations,
        },
    ]
}

/// One of them.
#[derive(Debug)]
pub struct Compared {
    /// Its name.
    pub quantity: String,
    /// What a step computed.
    pub got: Vec<[f64; 3]>,
    /// What is right.
    pub expected: Vec<[f64; 3]>,
    /// How far the one may be from the other.
    pub allowed: Allowed,
}

/// Judges that state; how far energy and momentum moved.
///
/// # Errors
/// [`Mismatch`]: positions, velocities, accelerations or masses are off, or padding was harmed.
pub fn judge_time_steps(
    trajectory: &Trajectory,
    state: &State,
    precision: &Precision,
) -> Result<Drift, Mismatch> {
    let n = trajectory.bodies.len();
    check_stray(n, state)?;
    if state.bodies.mass != trajectory.bodies.mass {
        return Err(other(n, "a time step changed masses".to_owned()));
    }
    let targets: Vec<usize> = (0..n).collect();
    for Compared { quantity, got, expected, allowed } in compared(trajectory, state, precision) {
        Judged { quantity: &quantity, n, targets: &targets }
            .check_each(&got, &expected, &allowed)?;
    }
    let end = Reference::new(&state.bodies).with(trajectory.constants);
    let (before, scale) = trajectory.start.momentum();
    let (after, _) = end.momentum();
    let change = length(moved(&[after], &[before])[0]);
    Ok(Drift {
        energy: ((end.energy() - trajectory.energy) / trajectory.energy).abs(),
        momentum: change / scale,
    })
}
