//! Every step climbs on the simulator, and broken kernels do not.

use ladder::testing::simulate;
use report::Outcome::{Failed, Simulated};
use report::Request;

use super::*;

ladder::tests!(expect_exact(&LADDER, 300, 300.0, &[]));

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
