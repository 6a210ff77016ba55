//! Every step climbs on the simulator, and broken kernels do not.

use ladder::testing::{Excuse, expect_exact, expect_found};

use super::*;

const EXCUSES: &[Excuse] = &[Excuse::once("e += WIDTH", "the number of its rounds is fixed")];

#[test]
fn every_step_climbs() {
    expect_exact(&LADDER, 100, 240_000.0, EXCUSES);
}

#[test]
fn broken_kernels_are_found() {
    expect_found(&LADDER, include_str!("mistakes.txt"));
}
