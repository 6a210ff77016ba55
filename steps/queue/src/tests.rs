//! Every step climbs on the simulator, and broken kernels do not.

use ladder::testing::{Mistake, expect_exact, expect_found};
use report::Outcome::{Failed, Wrong};

use super::*;

#[test]
fn every_step_climbs() {
    expect_exact(&LADDER, 300, 300.0);
}

#[test]
fn broken_kernels_are_found() {
    expect_found(
        &LADDER,
        &[
            Mistake::of(
                &STATIC,
                "setp.ge.u32",
                "setp.gt.u32",
                Failed,
                "out of bounds: global read",
            ),
            Mistake::of(
                &ONE_BY_ONE,
                "setp.ge.u32 \t%p1",
                "setp.gt.u32 \t%p1",
                Failed,
                "out of bounds: global read",
            ),
            Mistake::of(
                &ONE_BY_ONE,
                "setp.lt.u32 \t%p7",
                "setp.le.u32 \t%p7",
                Failed,
                "out of bounds: global read",
            ),
            Mistake::of(
                &BATCHES,
                "setp.ge.u32 \t%p4",
                "setp.gt.u32 \t%p4",
                Failed,
                "out of bounds: global read",
            ),
            Mistake::of(
                &REFILL,
                "setp.ge.u32 \t%p10",
                "setp.gt.u32 \t%p10",
                Failed,
                "out of bounds: global read",
            ),
            Mistake::of(&REFILL, "st.global.u32 \t[%rd4], %r37", "// st.global.u32", Wrong, "item"),
            Mistake::of(
                &SORTED,
                "setp.gt.u32 \t%p1, %r1, 9",
                "setp.gt.u32 \t%p1, %r1, 8",
                Failed,
                "uninitialised: shared read",
            ),
            Mistake::of(&SORTED, "bar.sync", "// bar.sync", Failed, "race: write and atomic"),
        ],
    );
}
