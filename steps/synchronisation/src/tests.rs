//! Every step climbs on the simulator, and broken kernels do not.

use ladder::testing::{expect_exact, expect_found, simulate};
use report::Outcome::{Failed, Simulated};
use report::Request;

use super::*;

#[test]
fn every_step_climbs() {
    expect_exact(&LADDER, 300, 300.0, &[]);
}

#[test]
fn broken_kernels_are_found() {
    expect_found(&LADDER, include_str!("mistakes.txt"));
}

/// Lanes that wait for each other need lanes that make progress each for itself, or a loop that none of them leaves.
#[test]
fn in_lockstep_a_wait_before_the_work_is_a_deadlock() {
    let scheduling = "lockstep".to_owned();
    let request = Request { size: Some(300), scheduling, ..Request::default() };
    let row = simulate(&LADDER, WAIT_FIRST.name, request.clone());
    assert_eq!(row.outcome, Failed, "{:?}", row.reason);
    let reason = row.reason.unwrap_or_default();
    assert!(reason.contains("warp deadlock"), "{reason}");
    let row = simulate(&LADDER, FLAGS.name, request);
    assert_eq!(row.outcome, Simulated, "{:?}", row.reason);
}
