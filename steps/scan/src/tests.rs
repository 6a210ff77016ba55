//! Every step climbs on the simulator, and broken kernels do not.

use ladder::testing::Change::{Instead, OffByOne, Without};
use ladder::testing::{Excuse, Mistake, expect_exact, expect_found};

use super::*;

/// Whether a tile waits depends on what else the cores of the CPU do.
const ORDER: &str = "what a tile waits for is mostly there: tiles begin in order";
const EXCUSES: &[Excuse] = &[
    Excuse::once("last >= 0; last -= 32", ORDER).varies(),
    Excuse::once("while (all < KNOWN)", ORDER).varies(),
    Excuse::once("while (seen < OWN)", ORDER).varies(),
    Excuse::once("while (seen[r] < THERE)", ORDER).varies(),
    Excuse::never("seen[r] = state[tile -", ORDER).varies(),
];

#[test]
fn every_step_climbs() {
    expect_exact(&LADDER, 1000, 8000.0, EXCUSES);
}

#[test]
fn broken_kernels_are_found() {
    expect_found(
        &LADDER,
        &[
            Mistake::at(&BLOCKS, "// all elements are there", Without("bar"))
                .fails("race: write and read"),
            Mistake::at(&BLOCKS, "part[thread] = i < n ? in[i] : 0", OffByOne)
                .fails("out of bounds: global read"),
            Mistake::at(&SHUFFLES, "// each warp's sum is there", Without("bar"))
                .fails("race: write and read"),
            Mistake::at(&ROWS, "own += threadIdx.x % 32 >= step ? before : 0", OffByOne)
                .is_wrong("sum"),
            Mistake::at(&CHAINED, "state[tile] =", Without("st.volatile.global"))
                .fails("infinite loop"),
            Mistake::at(&LOOK_BACK, "threadIdx.x % 32 <= end ?", OffByOne).is_wrong("sum 8192"),
            Mistake::at(
                &LOOK_BACK,
                "state[tile] = OWN | own",
                Instead("st.volatile.global", "st.relaxed.cta.global"),
            )
            .fails("is atomic within its own block only"),
            Mistake::at(
                &LOOK_BACK,
                "tile = atomicAdd(ticket, 1)",
                Instead("atom", "atom.relaxed.cta"),
            )
            .fails("is atomic within its own block only"),
            Mistake::at(&LOOK_BACK, "// the tile is known", Without("bar"))
                .fails("out of bounds: global read"),
            Mistake::at(
                &ROUNDS,
                "state[tile] = THERE | of_warps[WARPS - 1]",
                Without("st.volatile.global"),
            )
            .fails("infinite loop"),
            Mistake::at(&AHEAD, "// each warp's sum is there", Without("bar")).fails("race: "),
            Mistake::at(
                &AHEAD,
                "state[tile] = THERE | of_warps[WARPS - 1]",
                Without("st.volatile.global"),
            )
            .fails("infinite loop"),
        ],
    );
}
