//! Single launches from states that no time step leaves behind.
//!
//! In a trajectory the changes of one launch are small against what they are added to, so rounding
//! hides small mistakes, and what one kernel does wrong the next may undo. Here velocities,
//! positions and old accelerations are as large as what is added to them.

use ladder::judge::{Mismatch, Tolerance};

use super::case::{Forces, Start};
use super::compare::{Judged, acceleration_of, check_stray, moved, other};
use super::judge::judge_acceleration_values;
use crate::reference::Reference;
use crate::simulation::State;
use crate::tolerance::{Precision, ROUNDING};

/// A force evaluation that is not the first: beyond all that the trajectories count.
pub const LATER: u32 = 1000;

/// Five roundings at most, of values no larger than what is judged, and room for as many.
const TOLERANCE: Tolerance = Tolerance { rms: 8.0 * ROUNDING, worst: 24.0 * ROUNDING };

/// Judges a later force evaluation: accelerations as in `case`, velocities corrected by them.
///
/// # Errors
/// [`Mismatch`].
pub fn judge_force(
    case: &Forces,
    start: &Start,
    state: &State,
    precision: &Precision,
) -> Result<(), Mismatch> {
    let n = start.bodies.len();
    check_stray(n, state)?;
    if state.bodies.mass != start.bodies.mass || state.bodies.position != start.bodies.position {
        let what = "a later force evaluation changed masses or positions".to_owned();
        return Err(other(n, what));
    }
    judge_acceleration_values(case, state, "accelerations of a later force evaluation", precision)?;
    let half = f64::from(case.constants.dthf());
    let old = vectors(&start.acceleration);
    let expected: Vec<[f64; 3]> = (0..n)
        .map(|i| {
            let new = acceleration_of(state, i);
            std::array::from_fn(|axis| (new[axis] - old[i][axis]) * half)
        })
        .collect();
    let changes = moved(&vectors(&state.bodies.velocity), &vectors(&start.bodies.velocity));
    let quantity = "velocity corrections of a later force evaluation";
    let targets: Vec<usize> = (0..n).collect();
    Judged { quantity, n, targets: &targets }.check(&changes, &expected, TOLERANCE)?;
    Ok(())
}

/// Judges one advance.
///
/// # Errors
/// [`Mismatch`].
pub fn judge_advance(start: &Start, state: &State) -> Result<(), Mismatch> {
    let n = start.bodies.len();
    check_stray(n, state)?;
    let bits = |axis: &Vec<f32>| axis.iter().map(|x| x.to_bits()).collect::<Vec<u32>>();
    if state.bodies.mass != start.bodies.mass
        || state.acceleration.each_ref().map(bits) != start.acceleration.each_ref().map(bits)
    {
        let what = "an advance changed masses or accelerations".to_owned();
        return Err(other(n, what));
    }
    let (before, after) = (&start.bodies, &state.bodies);
    let expected = Reference::new(before).with(start.constants);
    let expected = expected.resumed(vectors(&start.acceleration)).advanced();
    let [position, velocity, _] = expected.state();
    let targets: Vec<usize> = (0..n).collect();
    for (quantity, now, expected, from) in [
        ("position changes of one advance", &after.position, position, &before.position),
        ("velocity changes of one advance", &after.velocity, velocity, &before.velocity),
    ] {
        let from = vectors(from);
        let (now, expected) = (moved(&vectors(now), &from), moved(&expected, &from));
        Judged { quantity, n, targets: &targets }.check(&now, &expected, TOLERANCE)?;
    }
    Ok(())
}

/// Three columns as a list of vectors.
fn vectors(axes: &[Vec<f32>; 3]) -> Vec<[f64; 3]> {
    (0..axes[0].len()).map(|i| axes.each_ref().map(|axis| f64::from(axis[i]))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ladder::problem::SEED;

    /// A later force evaluation as correct f32 code makes it, with its old accelerations times
    /// `old` and its corrections times `half`.
    fn forced(case: &Forces, start: &Start, old: f32, half: f32) -> State {
        let acceleration: [Vec<f32>; 3] =
            std::array::from_fn(|axis| case.expected.iter().map(|a| a[axis] as f32).collect());
        let mut bodies = start.bodies.clone();
        for (axis, new) in acceleration.iter().enumerate() {
            for (i, v) in bodies.velocity[axis].iter_mut().enumerate() {
                *v += (new[i] - start.acceleration[axis][i] * old) * half;
            }
        }
        State { bodies, acceleration, stray: None }
    }

    #[test]
    fn corrections_are_judged() {
        for n in [1, 2, 33, 257] {
            let case = Forces::drawn(n as u64, SEED);
            let (start, half) = (Start::of_force(&case), case.constants.dthf());
            assert_eq!(
                judge_force(&case, &start, &forced(&case, &start, 1.0, half), &Precision::plain(n)),
                Ok(())
            );
            for (old, half) in
                [(1.00001, half), (0.0, half), (-1.0, half), (1.0, half * 0.99999), (1.0, 0.0)]
            {
                let state = forced(&case, &start, old, half);
                assert!(
                    judge_force(&case, &start, &state, &Precision::plain(n)).is_err(),
                    "n = {n}: {old} {half}"
                );
            }
            let spoil = |change: &dyn Fn(&mut State)| {
                let mut state = forced(&case, &start, 1.0, half);
                change(&mut state);
                judge_force(&case, &start, &state, &Precision::plain(n)).is_err()
            };
            assert!(spoil(&|state| state.bodies.velocity[2][n - 1] = f32::NAN));
            assert!(spoil(&|state| state.bodies.velocity[0][0] *= 1.0001));
            assert!(spoil(&|state| state.bodies.mass[n - 1] *= 2.0));
            assert!(spoil(&|state| state.bodies.position[1][0] += 0.5));
            assert!(spoil(&|state| state.acceleration = start.acceleration.clone()));
        }
    }

    /// An advance as correct f32 code makes it, with these factors at its two halves and its way.
    fn advanced(start: &Start, [first, second, way]: [f32; 3]) -> State {
        let mut bodies = start.bodies.clone();
        let (dtime, half) = (start.constants.dtime, start.constants.dthf());
        for axis in 0..3 {
            for (i, a) in start.acceleration[axis].iter().enumerate() {
                let between = bodies.velocity[axis][i] + a * half * first;
                bodies.position[axis][i] += between * dtime * way;
                bodies.velocity[axis][i] = between + a * half * second;
            }
        }
        State { bodies, acceleration: start.acceleration.clone(), stray: None }
    }

    #[test]
    fn advances_are_judged() {
        for n in [1, 2, 33, 257] {
            let start = Start::of_advance(n as u64, SEED);
            assert_eq!(judge_advance(&start, &advanced(&start, [1.0; 3])), Ok(()));
            for (place, factor) in
                [(0, 1.0001), (1, 1.0001), (2, 1.0001), (0, 0.0), (1, 0.0), (2, 0.5)]
            {
                let mut factors = [1.0; 3];
                factors[place] = factor;
                let state = advanced(&start, factors);
                assert!(judge_advance(&start, &state).is_err(), "n = {n}: {factors:?}");
            }
            let spoil = |change: &dyn Fn(&mut State)| {
                let mut state = advanced(&start, [1.0; 3]);
                change(&mut state);
                judge_advance(&start, &state).is_err()
            };
            assert!(spoil(
                &|state| state.bodies.position[0][n - 1] = start.bodies.position[0][n - 1]
            ));
            assert!(spoil(&|state| state.bodies.velocity[2][0] = f32::NAN));
            assert!(spoil(&|state| state.acceleration[1][n - 1] *= 2.0));
            assert!(spoil(&|state| state.bodies.mass[0] = 0.0));
            assert!(spoil(&|state| state.stray = Some("padding was written".to_owned())));
        }
    }
}
