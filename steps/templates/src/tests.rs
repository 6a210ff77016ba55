//! Every step climbs on the simulator, and broken kernels do not.

use ladder::testing::{Mistake, expect_exact, expect_found};
use report::Outcome::{Failed, Wrong};

use super::*;

#[test]
fn every_step_climbs() {
    expect_exact(&LADDER, 1000, 8000.0);
}

#[test]
fn broken_kernels_are_found() {
    expect_found(
        &LADDER,
        &[
            Mistake::of(
                &CONSTANT_FLAG,
                "setp.ge.u32",
                "setp.gt.u32",
                Failed,
                "out of bounds: global write",
            ),
            Mistake::of(
                &CONSTANT_FLAG,
                "ld.const.u32",
                "mov.u32 %r3, 0; // ld.const.u32",
                Wrong,
                "out at n = 1",
            ),
            Mistake::of(&ARGUMENT, "st.global.u32", "// st.global.u32", Wrong, "out at n = 1"),
            Mistake::of(
                &TEMPLATE,
                "setp.ge.u32",
                "setp.gt.u32",
                Failed,
                "out of bounds: global write",
            ),
            Mistake::of(&TEMPLATE, "add.s32", "sub.s32", Wrong, "out at n ="),
        ],
    );
}
