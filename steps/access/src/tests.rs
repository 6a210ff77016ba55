//! Every step climbs on the simulator, and broken kernels do not.

use ladder::testing::{Mistake, expect_exact, expect_found};
use report::Outcome::{Failed, Wrong};

use super::*;

#[test]
fn every_step_climbs() {
    expect_exact(&LADDER, 1000, 8000.0);
}

#[test]
fn broken_kernels_are_found() {
    expect_found(
        &LADDER,
        &[
            Mistake::of(
                &STRIDE_32,
                "setp.ge.u32",
                "setp.gt.u32",
                Failed,
                "out of bounds: global read",
            ),
            Mistake::of(
                &STRIDE_32,
                "shl.b32 \t%r7, %r6, 5",
                "shl.b32 \t%r7, %r6, 4",
                Wrong,
                "out at n =",
            ),
            Mistake::of(&STRIDE_8, "%ctaid.y", "%ctaid.z", Wrong, "out at n ="),
            Mistake::of(
                &NEIGHBOURS,
                "st.global.f32",
                "// st.global.f32",
                Wrong,
                "what results hold that no thread has written",
            ),
            Mistake::of(
                &MISALIGNED,
                "setp.ge.u32",
                "setp.gt.u32",
                Failed,
                "out of bounds: global read",
            ),
            Mistake::of(
                &MISALIGNED,
                "setp.ne.s32 \t%p2, %r1, 0",
                "setp.ne.s32 \t%p2, %r1, -1",
                Wrong,
                "element 0",
            ),
            Mistake::of(
                &BYTES,
                "mul.wide.u32 \t%rd6, %r1, 4",
                "mul.wide.u32 \t%rd6, %r1, 3",
                Wrong,
                "out at n =",
            ),
            Mistake::of(&BYTES, "setp.ge.u64", "setp.gt.u64", Failed, "out of bounds: global read"),
            Mistake::of(&RECORDS_12, "[%rd24+8], %f8", "[%rd24+8], %f7", Wrong, "element 2"),
            Mistake::of(
                &FLOAT4,
                "setp.lt.u32 \t%p1",
                "setp.le.u32 \t%p1",
                Failed,
                "out of bounds: global read",
            ),
            Mistake::of(&FLOAT4, "setp.ne.s32 \t%p2", "setp.eq.s32 \t%p2", Wrong, "out at n ="),
        ],
    );
}
