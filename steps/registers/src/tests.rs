//! Every step climbs on the simulator, and broken kernels do not.

use ladder::testing::{Mistake, expect_exact, expect_found};
use report::Outcome::{Failed, Wrong};

use super::*;

#[test]
fn every_step_climbs() {
    expect_exact(&LADDER, 300, 76_800.0);
}

#[test]
fn broken_kernels_are_found() {
    expect_found(
        &LADDER,
        &[
            Mistake::of(
                &OBJECT,
                "setp.ge.u32",
                "setp.gt.u32",
                Failed,
                "out of bounds: global read",
            ),
            Mistake::of(
                &OBJECT,
                "st.local.u32",
                "// st.local.u32",
                Failed,
                "uninitialised: local read",
            ),
            Mistake::of(&ARRAY, "setp.ge.u32", "setp.gt.u32", Failed, "out of bounds: global read"),
            Mistake::of(
                &ARRAY,
                "st.local.u32",
                "// st.local.u32",
                Failed,
                "uninitialised: local read",
            ),
            Mistake::of(&UNROLLED, "shr.u32", "shr.s32", Wrong, "out at n ="),
            Mistake::of(&LAUNCH_BOUNDS, "st.global.u32", "// st.global.u32", Wrong, "out at n = 1"),
            Mistake::of(
                &TWO_SEEDS,
                "setp.ge.u32",
                "setp.gt.u32",
                Failed,
                "out of bounds: global read",
            ),
            Mistake::of(&FOUR_SEEDS, "st.global.u32", "// st.global.u32", Wrong, "out at n = 1"),
        ],
    );
}
