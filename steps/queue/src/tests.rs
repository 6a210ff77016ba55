//! Every step climbs on the simulator, and broken kernels do not.

use ladder::testing::Change::{OffByOne, Without};
use ladder::testing::{Mistake, expect_exact, expect_found};

use super::*;

#[test]
fn every_step_climbs() {
    expect_exact(&LADDER, 300, 300.0, &[]);
}

#[test]
fn broken_kernels_are_found() {
    expect_found(
        &LADDER,
        &[
            Mistake::at(&STATIC, "i < n; i += threads", OffByOne)
                .fails("out of bounds: global read"),
            Mistake::at(&ONE_BY_ONE, "while ((i = atomicAdd(next, 1)) < n)", OffByOne)
                .fails("out of bounds: global read"),
            Mistake::at(&BATCHES, "if (i < n)", OffByOne).fails("out of bounds: global read"),
            Mistake::at(&REFILL, "if (rest == 0 && item < n)", OffByOne)
                .fails("out of bounds: global read"),
            Mistake::at(&REFILL, "out[i] = x", Without("st.global")).is_wrong("item"),
            Mistake::at(&SORTED, "if (threadIdx.x < CLASSES)", OffByOne)
                .fails("uninitialised: shared read"),
            Mistake::at(&SORTED, "// the counts are empty", Without("bar"))
                .fails("race: write and atomic"),
        ],
    );
}
