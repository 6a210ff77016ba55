//! Every step climbs on the simulator, and broken kernels do not.

use ladder::testing::Change::{Instead, OffByOne, Without};
use ladder::testing::{Mistake, expect_found, expect_simulated};

use super::*;

#[test]
fn every_step_climbs() {
    expect_simulated(&LADDER, 1000, 12_000.0, &[]);
}

#[test]
fn broken_kernels_are_found() {
    expect_found(
        &LADDER,
        &[
            Mistake::at(&NAIVE, "if (i < n)", OffByOne).fails("out of bounds: global read"),
            Mistake::at(
                &NAIVE,
                "out[i] =",
                Instead("fma.rn.f32 $0, $1, $2, $3", "add.f32 $0, $1, $3"),
            )
            .is_wrong("out at n ="),
            Mistake::at(&NAIVE, "out[i] =", Without("st.global")).is_wrong("no thread has written"),
        ],
    );
}
