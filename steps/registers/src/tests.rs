//! Every step climbs on the simulator, and broken kernels do not.

use ladder::testing::Change::{Instead, OffByOne, Without};
use ladder::testing::{Mistake, expect_exact, expect_found};

use super::*;

#[test]
fn every_step_climbs() {
    expect_exact(&LADDER, 300, 76_800.0, &[]);
}

#[test]
fn broken_kernels_are_found() {
    expect_found(
        &LADDER,
        &[
            Mistake::at(&OBJECT, "if (i < n)", OffByOne).fails("out of bounds: global read"),
            Mistake::at(&OBJECT, "words[k] = seed * (2 * k + 1)", Without("st.local"))
                .fails("uninitialised: local read"),
            Mistake::at(&ARRAY, "if (i < n)", OffByOne).fails("out of bounds: global read"),
            Mistake::at(&ARRAY, "words[k] = x * (2 * k + 1)", Without("st.local"))
                .fails("uninitialised: local read"),
            Mistake::at(&UNROLLED, "x ^= x >> 15", Instead("shr.u32", "shr.s32"))
                .is_wrong("out at n ="),
            Mistake::at(&LAUNCH_BOUNDS, "out[i] = x", Without("st.global"))
                .is_wrong("out at n = 1"),
            Mistake::at(&TWO_SEEDS, "x[s] = i < n ? in[i] : 0", OffByOne)
                .fails("out of bounds: global read"),
            Mistake::at(&FOUR_SEEDS, "out[i] = x[s]", Without("st.global"))
                .is_wrong("out at n = 1"),
        ],
    );
}
