//! Every step climbs on the simulator, and broken kernels do not.

use ladder::testing::{Mistake, expect_exact, expect_found};
use report::Outcome::{Failed, Wrong};

use super::*;

#[test]
fn every_step_climbs() {
    expect_exact(&LADDER, 1000, 1000.0);
}

#[test]
fn broken_kernels_are_found() {
    expect_found(
        &LADDER,
        &[
            Mistake::of(
                &GLOBAL_ATOMIC,
                "st.global.u32",
                "// st.global.u32",
                Wrong,
                "and out has room for",
            ),
            Mistake::of(
                &GLOBAL_ATOMIC,
                "setp.lt.u32",
                "setp.le.u32",
                Failed,
                "out of bounds: global read",
            ),
            Mistake::of(
                &PER_WARP,
                "setp.ge.u32 \t%p2",
                "setp.gt.u32 \t%p2",
                Failed,
                "out of bounds: global read",
            ),
            Mistake::of(
                &PER_WARP,
                "popc.b32 \t%r31",
                "mov.b32 \t%r31",
                Failed,
                "out of bounds: global write",
            ),
            Mistake::of(
                &RANGES,
                "setp.lt.u32 \t%p8",
                "setp.le.u32 \t%p8",
                Failed,
                "race: write and write",
            ),
            Mistake::of(
                &RANGES,
                "st.global.u32 \t[%rd12], %r55",
                "st.global.u32 \t[%rd12], %r56",
                Wrong,
                "in ascending order",
            ),
            Mistake::of(
                &RANGES,
                "setp.ge.u32 \t%p11",
                "setp.gt.u32 \t%p11",
                Failed,
                "race: write and write",
            ),
            Mistake::of(&PER_BLOCK, "bar.sync", "// bar.sync", Failed, "race: write and read"),
            Mistake::of(&LOOK_BACK, "bar.sync", "// bar.sync", Failed, "race: write and read"),
        ],
    );
}
