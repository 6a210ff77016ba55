//! Every step climbs on the simulator, and broken kernels do not.

use ladder::testing::Change::{Instead, OffByOne, Without};
use ladder::testing::{Mistake, expect_exact, expect_found};

use super::*;

#[test]
fn every_step_climbs() {
    expect_exact(&LADDER, 1000, 4099.0, &[]);
}

#[test]
fn broken_kernels_are_found() {
    expect_found(
        &LADDER,
        &[
            Mistake::at(&BRANCH, "if (i < n)", OffByOne).fails("out of bounds: global read"),
            Mistake::at(&BRANCH, "out[i] = x", Without("st.global")).is_wrong("out at n = 1"),
            Mistake::at(&DENSE, "x ^= x >> 17", Instead("shr.u32", "shr.s32"))
                .is_wrong("out at n ="),
            Mistake::at(&COMPACT_IN_BLOCKS, "// the count is zero", Without("bar")).fails("race:"),
            Mistake::at(
                &COMPACT_IN_BLOCKS,
                "found[atomicAdd(&count, 1)] = i",
                Instead("atom.shared.add.u32 $0, [$1], 1", "atom.shared.add.u32 $0, [$1], 2"),
            )
            .fails("out of bounds: global read"),
            Mistake::at(&COMPACT_IN_BLOCKS, "if (threadIdx.x < count)", OffByOne)
                .fails("out of bounds: global read"),
        ],
    );
}
