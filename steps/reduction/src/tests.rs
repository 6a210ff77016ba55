//! Every step climbs on the simulator, and broken kernels do not.

use ladder::testing::Change::{Negated, OffByOne, Without};
use ladder::testing::{Mistake, expect_exact, expect_found};

use super::*;

#[test]
fn every_step_climbs() {
    expect_exact(&LADDER, 1000, 4000.0, &[]);
}

#[test]
fn broken_kernels_are_found() {
    expect_found(
        &LADDER,
        &[
            Mistake::at(&ATOMIC, "if (i < n)", OffByOne).fails("out of bounds: global read"),
            Mistake::at(&ATOMIC, "*sum = 0", Without("st.global"))
                .fails("uninitialised: global read"),
            Mistake::at(&INTERLEAVED, "// all parts are there", Without("bar"))
                .fails("race: write and read"),
            Mistake::at(&SEQUENTIAL, "if (thread < step)", OffByOne).is_wrong("the sum"),
            Mistake::at(&TWO_LOADS, "part[thread] =", OffByOne).fails("out of bounds: global read"),
            Mistake::at(&SHUFFLES, "thread < WARPS ? part[thread] : 0", OffByOne)
                .fails("which does not take part"),
            Mistake::at(&SHUFFLES, "// each warp's part is there", Without("bar"))
                .fails("race: write and read"),
            Mistake::at(
                &LAST_BLOCK,
                "// the part is written before the block is counted",
                Without("membar"),
            )
            .fails("they are in different blocks"),
            Mistake::at(&LAST_BLOCK, "// and the parts are read after it", Without("membar"))
                .fails("a barrier is none"),
            Mistake::at(&LAST_BLOCK, "last =", Negated).is_wrong("at n = 1"),
            Mistake::at(
                &GRID_BARRIER,
                "// the part is written before the block is counted",
                Without("membar"),
            )
            .fails("they are in different blocks"),
        ],
    );
}
