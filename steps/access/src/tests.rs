//! Every step climbs on the simulator, and broken kernels do not.

use ladder::testing::Change::{Instead, Negated, OffByOne, Without};
use ladder::testing::{Excuse, Mistake, expect_exact, expect_found};

use super::*;

const EXCUSES: &[Excuse] = &[Excuse::once(
    "rest < n; rest++",
    "at most three elements are left over, and the compiler unrolls by four",
)];

#[test]
fn every_step_climbs() {
    expect_exact(&LADDER, 1000, 8000.0, EXCUSES);
}

#[test]
fn broken_kernels_are_found() {
    expect_found(
        &LADDER,
        &[
            Mistake::at(&STRIDE_32, "if (i < n)", OffByOne).fails("out of bounds: global read"),
            Mistake::at(
                &STRIDE_32,
                "* STRIDE + blockIdx.y",
                Instead("shl.b32 $0, $1, 5", "shl.b32 $0, $1, 4"),
            )
            .is_wrong("out at n ="),
            Mistake::at(
                &STRIDE_8,
                "int i = ",
                Instead("mov.u32 $0, %ctaid.y", "mov.u32 $0, %ctaid.z"),
            )
            .is_wrong("out at n ="),
            Mistake::at(&NEIGHBOURS, "out[i] = in[i]", Without("st.global"))
                .is_wrong("what results hold that no thread has written"),
            Mistake::at(&MISALIGNED, "if (i + 1 < n)", OffByOne)
                .fails("out of bounds: global read"),
            Mistake::at(
                &MISALIGNED,
                "if (i == 0)",
                Instead("setp.ne.s32 $0, $1, 0", "setp.ne.s32 $0, $1, -1"),
            )
            .is_wrong("element 0"),
            Mistake::at(
                &BYTES,
                "if (i < n * sizeof(float))",
                Instead("mul.wide.u32 $0, $1, 4", "mul.wide.u32 $0, $1, 3"),
            )
            .is_wrong("out at n ="),
            Mistake::at(&BYTES, "if (i < n * sizeof(float))", OffByOne)
                .fails("out of bounds: global read"),
            Mistake::at(
                &RECORDS_12,
                "((Record*)out)[i] = ((const Record*)in)[i]",
                Instead("ld.global.f32 $0, [$1+8]", "ld.global.f32 $0, [$1+4]"),
            )
            .is_wrong("element 2"),
            Mistake::at(&FLOAT4, "if (i < n / 4)", OffByOne).fails("out of bounds: global read"),
            Mistake::at(&FLOAT4, "else if (i == n / 4)", Negated).is_wrong("out at n ="),
        ],
    );
}
