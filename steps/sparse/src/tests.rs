//! Every step climbs on the simulator, and broken kernels do not.

use ladder::testing::{Mistake, expect_exact, expect_found};
use report::Outcome::{Failed, Wrong};

use super::*;

#[test]
fn every_step_climbs() {
    expect_exact(&LADDER, 1000, 4099.0);
}

#[test]
fn broken_kernels_are_found() {
    expect_found(
        &LADDER,
        &[
            Mistake::of(
                &BRANCH,
                "setp.ge.u32",
                "setp.gt.u32",
                Failed,
                "out of bounds: global read",
            ),
            Mistake::of(&BRANCH, "st.global.u32", "// st.global.u32", Wrong, "out at n = 1"),
            Mistake::of(&DENSE, "shr.u32", "shr.s32", Wrong, "out at n ="),
            Mistake::of(&COMPACT_IN_BLOCKS, "bar.sync", "// bar.sync", Failed, "race:"),
            Mistake::of(
                &COMPACT_IN_BLOCKS,
                "atom.shared.add.u32 \t%r14, [%rd9], 1",
                "atom.shared.add.u32 \t%r14, [%rd9], 2",
                Failed,
                "out of bounds: global read",
            ),
            Mistake::of(
                &COMPACT_IN_BLOCKS,
                "setp.ge.u32 \t%p4",
                "setp.gt.u32 \t%p4",
                Failed,
                "out of bounds: global read",
            ),
        ],
    );
}
