//! The verifier, verified: correct f32 code must pass, and every broken one must not.

use super::*;
use crate::{Bodies, Constants, DTIME, EPSSQ, Precision, Reference, State, plummer};
use ladder::judge::{Errors, Tolerance};
use ladder::problem::SEED;

/// Accelerations in f32 as a correct kernel computes them, of the pairs (i, j) that `counts`.
fn forces(bodies: &Bodies, counts: impl Fn(usize, usize) -> bool) -> [Vec<f32>; 3] {
    softened(bodies, EPSSQ, counts)
}

/// The same with any softening.
fn softened(bodies: &Bodies, epssq: f32, counts: impl Fn(usize, usize) -> bool) -> [Vec<f32>; 3] {
    let mut acceleration = [vec![], vec![], vec![]];
    for i in 0..bodies.len() {
        let at = bodies.position_of(i);
        let mut sum = [0.0; 3];
        for j in (0..bodies.len()).filter(|&j| j != i && counts(i, j)) {
            let to = bodies.position_of(j);
            let d = [to[0] - at[0], to[1] - at[1], to[2] - at[2]];
            let inverse = 1.0 / (d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + epssq).sqrt();
            let scale = bodies.mass[j] * inverse * inverse * inverse;
            sum = [sum[0] + d[0] * scale, sum[1] + d[1] * scale, sum[2] + d[2] * scale];
        }
        (0..3).for_each(|axis| acceleration[axis].push(sum[axis]));
    }
    acceleration
}

fn all(_: usize, _: usize) -> bool {
    true
}

fn state(case: &Forces, acceleration: [Vec<f32>; 3]) -> State {
    State { bodies: case.bodies.clone(), acceleration, stray: None }
}

fn case(n: usize) -> Forces {
    Forces::new(verification_bodies(n, 1), Constants::USUAL, 1)
}

#[test]
fn correct_code_passes_with_room() {
    for n in SIZES.map(|n| n as usize) {
        for seed in 1..4 {
            let case = Forces::new(verification_bodies(n, seed), Constants::USUAL, seed);
            let computed = state(&case, forces(&case.bodies, all));
            let errors =
                judge_accelerations(&case, &computed, &Precision::plain(n)).expect("correct code");
            let tolerance =
                Precision::plain(n).accelerations(&case.expected, &case.pulls).tolerance;
            let most = 0.7;
            assert!(
                errors.rms <= most * tolerance.rms && errors.worst <= most * tolerance.worst,
                "n = {n}: {errors:?} of {tolerance:?}"
            );
        }
    }
}

/// Pairs that broken code leaves out.
#[test]
fn lost_bodies_and_tiles_are_found() {
    for n in [31, 32, 33, 255, 256, 257, 1000, 4099] {
        let case = case(n);
        let (last, tile) = (n - 1, (n - 1) / 32 * 32);
        type Lost = (&'static str, Box<dyn Fn(usize, usize) -> bool>);
        let mut mutants: Vec<Lost> = vec![
            ("the first body", Box::new(|_, j| j == 0)),
            ("the last body", Box::new(move |_, j| j == last)),
            ("a light body in the middle", Box::new(move |_, j| j == 5)),
            ("a body at a tile's edge", Box::new(move |_, j| j == tile)),
            ("the last tile", Box::new(move |_, j| j >= tile)),
            ("the last body, by the first", Box::new(move |i, j| i == 0 && j == last)),
            ("the first body, by the last", Box::new(move |i, j| i == last && j == 0)),
            ("the successor, by all", Box::new(|i, j| j == i + 1)),
        ];
        if n > 256 {
            mutants.push(("all beyond the first block", Box::new(|_, j| j >= 256)));
            mutants.push(("the targets beyond it", Box::new(|i, _| i >= 256)));
        }
        for (name, lost) in mutants {
            let acceleration = forces(&case.bodies, |i, j| !lost(i, j));
            let verdict =
                judge_accelerations(&case, &state(&case, acceleration), &Precision::plain(n));
            assert!(verdict.is_err(), "n = {n}: losing {name} passed");
        }
    }
}

/// Whatever single pair is lost at a size with several tiles, the error it makes in that one
/// target exceeds what is allowed by more than correct code ever makes.
#[test]
fn no_single_pair_can_be_lost() {
    for n in [257, 1000, 4099] {
        let case = Forces::new(verification_bodies(n, SEED), Constants::USUAL, SEED);
        let lengths: Vec<f64> =
            case.expected.iter().map(|r| r.iter().map(|x| x * x).sum::<f64>().sqrt()).collect();
        let rms = (lengths.iter().map(|r| r * r).sum::<f64>() / n as f64).sqrt();
        let mut least = f64::INFINITY;
        for (i, length) in lengths.iter().enumerate() {
            let at = case.bodies.position_of(i);
            for j in (0..n).filter(|&j| j != i) {
                let to = case.bodies.position_of(j);
                let square: f64 = (0..3).map(|k| f64::from(to[k] - at[k]).powi(2)).sum();
                let pull = f64::from(case.bodies.mass[j]) * square.sqrt()
                    / (square + f64::from(EPSSQ)).powf(1.5);
                least = least.min(pull / length.max(rms));
            }
        }
        let allowed =
            Precision::plain(n).accelerations(&case.expected, &case.pulls).tolerance.worst;
        assert!(least > 1.3 * allowed, "n = {n}: {least:e} where {allowed:e} is allowed");
    }
}

/// One body that is off by ten times what the worst one is of correct code.
#[test]
fn one_wrong_body_is_found() {
    for n in [31, 33, 257, 1000, 4099] {
        let case = case(n);
        let right = forces(&case.bodies, all);
        let judged = |acceleration| {
            judge_accelerations(&case, &state(&case, acceleration), &Precision::plain(n))
        };
        let worst = judged(right.clone()).expect("correct code").worst;
        let lengths = case.expected.iter().map(|r| r.iter().map(|x| x * x).sum::<f64>());
        let mean = lengths.clone().sum::<f64>() / n as f64;
        for body in [0, n / 2, n - 1] {
            let scale = lengths.clone().nth(body).expect("it is one of them").max(mean).sqrt();
            let mut acceleration = right.clone();
            acceleration[1][body] += (10.0 * worst * scale) as f32;
            assert!(judged(acceleration).is_err(), "n = {n}: body {body} passed");
        }
    }
}

/// Values that broken code computes.
#[test]
fn spoiled_accelerations_are_found() {
    for n in [2, 31, 32, 33, 255, 256, 257, 1000] {
        let case = case(n);
        let right = forces(&case.bodies, all);
        let other = forces(&verification_bodies(n, 2), all);
        type Spoil = Box<dyn Fn(&mut [Vec<f32>; 3])>;
        let last = n - 1;
        let each = |change: fn(f32) -> f32| -> Spoil {
            Box::new(move |a| a.iter_mut().flatten().for_each(|x| *x = change(*x)))
        };
        let one = move |value: f32| -> Spoil { Box::new(move |a| a[2][last] = value) };
        let mutants: Vec<(&str, Spoil)> = vec![
            ("zero", each(|_| 0.0)),
            ("negated", each(|x| -x)),
            ("doubled", each(|x| 2.0 * x)),
            ("scaled by 1.0001", each(|x| 1.0001 * x)),
            ("never written", each(|_| f32::from_bits(u32::MAX))),
            ("one NaN", one(f32::NAN)),
            ("one infinity", one(f32::INFINITY)),
            ("one zero", one(0.0)),
            ("one never written", one(f32::from_bits(u32::MAX))),
            ("axes swapped", Box::new(|a| a.swap(0, 1))),
            ("bodies shifted by one", Box::new(|a| a.iter_mut().for_each(|x| x.rotate_left(1)))),
            ("left from other bodies", Box::new(move |a| *a = other.clone())),
        ];
        for (name, spoil) in mutants {
            let mut acceleration = right.clone();
            spoil(&mut acceleration);
            let verdict =
                judge_accelerations(&case, &state(&case, acceleration), &Precision::plain(n));
            assert!(verdict.is_err(), "n = {n}: {name} passed");
        }
    }
}

#[test]
fn of_one_body_only_rest_is_right() {
    let case = case(1);
    for (value, is_right) in [(0.0, true), (-0.0, true), (1e-40, false), (f32::NAN, false)] {
        let computed = state(&case, [vec![0.0], vec![value], vec![0.0]]);
        assert_eq!(
            judge_accelerations(&case, &computed, &Precision::plain(1)).is_ok(),
            is_right,
            "{value}"
        );
    }
}

#[test]
fn a_force_that_moves_bodies_or_writes_elsewhere_is_found() {
    let case = case(33);
    let right = state(&case, forces(&case.bodies, all));
    assert!(judge_accelerations(&case, &right, &Precision::plain(33)).is_ok());
    let mut moved = right.clone();
    moved.bodies.velocity[1][32] += 1e-3;
    assert!(judge_accelerations(&case, &moved, &Precision::plain(33)).is_err());
    let stray = State { stray: Some("accz[33] was written".to_owned()), ..right };
    let wrong =
        judge_accelerations(&case, &stray, &Precision::plain(33)).expect_err("a stray write");
    assert_eq!(wrong.to_string(), "at n = 33: accz[33] was written");
}

#[test]
fn the_message_names_size_body_values_and_tolerance() {
    let case = case(33);
    let mut acceleration = forces(&case.bodies, all);
    acceleration[0][32] = 1e3;
    let wrong = judge_accelerations(&case, &state(&case, acceleration), &Precision::plain(33))
        .expect_err("a wrong value");
    let Tolerance { worst, .. } =
        Precision::plain(33).accelerations(&case.expected, &case.pulls).tolerance;
    let allowed = format!("allowed {worst:.2e}");
    let text = wrong.to_string();
    for part in ["accelerations at n = 33", "body 32", "1.000000e3", "expected", &allowed] {
        assert!(text.contains(part), "`{part}` is missing in: {text}");
    }
    let never = [vec![f32::NAN; 33], vec![f32::NAN; 33], vec![f32::NAN; 33]];
    let wrong = judge_accelerations(&case, &state(&case, never), &Precision::plain(33))
        .expect_err("nothing written");
    assert!(wrong.to_string().contains("no kernel has written"), "{wrong}");
}

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

#[test]
fn bodies_with_other_numbers_keep_their_accelerations() {
    for n in [1, 2, 300, 17_000] {
        let case = Forces::new(plummer(n, SEED), Constants::USUAL, SEED);
        let other = case.renumbered(5);
        assert_eq!(other.bodies == case.bodies, n == 1, "{n}");
        assert_eq!(other.targets.len(), case.targets.len());
        assert!(other.targets.is_sorted());
        let expected = Reference::new(&other.bodies).accelerations(&other.targets);
        let errors = Errors::between(&other.expected, &expected);
        assert!(errors.worst < 1e-12, "{n}: {errors:?}");
    }
}
