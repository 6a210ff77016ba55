//! The verifier, verified: correct f32 code must pass, and every broken one must not.

mod time_steps;

use super::*;
use crate::{Bodies, Constants, EPSSQ, Precision, Reference, State, plummer};
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
