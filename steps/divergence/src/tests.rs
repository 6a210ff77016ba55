//! Every step climbs on the simulator, and broken kernels do not.

use ladder::testing::{Mistake, expect_exact, expect_found};
use report::Outcome::{Failed, Wrong};

use super::*;

#[test]
fn every_step_climbs() {
    expect_exact(&LADDER, 1000, 64_000.0);
}

#[test]
fn broken_kernels_are_found() {
    expect_found(
        &LADDER,
        &[
            Mistake::of(&LANES, "setp.ge.u32", "setp.gt.u32", Failed, "out of bounds: global read"),
            Mistake::of(&LANES, "setp.eq.s32 \t%p2", "setp.ne.s32 \t%p2", Wrong, "out at n ="),
            Mistake::of(&LANES, "shr.u32", "shr.s32", Wrong, "out at n ="),
            Mistake::of(&LENGTH_16, "st.global.u32", "// st.global.u32", Wrong, "out at n = 1"),
            Mistake::of(
                &WARPS,
                "bfe.u32 \t%r16, %r11, 5, 1",
                "bfe.u32 \t%r16, %r11, 6, 1",
                Wrong,
                "out at n =",
            ),
            Mistake::of(
                &WARPS,
                "and.b32  \t%r14, %r13, 62",
                "and.b32  \t%r14, %r13, 30",
                Wrong,
                "out at n =",
            ),
            Mistake::of(
                &BLOCKS,
                "setp.ge.u32",
                "setp.gt.u32",
                Failed,
                "out of bounds: global read",
            ),
        ],
    );
}
