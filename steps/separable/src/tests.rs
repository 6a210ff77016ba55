//! Every step climbs on the simulator, and broken kernels do not.

use ladder::testing::Change::{Instead, Without};
use ladder::testing::{Excuse, Mistake, expect_exact, expect_found};

use super::*;

const EXCUSES: &[Excuse] = &[Excuse::once("e += WIDTH", "the number of its rounds is fixed")];

#[test]
fn every_step_climbs() {
    expect_exact(&LADDER, 100, 240_000.0, EXCUSES);
}

#[test]
fn broken_kernels_are_found() {
    expect_found(
        &LADDER,
        &[
            Mistake::at(
                &TWO_PASSES,
                "if (element < 0)",
                Instead("setp.lt.s32 $0, $1, 12", "setp.lt.s32 $0, $1, 11"),
            )
            .fails("out of bounds: global read"),
            Mistake::at(
                &TWO_PASSES,
                "return min(max(row, 0), rows - 1)",
                Instead("max.s32 $0, $1, 0", "max.s32 $0, $1, 1"),
            )
            .is_wrong("out at n = "),
            Mistake::at(
                &ONE_LAUNCH,
                "while (atomicAdd(arrived, 0) < gridDim.x)",
                Instead("setp.lt.u32 $0, $1, $2", "setp.lt.u32 $0, $1, 0"),
            )
            .fails("race"),
            Mistake::at(
                &ONE_LAUNCH,
                "while (atomicAdd(arrived, 0) < gridDim.x) { }\n__threadfence()",
                Without("membar"),
            )
            .fails("a barrier is none"),
            Mistake::at(
                &SIXTEEN_BITS,
                "across[row * width + element] = sum * 256.0f",
                Instead("mul.f32 $0, $1, 0f43800000", "mul.f32 $0, $1, 0f43000000"),
            )
            .is_wrong("out at n = "),
            Mistake::at(&SURFACE, "surf2Dwrite", Without("sust.b")).is_wrong("out at n = "),
            Mistake::at(&SHARED_TILE, "// the tile is complete", Without("bar"))
                .fails("race: write and read"),
            Mistake::at(
                &SHARED_TILE,
                "return min(max(row, 0), rows - 1)",
                Instead("max.s32 $0, $1, 0", "max.s32 $0, $1, -1"),
            )
            .fails("out of bounds: global read"),
            Mistake::at(&REGISTER_WINDOW, "// the tile is complete", Without("bar"))
                .fails("race: write and read"),
            Mistake::at(
                &REGISTER_WINDOW,
                "out[(top + first + j) * width + left + x] =",
                Without("st.global"),
            )
            .is_wrong("that no thread has written"),
        ],
    );
}
