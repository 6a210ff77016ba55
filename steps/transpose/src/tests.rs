//! Every step climbs on the simulator, and broken kernels do not.

use ladder::testing::{Mistake, expect_exact, expect_found};
use report::Outcome::{Failed, Simulated, Wrong};

use super::*;

#[test]
fn every_step_climbs() {
    expect_exact(&LADDER, 100, 80_000.0);
}

/// Code that no verification executes may be wrong: a reader is shown which.
const NEVER: &str = "setp.ne.s32 %p1, %r3, 77777; @%p1 bra DONE;
    .loc 1 20 0
    mov.u32 %r1, 0;
    .loc 1 22 0
    mov.u32 %r2, 0;
    .loc 1 23 0
    DONE: ret;";

#[test]
fn broken_kernels_are_found() {
    expect_found(
        &LADDER,
        &[
            Mistake::of(&NAIVE, "setp.ge.s32", "setp.gt.s32", Failed, "out of bounds: global read"),
            Mistake::of(
                &NAIVE,
                "st.global.f32",
                "// st.global.f32",
                Wrong,
                "what results hold that no thread has written",
            ),
            Mistake::of(
                &NAIVE,
                "mad.lo.s32 \t%r12, %r1, %r3",
                "mad.lo.s32 \t%r12, %r1, %r4",
                Failed,
                "out of bounds: global write",
            ),
            Mistake::of(&NAIVE, "ret;", NEVER, Simulated, "lines 20–22 of 01-naive.cu were never"),
            Mistake::of(&TILED, "bar.sync", "// bar.sync", Failed, "race: write and read"),
            Mistake::of(
                &TILED,
                "st.shared.f32",
                "st.global.f32 [%rd5], 0f00000000; st.shared.f32",
                Wrong,
                "input `in` at n = 1",
            ),
            Mistake::of(&SWIZZLED, "bar.sync", "// bar.sync", Failed, "race: write and read"),
            Mistake::of(&SWIZZLED, "xor.b32", "or.b32", Failed, "race: write and write"),
            Mistake::of(
                &COPY,
                "setp.lt.s32 \t%p1",
                "setp.le.s32 \t%p1",
                Failed,
                "out of bounds: global read",
            ),
            Mistake::of(&LARGE_TILES, "bar.sync", "// bar.sync", Failed, "race: write and read"),
            Mistake::of(&PADDED, "bar.sync", "// bar.sync", Failed, "race: write and read"),
            Mistake::of(&SEVERAL_ELEMENTS, "[%rd5+96]", "[%rd5+64]", Wrong, "row 24, column 0 of"),
            Mistake::of(
                &SEVERAL_ELEMENTS,
                "setp.ge.s32 \t%p13",
                "setp.gt.s32 \t%p13",
                Failed,
                "out of bounds: global write",
            ),
            Mistake::of(
                &SEVERAL_ELEMENTS,
                "bar.sync",
                "// bar.sync",
                Failed,
                "race: write and read",
            ),
        ],
    );
}
