//! Every step climbs on the simulator, and broken kernels do not.

use ladder::testing::expect_exact;

use crate::*;

#[test]
fn every_step_climbs() {
    expect_exact(&LADDER, 1000, 4000.0);
}
