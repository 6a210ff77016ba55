//! Every step climbs on the simulator, and broken kernels do not.

use ladder::testing::Change::{Instead, OffByOne, Without};
use ladder::testing::{Mistake, expect_exact, expect_found};

use super::*;

#[test]
fn every_step_climbs() {
    expect_exact(&LADDER, 1000, 12_000.0, &[]);
}

#[test]
fn broken_kernels_are_found() {
    expect_found(
        &LADDER,
        &[
            Mistake::at(&FIVE_KERNELS, "if (i < n)", OffByOne).fails("out of bounds: global read"),
            Mistake::at(&FIVE_KERNELS, "c[i] = a[i] + b[i]", Instead("add.f32", "sub.f32"))
                .is_wrong("c at n ="),
            Mistake::at(&FIVE_KERNELS, "c[i] = fabsf(c[i])", Instead("abs.f32", "neg.f32"))
                .is_wrong("c at n ="),
            Mistake::at(&FIVE_KERNELS, "c[i] = a[i] + b[i]", Without("st.global"))
                .fails("uninitialised: global read"),
            Mistake::at(&ADD_SCALE, "c[i] = (a[i] + b[i]) * factor", Instead("mul.f32", "add.f32"))
                .is_wrong("c at n ="),
            Mistake::at(&ONE_KERNEL, "c[i] =", Instead("min.f32", "max.f32")).is_wrong("c at n ="),
            Mistake::at(&ONE_KERNEL, "c[i] =", Instead("sqrt.rn.f32", "rsqrt.approx.f32"))
                .is_wrong("c at n ="),
            Mistake::at(
                &FLOAT4,
                "((float4*)c)[i] =",
                Instead(
                    "st.global.v4.f32 [$0], {$1, $2, $3, $4",
                    "st.global.v4.f32 [$0], {$1, $2, $4, $3",
                ),
            )
            .is_wrong("c at n ="),
            Mistake::at(&FLOAT4, "if (i < n / 4)", OffByOne).fails("out of bounds: global read"),
        ],
    );
}
