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
            Mistake::of(&BLOCKS, "bar.sync", "// bar.sync", Failed, "race: write and read"),
            Mistake::of(
                &BLOCKS,
                "setp.ge.u32",
                "setp.gt.u32",
                Failed,
                "out of bounds: global read",
            ),
            Mistake::of(&SHUFFLES, "bar.sync", "// bar.sync", Failed, "race: write and read"),
            Mistake::of(
                &ROWS,
                "setp.lt.u32 \t%p27, %r4, 16",
                "setp.lt.u32 \t%p27, %r4, 17",
                Wrong,
                "sum",
            ),
            Mistake::of(
                &CHAINED,
                "st.volatile.global.u64",
                "// st.volatile.global.u64",
                Failed,
                "infinite loop",
            ),
            Mistake::of(&LOOK_BACK, "setp.gt.u32 \t%p72", "setp.ge.u32 \t%p72", Wrong, "sum 8192"),
            Mistake::of(
                &LOOK_BACK,
                "bar.sync",
                "// bar.sync",
                Failed,
                "out of bounds: global read",
            ),
            Mistake::of(
                &ROUNDS,
                "st.volatile.global.u64",
                "// st.volatile.global.u64",
                Failed,
                "infinite loop",
            ),
            Mistake::of(&AHEAD, "bar.sync", "// bar.sync", Failed, "race: "),
            Mistake::of(
                &AHEAD,
                "st.volatile.global.u64",
                "// st.volatile.global.u64",
                Failed,
                "infinite loop",
            ),
        ],
    );
}
