//! Every step climbs on the simulator, and broken kernels do not.

use ladder::testing::{expect_exact, expect_found, modelled_seconds};

use super::*;

#[test]
fn every_step_climbs() {
    expect_exact(&LADDER, 1000, 1000.0, &[]);
}

#[test]
fn broken_kernels_are_found() {
    expect_found(&LADDER, include_str!("mistakes.txt"));
}

/// What groups save, by the model: atomic additions that take turns.
#[test]
fn every_group_is_faster_than_no_group() {
    let seconds = |step: &Step| modelled_seconds(&LADDER, step.name, 1 << 18);
    let all: Vec<f64> = LADDER.steps.iter().map(seconds).collect();
    assert!(all[1..].iter().all(|it| *it < 0.9 * all[0]), "{all:?}");
}
