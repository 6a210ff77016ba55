//! The verdict on what a step computed.

use ladder::judge::{Errors, Tolerance, Wrong, judge};

use super::case::{Forces, Trajectory};
use crate::reference::Reference;
use crate::simulation::State;
use crate::tolerance::{acceleration_tolerance, time_step_tolerance};

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
/// [`Wrong`]: accelerations are off, or something else was changed.
pub fn judge_accelerations(case: &Forces, state: &State, bits: u32) -> Result<Errors, Wrong> {
    let n = case.bodies.len();
    check_stray(n, state)?;
    if state.bodies != case.bodies {
        let what = "the first force evaluation changed masses, positions or velocities".to_owned();
        return Err(other(n, what));
    }
    judge_acceleration_values(case, state, "accelerations", bits)
}

/// Judges the accelerations alone.
pub(super) fn judge_acceleration_values(
    case: &Forces,
    state: &State,
    quantity: &str,
    bits: u32,
) -> Result<Errors, Wrong> {
    let n = case.bodies.len();
    let got: Vec<[f64; 3]> = case.targets.iter().map(|&i| acceleration_of(state, i)).collect();
    let judged = Judged { quantity, n, targets: &case.targets };
    judged.check(&got, &case.expected, acceleration_tolerance(n, bits))
}

/// The computed acceleration of body `i`.
pub(super) fn acceleration_of(state: &State, i: usize) -> [f64; 3] {
    state.acceleration.each_ref().map(|axis| f64::from(axis[i]))
}

/// Judges the state after some time steps and a last force evaluation; how far
/// energy and momentum moved.
///
/// Positions and velocities are compared by how far they moved, which is little against their own
/// size: a body that stays where it is would pass otherwise.
///
/// # Errors
/// [`Wrong`]: positions, velocities, accelerations or masses are off, or padding was harmed.
pub fn judge_time_steps(trajectory: &Trajectory, state: &State, bits: u32) -> Result<Drift, Wrong> {
    let n = trajectory.bodies.len();
    check_stray(n, state)?;
    if state.bodies.mass != trajectory.bodies.mass {
        return Err(other(n, "a time step changed masses".to_owned()));
    }
    let targets: Vec<usize> = (0..n).collect();
    let end = Reference::new(&state.bodies).with(trajectory.constants);
    let [position, velocity, _] = trajectory.start.state();
    let [position_now, velocity_now, _] = end.state();
    let [position_expected, velocity_expected, acceleration_expected] = trajectory.end.state();
    let acceleration_now: Vec<[f64; 3]> =
        targets.iter().map(|&i| acceleration_of(state, i)).collect();
    let tolerance = time_step_tolerance(n, bits);
    for (quantity, now, expected) in [
        ("position changes", moved(&position_now, &position), moved(&position_expected, &position)),
        ("velocity changes", moved(&velocity_now, &velocity), moved(&velocity_expected, &velocity)),
        ("accelerations", acceleration_now, acceleration_expected),
    ] {
        let quantity = format!("{quantity} after {} time steps", trajectory.steps);
        let judged = Judged { quantity: &quantity, n, targets: &targets };
        judged.check(&now, &expected, tolerance)?;
    }
    let (before, scale) = trajectory.start.momentum();
    let (after, _) = end.momentum();
    let change = moved(&[after], &[before])[0].iter().map(|x| x * x).sum::<f64>().sqrt();
    Ok(Drift {
        energy: ((end.energy() - trajectory.energy) / trajectory.energy).abs(),
        momentum: change / scale,
    })
}

/// What is being compared, for the message.
pub(super) struct Judged<'a> {
    pub(super) quantity: &'a str,
    pub(super) n: usize,
    pub(super) targets: &'a [usize],
}

impl Judged<'_> {
    pub(super) fn check(
        &self,
        got: &[[f64; 3]],
        expected: &[[f64; 3]],
        tolerance: Tolerance,
    ) -> Result<Errors, Wrong> {
        let place = |index: usize| format!("body {}", self.targets[index]);
        judge(self.quantity, self.n as u64, (got, expected), tolerance, place)
    }
}

/// What is wrong without an error.
pub(super) fn other(n: usize, what: String) -> Wrong {
    Wrong::Other { n: n as u64, what }
}

/// Fails where something was written that is not to be written.
pub(super) fn check_stray(n: usize, state: &State) -> Result<(), Wrong> {
    match &state.stray {
        Some(what) => Err(other(n, what.clone())),
        None => Ok(()),
    }
}

/// From each of `from` to the same of `to`.
pub(super) fn moved(to: &[[f64; 3]], from: &[[f64; 3]]) -> Vec<[f64; 3]> {
    to.iter().zip(from).map(|(b, a)| [b[0] - a[0], b[1] - a[1], b[2] - a[2]]).collect()
}
