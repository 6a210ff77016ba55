//! Every step climbs on the simulator, and broken kernels do not.

use ladder::testing::Change::{Instead, OffByOne, Without};
use ladder::testing::{Excuse, Mistake, expect_exact, expect_found};

use super::*;

const EXCUSES: &[Excuse] = &[Excuse::once("k += THREADS", "the number of its rounds is fixed")];

#[test]
fn every_step_climbs() {
    expect_exact(&LADDER, 1000, 1000.0, EXCUSES);
}

#[test]
fn broken_kernels_are_found() {
    expect_found(
        &LADDER,
        &[
            Mistake::at(&GLOBAL, "if (i < n)", OffByOne).fails("out of bounds: global read"),
            Mistake::at(
                &GLOBAL,
                "sum = fmaf(x[i + k], f[k], sum)",
                Instead("ld.global.f32 $0, [$1+4]", "ld.global.f32 $0, [$1]"),
            )
            .is_wrong("y at n = 1"),
            Mistake::at(&READ_ONLY_COEFFICIENTS, "y[i] = sum", Without("st.global"))
                .is_wrong("that no thread has written"),
            Mistake::at(&TEXTURE, "tex1Dfetch", Instead("mov.u32 $0, 1", "mov.u32 $0, 2"))
                .is_wrong("y at n = 1"),
            Mistake::at(
                &CONSTANT,
                "sum = fmaf(x[i + k], f[k], sum)",
                Instead("ld.const.f32 $0, [f+4]", "ld.const.f32 $0, [f+8]"),
            )
            .is_wrong("y at n = 1"),
            Mistake::at(&SHARED, "// the tile is complete", Without("bar"))
                .fails("race: write and read"),
            Mistake::at(&SHARED, "begin + k < n + TAPS - 1", OffByOne)
                .fails("out of bounds: global read"),
            Mistake::at(&REGISTER_WINDOW, "// the tile is complete", Without("bar"))
                .fails("race: write and read"),
            Mistake::at(
                &REGISTER_WINDOW,
                "sum[j] = fmaf(",
                Instead("ld.const.f32 $0, [f+4]", "ld.const.f32 $0, [f+8]"),
            )
            .is_wrong("y at n = "),
            Mistake::at(&COMPILED_IN, "*(float4*)(y + i) =", Without("st.global"))
                .is_wrong("that no thread has written"),
        ],
    );
}
