//! Every step climbs on the simulator, and broken kernels do not.

use ladder::testing::{Excuse, expect_exact, expect_found};

use super::*;

const EXCUSES: &[Excuse] = &[Excuse::once(
    "rest < n; rest++",
    "at most three elements are left over, and the compiler unrolls by four",
)];

#[test]
fn every_step_climbs() {
    expect_exact(&LADDER, 1000, 8000.0, EXCUSES);
}

#[test]
fn broken_kernels_are_found() {
    expect_found(&LADDER, include_str!("mistakes.txt"));
}
