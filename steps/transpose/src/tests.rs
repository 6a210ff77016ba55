//! Every step climbs on the simulator, and broken kernels do not.

use ladder::testing::Change::{Instead, OffByOne, Without};
use ladder::testing::{Mistake, expect_exact, expect_found};
use report::Outcome::Simulated;

use super::*;

#[test]
fn every_step_climbs() {
    expect_exact(&LADDER, 100, 80_000.0, &[]);
}

/// Code that no verification executes may be wrong: a reader is shown which.
const NEVER: &str = ".reg .pred %differs;
    .reg .u32 %unused;
    mov.u32 %unused, %ntid.x;
    setp.ne.u32 %differs, %unused, 77777;
    @%differs bra DONE;
    .loc 1 20 0
    mov.u32 %unused, 0;
    .loc 1 22 0
    mov.u32 %unused, 0;
    .loc 1 23 0
    DONE: ret";

#[test]
fn broken_kernels_are_found() {
    expect_found(
        &LADDER,
        &[
            Mistake::at(&NAIVE, "if (row < rows && column < columns)", OffByOne)
                .fails("out of bounds: global read"),
            Mistake::at(&NAIVE, "out[column * rows + row] =", Without("st.global"))
                .is_wrong("what results hold that no thread has written"),
            Mistake::at(
                &NAIVE,
                "out[column * rows + row] =",
                Instead("mad.lo.s32 $0, $1, $2", "mad.lo.s32 $0, $1, $1"),
            )
            .fails("out of bounds: global write"),
            Mistake::at(&NAIVE, "}", Instead("ret", NEVER))
                .is(Simulated, "lines 20–22 of 01-naive.cu were never"),
            Mistake::at(&TILED, "// the tile is complete", Without("bar"))
                .fails("race: write and read"),
            Mistake::at(
                &TILED,
                "tile[threadIdx.y][threadIdx.x] =",
                Instead(
                    "ld.global.f32 $0, [$1]",
                    "ld.global.f32 $0, [$1]; st.global.f32 [$1], 0f00000000",
                ),
            )
            .is_wrong("input `in` at n = 1"),
            Mistake::at(&SWIZZLED, "// the tile is complete", Without("bar"))
                .fails("race: write and read"),
            Mistake::at(
                &SWIZZLED,
                "tile[threadIdx.y][threadIdx.x ^ threadIdx.y] =",
                Instead("xor.b32", "or.b32"),
            )
            .fails("race: write and write"),
            Mistake::at(&COPY, "if (i < n / 4)", OffByOne).fails("out of bounds: global read"),
            Mistake::at(&LARGE_TILES, "// the tile is complete", Without("bar"))
                .fails("race: write and read"),
            Mistake::at(&PADDED, "// the tile is complete", Without("bar"))
                .fails("race: write and read"),
            Mistake::at(
                &SEVERAL_ELEMENTS,
                "out[(row + k) * rows + column] =",
                Instead("ld.shared.f32 $0, [$1+96]", "ld.shared.f32 $0, [$1+64]"),
            )
            .is_wrong("row 24, column 0 of"),
            Mistake::at(&SEVERAL_ELEMENTS, "row + k < columns && column < rows", OffByOne)
                .fails("out of bounds: global write"),
            Mistake::at(&SEVERAL_ELEMENTS, "// the tile is complete", Without("bar"))
                .fails("race: write and read"),
        ],
    );
}
