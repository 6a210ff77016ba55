//! Every step climbs on the simulator, and broken kernels do not.

use ladder::testing::Change::{Instead, OffByOne, Without};
use ladder::testing::{Excuse, Mistake, expect_exact, expect_found};

use super::*;

/// Whether a tile waits depends on what else the cores of the CPU do.
const ORDER: &str = "what a tile waits for is mostly there: tiles begin in order";
const EXCUSES: &[Excuse] = &[
    Excuse::once("last >= 0; last -= 32", ORDER).varies(),
    Excuse::once("while (seen < OWN)", ORDER).varies(),
];

#[test]
fn every_step_climbs() {
    expect_exact(&LADDER, 1000, 1000.0, EXCUSES);
}

#[test]
fn broken_kernels_are_found() {
    expect_found(
        &LADDER,
        &[
            Mistake::at(&GLOBAL_ATOMIC, "*end = 0", Without("st.global"))
                .is_wrong("and out has room for"),
            Mistake::at(&GLOBAL_ATOMIC, "i < n; i += threads", OffByOne)
                .fails("out of bounds: global read"),
            Mistake::at(&PER_WARP, "const unsigned int value =", OffByOne)
                .fails("out of bounds: global read"),
            Mistake::at(&PER_WARP, "__popc(kept & below)", Instead("popc.b32", "mov.b32"))
                .fails("out of bounds: global write"),
            Mistake::at(&RANGES, "rank < rest ? place", OffByOne).fails("race: write and write"),
            Mistake::at(
                &RANGES,
                "out[next + gap] = EMPTY",
                Instead("st.global.u32 [$0], $1", "st.global.u32 [$0], 7"),
            )
            .is_wrong("in ascending order"),
            Mistake::at(&RANGES, "gap < rest; gap += 32", OffByOne).fails("race: write and write"),
            Mistake::at(&PER_BLOCK, "// each warp's count is there", Without("bar"))
                .fails("race: write and read"),
            Mistake::at(&LOOK_BACK, "// the tile is known", Without("bar"))
                .fails("race: write and read"),
        ],
    );
}
