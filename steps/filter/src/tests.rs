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
                &GLOBAL,
                "setp.ge.s32 \t%p1",
                "setp.gt.s32 \t%p1",
                Failed,
                "out of bounds: global read",
            ),
            Mistake::of(&GLOBAL, "[%rd8+4]", "[%rd8]", Wrong, "y at n = 1"),
            Mistake::of(
                &READ_ONLY_COEFFICIENTS,
                "st.global.f32",
                "// st.global.f32",
                Wrong,
                "that no thread has written",
            ),
            Mistake::of(&TEXTURE, "mov.u32 \t%r7, 1;", "mov.u32 \t%r7, 2;", Wrong, "y at n = 1"),
            Mistake::of(&CONSTANT, "%f5, [f+4]", "%f5, [f+8]", Wrong, "y at n = 1"),
            Mistake::of(&SHARED, "bar.sync", "// bar.sync", Failed, "race: write and read"),
            Mistake::of(
                &SHARED,
                "add.s32 \t%r3, %r24, 31",
                "add.s32 \t%r3, %r24, 30",
                Wrong,
                "y at n = 1",
            ),
            Mistake::of(
                &REGISTER_WINDOW,
                "bar.sync",
                "// bar.sync",
                Failed,
                "race: write and read",
            ),
            Mistake::of(
                &REGISTER_WINDOW,
                "ld.const.f32 \t%f91, [f]",
                "ld.const.f32 \t%f91, [f+4]",
                Wrong,
                "y at n = ",
            ),
            Mistake::of(
                &COMPILED_IN,
                "st.global.v4.f32",
                "// st.global.v4.f32",
                Wrong,
                "that no thread has written",
            ),
        ],
    );
}
