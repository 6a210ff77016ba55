//! Time integration: correct code must pass, and every broken one must not.

use super::*;
use crate::DTIME;

/// Time steps that are judged here.
const TIME_STEPS: u32 = 3;

/// How a broken time integration differs from the right one.
#[derive(Clone, Copy)]
struct Integration {
    correction: f32,
    half: f32,
    step: f32,
    moved: usize,
    is_stale: bool,
    epssq: f32,
    steps: u32,
}

impl Integration {
    /// As correct kernels make them.
    fn right(n: usize, constants: Constants, steps: u32) -> Integration {
        let Constants { dtime: step, epssq } = constants;
        let half = constants.dthf();
        Integration { correction: half, half, step, moved: n, is_stale: false, epssq, steps }
    }
}

/// Time steps in f32 as correct kernels make them, but for what `how` changes; with the last force
/// evaluation after them, or before it.
fn integrate(start: &Bodies, how: Integration, ends_with_force: bool) -> State {
    let mut bodies = start.clone();
    let forces = |bodies: &Bodies| softened(bodies, how.epssq, all);
    let mut acceleration = forces(&bodies);
    for step in 0..how.steps + u32::from(ends_with_force) {
        let new = if how.is_stale { acceleration.clone() } else { forces(&bodies) };
        for axis in 0..3 {
            for i in 0..how.moved {
                let v = &mut bodies.velocity[axis][i];
                if step > 0 {
                    *v += (new[axis][i] - acceleration[axis][i]) * how.correction;
                }
                if step < how.steps {
                    let between = *v + new[axis][i] * how.half;
                    bodies.position[axis][i] += between * how.step;
                    *v = between + new[axis][i] * how.half;
                }
            }
        }
        acceleration = new;
    }
    State { bodies, acceleration, stray: None }
}

#[test]
fn time_steps_are_judged() {
    let (half, step) = (0.5 * DTIME, DTIME);
    for n in TIME_STEP_SIZES.map(|n| n as usize) {
        let trajectory =
            Trajectory::new(verification_bodies(n, SEED), Constants::USUAL, TIME_STEPS);
        let right = Integration::right(n, Constants::USUAL, TIME_STEPS);
        let computed = integrate(&trajectory.bodies, right, true);
        let drift =
            judge_time_steps(&trajectory, &computed, &Precision::plain(n)).expect("correct code");
        assert!(drift.energy < 1e-4 && drift.momentum < 1e-5, "{drift:?}");
        for (name, how) in [
            ("no correction of velocities", Integration { correction: 0.0, ..right }),
            ("correction of the wrong sign", Integration { correction: -half, ..right }),
            ("half a step twice as long", Integration { half: step, ..right }),
            ("a step of half the length", Integration { step: half, ..right }),
            ("a step 1.0001 times as long", Integration { step: 1.0001 * step, ..right }),
            ("the last body left behind", Integration { moved: n - 1, ..right }),
            ("nothing moved", Integration { moved: 0, ..right }),
            ("accelerations never renewed", Integration { is_stale: true, ..right }),
        ] {
            let verdict = judge_time_steps(
                &trajectory,
                &integrate(&trajectory.bodies, how, true),
                &Precision::plain(n),
            );
            assert!(verdict.is_err(), "n = {n}: {name} passed");
        }
        let spoil = |change: fn(&mut State)| {
            let mut state = computed.clone();
            change(&mut state);
            judge_time_steps(&trajectory, &state, &Precision::plain(n)).is_err()
        };
        assert!(spoil(|state| state.bodies.velocity[2][256] = f32::NAN));
        assert!(spoil(|state| state.bodies.mass[256] *= 2.0));
        assert!(spoil(|state| state.acceleration[0][0] = 0.0));
        assert!(spoil(|state| state.stray = Some("padding body 300 was given a mass".into())));
    }
}

/// Whatever a seed draws, correct code passes.
#[test]
fn correct_code_passes_with_any_seed() {
    for seed in 100..100 + SEEDS {
        for n in sizes(false, seed).into_iter().filter(|n| *n <= 640) {
            let case = Forces::drawn(n, seed);
            let computed = state(&case, softened(&case.bodies, case.constants.epssq, all));
            judge_accelerations(&case, &computed, &Precision::plain(n as usize))
                .unwrap_or_else(|wrong| panic!("seed {seed}: {wrong}"));
        }
        for n in TIME_STEP_SIZES {
            let trajectory = Trajectory::drawn(n, seed);
            let right = Integration::right(n as usize, trajectory.constants, trajectory.steps);
            let computed = integrate(&trajectory.bodies, right, true);
            judge_time_steps(&trajectory, &computed, &Precision::plain(n as usize))
                .unwrap_or_else(|wrong| panic!("seed {seed}: {wrong}"));
        }
    }
}

/// Seeds that are tried: more were, once.
const SEEDS: u64 = 5;

#[test]
fn whole_time_steps_are_judged_where_they_are_timed() {
    let distant = |mut bodies: Bodies| {
        bodies.position[1].iter_mut().for_each(|y| *y += 1e4);
        bodies.velocity[2].iter_mut().for_each(|v| *v -= 300.0);
        bodies
    };
    for n in [1, 2, 33, 257, 1000] {
        for bodies in [verification_bodies(n, SEED), plummer(n, SEED), distant(plummer(n, SEED))] {
            let forces = Forces::new(bodies, Constants::USUAL, SEED);
            let judged = |how: Integration| {
                judge_wholes(
                    &forces,
                    how.steps,
                    &integrate(&forces.bodies, how, false),
                    &Precision::plain(n),
                )
            };
            for steps in 1..=4 {
                let right = Integration::right(n, Constants::USUAL, steps);
                assert_eq!(judged(right), Ok(()), "n = {n}, {steps} time steps");
            }
        }
    }
}

#[test]
fn whole_time_steps_that_are_wrong_are_found() {
    let n = 1000;
    let forces = Forces::new(plummer(n, SEED), Constants::USUAL, SEED);
    let half = Constants::USUAL.dthf();
    for steps in [1, 2] {
        let right = Integration::right(n, Constants::USUAL, steps);
        for (name, how) in [
            ("half a step twice as long", Integration { half: 2.0 * half, ..right }),
            ("a step 1.0001 times as long", Integration { step: 1.0001 * DTIME, ..right }),
            ("the last body left behind", Integration { moved: n - 1, ..right }),
            ("other softening", Integration { epssq: 1.01 * EPSSQ, ..right }),
            ("accelerations never renewed", Integration { is_stale: true, ..right }),
            ("no correction of velocities", Integration { correction: 0.0, ..right }),
            ("a time step too few", Integration { steps: steps - 1, ..right }),
            ("a time step too many", Integration { steps: steps + 1, ..right }),
        ] {
            // The first time step corrects nothing and has nothing to renew.
            let is_same = steps == 1 && (how.is_stale || how.correction == 0.0);
            let state = integrate(&forces.bodies, how, false);
            let verdict = judge_wholes(&forces, steps, &state, &Precision::plain(n));
            assert_eq!(verdict.is_ok(), is_same, "{steps} time steps: {name}: {verdict:?}");
        }
        for (axis, i) in [(0, 0), (2, n - 1)] {
            let mut state = integrate(&forces.bodies, right, false);
            state.bodies.position[axis][i] = f32::INFINITY;
            let wrong =
                judge_wholes(&forces, steps, &state, &Precision::plain(n)).expect_err("not finite");
            assert!(wrong.to_string().contains(&format!("position of body {i} is")), "{wrong}");
        }
    }
    // Of more time steps, the last.
    let right = Integration::right(n, Constants::USUAL, 5);
    let mut state = integrate(&forces.bodies, right, false);
    assert_eq!(judge_wholes(&forces, 5, &state, &Precision::plain(n)), Ok(()));
    state.acceleration[0][3] += 1e-2;
    assert!(judge_wholes(&forces, 5, &state, &Precision::plain(n)).is_err());
}

#[test]
fn the_end_of_many_time_steps_is_judged() {
    let forces = Forces::new(plummer(257, SEED), Constants::USUAL, SEED);
    let right = Integration::right(257, Constants::USUAL, 9);
    let mut state = integrate(&forces.bodies, right, true);
    assert_eq!(judge_end(&forces, 9, &state, &Precision::plain(257)), Ok(()));
    state.bodies.position[0][256] += 0.5;
    assert!(judge_end(&forces, 9, &state, &Precision::plain(257)).is_err());
    state.bodies.velocity[1][2] = f32::NAN;
    let wrong = judge_end(&forces, 9, &state, &Precision::plain(257)).expect_err("not finite");
    assert!(wrong.to_string().contains("velocity of body 2"), "{wrong}");
}
