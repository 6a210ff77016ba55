//! Every step climbs on the simulator, and broken kernels do not.

use ladder::testing::Change::{Instead, Negated, OffByOne, Without};
use ladder::testing::{Mistake, expect_exact, expect_found};

use super::*;

#[test]
fn every_step_climbs() {
    expect_exact(&LADDER, 1000, 64_000.0, &[]);
}

#[test]
fn broken_kernels_are_found() {
    expect_found(
        &LADDER,
        &[
            Mistake::at(&LANES, "if (i >= n)", OffByOne).fails("out of bounds: global read"),
            Mistake::at(&LANES, "if (odd)", Negated).is_wrong("out at n ="),
            Mistake::at(&LANES, "return (x ^ (x >> 5)) * 9", Instead("shr.u32", "shr.s32"))
                .is_wrong("out at n ="),
            Mistake::at(&LENGTH_16, "out[i] = x", Without("st.global")).is_wrong("out at n = 1"),
            Mistake::at(
                &WARPS,
                "int i = ",
                Instead("bfe.u32 $0, $1, 5, 1", "bfe.u32 $0, $1, 6, 1"),
            )
            .is_wrong("out at n ="),
            Mistake::at(&WARPS, "int i = ", Instead("and.b32 $0, $1, 62", "and.b32 $0, $1, 30"))
                .is_wrong("out at n ="),
            Mistake::at(&BLOCKS, "if (i >= n)", OffByOne).fails("out of bounds: global read"),
        ],
    );
}
