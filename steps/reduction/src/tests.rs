//! Every step climbs on the simulator, and broken kernels do not.

use ladder::testing::{Mistake, expect_exact, expect_found};
use report::Outcome::{Failed, Wrong};

use super::*;

#[test]
fn every_step_climbs() {
    expect_exact(&LADDER, 1000, 4000.0);
}

#[test]
fn broken_kernels_are_found() {
    expect_found(
        &LADDER,
        &[
            Mistake::of(
                &ATOMIC,
                "setp.ge.u32",
                "setp.gt.u32",
                Failed,
                "out of bounds: global read",
            ),
            Mistake::of(
                &ATOMIC,
                "st.global.u32",
                "// st.global.u32",
                Failed,
                "uninitialised: global read",
            ),
            Mistake::of(&INTERLEAVED, "bar.sync", "// bar.sync", Failed, "race: write and read"),
            Mistake::of(
                &SEQUENTIAL,
                "setp.gt.u32 \t%p2, %r1, 127",
                "setp.gt.u32 \t%p2, %r1, 126",
                Wrong,
                "the sum",
            ),
            Mistake::of(
                &TWO_LOADS,
                "setp.ge.u32 \t%p2",
                "setp.gt.u32 \t%p2",
                Failed,
                "out of bounds: global read",
            ),
            Mistake::of(
                &SHUFFLES,
                "setp.gt.u32 \t%p10, %r1, 7",
                "setp.gt.u32 \t%p10, %r1, 6",
                Wrong,
                "the sum",
            ),
            Mistake::of(&SHUFFLES, "bar.sync", "// bar.sync", Failed, "race: write and read"),
            Mistake::of(
                &LAST_BLOCK,
                "membar.gl",
                "// membar.gl",
                Failed,
                "they are in different blocks",
            ),
            Mistake::of(&LAST_BLOCK, "setp.eq.s32 \t%p21", "setp.ne.s32 \t%p21", Wrong, "at n = 1"),
            Mistake::of(
                &GRID_BARRIER,
                "membar.gl",
                "// membar.gl",
                Failed,
                "they are in different blocks",
            ),
        ],
    );
}
