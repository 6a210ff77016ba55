//! Every step climbs on the simulator, and broken kernels do not.

use ladder::testing::{Mistake, expect_found, expect_simulated};
use report::Outcome::{Failed, Wrong};

use super::*;

#[test]
fn every_step_climbs() {
    expect_simulated(&LADDER, 1000, 12_000.0);
}

#[test]
fn broken_kernels_are_found() {
    let mistake = |from, to, outcome, reason| Mistake::of(&NAIVE, from, to, outcome, reason);
    expect_found(
        &LADDER,
        &[
            mistake("setp.ge.u32", "setp.gt.u32", Failed, "out of bounds: global read"),
            mistake(
                "fma.rn.f32 \t%f4, %f2, %f1, %f3",
                "add.f32 %f4, %f2, %f3",
                Wrong,
                "out at n =",
            ),
            mistake("st.global.f32", "// st.global.f32", Wrong, "no thread has written"),
        ],
    );
}
