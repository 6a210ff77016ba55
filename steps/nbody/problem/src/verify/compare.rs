//! Comparisons that a verdict is made of.

use ladder::judge::{Errors, Mismatch, Tolerance, judge};

use crate::bodies::Bodies;
use crate::simulation::State;
use crate::tolerance::Allowed;

/// What is being compared, for the message.
pub(super) struct Judged<'a> {
    pub(super) quantity: &'a str,
    pub(super) n: usize,
    pub(super) targets: &'a [usize],
}

impl Judged<'_> {
    /// Checks all together, then each by itself.
    pub(super) fn check_each(
        &self,
        got: &[[f64; 3]],
        expected: &[[f64; 3]],
        allowed: &Allowed,
    ) -> Result<Errors, Mismatch> {
        let errors = self.check(got, expected, allowed.tolerance)?;
        for (i, most) in allowed.each.iter().enumerate() {
            let [got, expected] = [got[i], expected[i]];
            if length(moved(&[got], &[expected])[0]) > *most {
                let own = most / length(expected);
                let alone = Judged { targets: &self.targets[i..=i], ..*self };
                alone.check(&[got], &[expected], Tolerance { rms: own, worst: own })?;
            }
        }
        Ok(errors)
    }

    pub(super) fn check(
        &self,
        got: &[[f64; 3]],
        expected: &[[f64; 3]],
        tolerance: Tolerance,
    ) -> Result<Errors, Mismatch> {
        let place = |index: usize| format!("body {}", self.targets[index]);
        judge(self.quantity, self.n as u64, (got, expected), tolerance, place)
    }
}

/// What is wrong without an error.
pub(super) fn other(n: usize, what: String) -> Mismatch {
    Mismatch::Other { n: n as u64, what }
}

/// Fails where something was written that is not to be written.
pub(super) fn check_stray(n: usize, state: &State) -> Result<(), Mismatch> {
    match &state.stray {
        Some(what) => Err(other(n, what.clone())),
        None => Ok(()),
    }
}

/// Length of a vector.
pub(super) fn length(v: [f64; 3]) -> f64 {
    v.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// From each of `from` to the same of `to`.
pub(super) fn moved(to: &[[f64; 3]], from: &[[f64; 3]]) -> Vec<[f64; 3]> {
    to.iter().zip(from).map(|(b, a)| [b[0] - a[0], b[1] - a[1], b[2] - a[2]]).collect()
}

/// Fails where a first force evaluation changed more than accelerations.
pub(super) fn check_unchanged(bodies: &Bodies, state: &State) -> Result<(), Mismatch> {
    let n = bodies.len();
    check_stray(n, state)?;
    if state.bodies == *bodies {
        return Ok(());
    }
    let what = "the first force evaluation changed masses, positions or velocities".to_owned();
    Err(other(n, what))
}

/// The computed acceleration of body `i`.
pub(super) fn acceleration_of(state: &State, i: usize) -> [f64; 3] {
    state.acceleration.each_ref().map(|axis| f64::from(axis[i]))
}
