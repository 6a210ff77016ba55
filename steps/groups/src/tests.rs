//! Every step climbs on the simulator, and broken kernels do not.

use ladder::testing::modelled_seconds;

use super::*;

ladder::tests!(expect_exact(&LADDER, 1000, 1000.0, &[]));

/// What groups save, by the model: atomic additions that take turns.
#[test]
fn every_group_is_faster_than_no_group() {
    let seconds = |step: &Step| modelled_seconds(&LADDER, step.name, 1 << 18);
    let all: Vec<f64> = LADDER.steps.iter().map(seconds).collect();
    assert!(all[1..].iter().all(|it| *it < 0.9 * all[0]), "{all:?}");
}
