//! Every step climbs on the simulator, and broken kernels do not.

use ladder::testing::{expect_exact, expect_found};

use super::*;

#[test]
fn every_step_climbs() {
    expect_exact(&LADDER, 1000, 8000.0, &[]);
}

#[test]
fn broken_kernels_are_found() {
    expect_found(&LADDER, include_str!("mistakes.txt"));
}
