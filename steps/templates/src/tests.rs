//! Every step climbs on the simulator, and broken kernels do not.

use ladder::testing::Change::{Instead, OffByOne, Without};
use ladder::testing::{Mistake, expect_exact, expect_found};

use super::*;

#[test]
fn every_step_climbs() {
    expect_exact(&LADDER, 1000, 8000.0, &[]);
}

#[test]
fn broken_kernels_are_found() {
    expect_found(
        &LADDER,
        &[
            Mistake::at(&CONSTANT_FLAG, "if (i < n)", OffByOne)
                .fails("out of bounds: global write"),
            Mistake::at(
                &CONSTANT_FLAG,
                "out[i] = counts ? above_mean(in + i) : in[i]",
                Instead("ld.const.u32 $0, [counts]", "mov.u32 $0, 0"),
            )
            .is_wrong("out at n = 1"),
            Mistake::at(
                &ARGUMENT,
                "out[i] = counts ? above_mean(in + i) : in[i]",
                Without("st.global"),
            )
            .is_wrong("out at n = 1"),
            Mistake::at(&TEMPLATE, "if (i < n)", OffByOne).fails("out of bounds: global write"),
            Mistake::at(&TEMPLATE, "sum += values[k]", Instead("add.s32", "sub.s32"))
                .is_wrong("out at n ="),
        ],
    );
}
