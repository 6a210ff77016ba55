//! Every step climbs on the simulator, and broken kernels do not.

use ladder::testing::{Mistake, expect_exact, expect_found};
use report::Outcome::{Failed, Wrong};

use super::*;

#[test]
fn every_step_climbs() {
    expect_exact(&LADDER, 1000, 12_000.0);
}

#[test]
fn broken_kernels_are_found() {
    expect_found(
        &LADDER,
        &[
            Mistake::of(
                &FIVE_KERNELS,
                "setp.ge.u32",
                "setp.gt.u32",
                Failed,
                "out of bounds: global read",
            ),
            Mistake::of(&FIVE_KERNELS, "add.f32", "sub.f32", Wrong, "c at n ="),
            Mistake::of(&FIVE_KERNELS, "abs.f32", "neg.f32", Wrong, "c at n ="),
            Mistake::of(
                &FIVE_KERNELS,
                "st.global.f32",
                "// st.global.f32",
                Failed,
                "uninitialised: global read",
            ),
            Mistake::of(&ADD_SCALE, "mul.f32", "add.f32", Wrong, "c at n ="),
            Mistake::of(&ONE_KERNEL, "min.f32", "max.f32", Wrong, "c at n ="),
            Mistake::of(&ONE_KERNEL, "sqrt.rn.f32", "rsqrt.approx.f32", Wrong, "c at n ="),
            Mistake::of(
                &FLOAT4,
                "{%f73, %f72, %f71, %f70}",
                "{%f73, %f72, %f70, %f71}",
                Wrong,
                "c at n =",
            ),
            Mistake::of(
                &FLOAT4,
                "setp.lt.u32 \t%p1",
                "setp.le.u32 \t%p1",
                Failed,
                "out of bounds: global read",
            ),
        ],
    );
}
