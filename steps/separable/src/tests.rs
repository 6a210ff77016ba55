//! Every step climbs on the simulator, and broken kernels do not.

use ladder::testing::{Mistake, expect_exact, expect_found};
use report::Outcome::{Failed, Wrong};

use super::*;

#[test]
fn every_step_climbs() {
    expect_exact(&LADDER, 100, 240_000.0);
}

#[test]
fn broken_kernels_are_found() {
    expect_found(
        &LADDER,
        &[
            Mistake::of(
                &TWO_PASSES,
                "setp.lt.s32 \t%p4, %r1, 12",
                "setp.lt.s32 \t%p4, %r1, 11",
                Failed,
                "out of bounds: global read",
            ),
            Mistake::of(
                &TWO_PASSES,
                "max.s32 \t%r12, %r11, 0",
                "max.s32 \t%r12, %r11, 1",
                Wrong,
                "out at n = ",
            ),
            Mistake::of(
                &ONE_LAUNCH,
                "setp.lt.u32 \t%p22, %r160, %r47",
                "setp.lt.u32 \t%p22, %r160, 0",
                Failed,
                "race",
            ),
            Mistake::of(&SIXTEEN_BITS, "0f43800000", "0f43000000", Wrong, "out at n = "),
            Mistake::of(&SURFACE, "sust.b", "// sust.b", Wrong, "out at n = "),
            Mistake::of(&SHARED_TILE, "bar.sync", "// bar.sync", Failed, "race: write and read"),
            Mistake::of(
                &SHARED_TILE,
                "setp.lt.s32 \t%p3, %r10, %r60",
                "setp.le.s32 \t%p3, %r10, %r60",
                Failed,
                "out of bounds: global read",
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
                "st.global.f32",
                "// st.global.f32",
                Wrong,
                "that no thread has written",
            ),
        ],
    );
}
