//! Every step climbs on the simulator, and broken kernels do not.

use ladder::testing::Change::{Instead, OffByOne};
use ladder::testing::{Mistake, expect_exact, expect_found, modelled_seconds};

use super::*;

#[test]
fn every_step_climbs() {
    expect_exact(&LADDER, 1000, 1000.0, &[]);
}

#[test]
fn broken_kernels_are_found() {
    expect_found(
        &LADDER,
        &[
            Mistake::at(&ATOMICS, "const unsigned int key =", OffByOne)
                .fails("out of bounds: global read"),
            Mistake::at(&ALL, "__all_sync(", Instead("vote.sync.all", "vote.sync.any"))
                .is_wrong("key"),
            Mistake::at(&TILES_OF_8, "__all_sync(", Instead("vote.sync.all", "vote.sync.any"))
                .is_wrong("key"),
            Mistake::at(
                &COALESCED,
                "__match_all_sync(group, key, &same)",
                Instead("match.all.sync.b32 $0|$1, $2, $3", "match.all.sync.b32 $0|$1, $3, $3"),
            )
            .is_wrong("key"),
            Mistake::at(
                &MATCH_ANY,
                "const unsigned int group =",
                Instead("match.any.sync.b32 $0, $1, $2", "match.any.sync.b32 $0, $2, $2"),
            )
            .is_wrong("key"),
        ],
    );
}

/// What groups save, by the model: atomic additions that take turns.
#[test]
fn every_group_is_faster_than_no_group() {
    let seconds = |step: &Step| modelled_seconds(&LADDER, step.name);
    let all: Vec<f64> = LADDER.steps.iter().map(seconds).collect();
    assert!(all[1..].iter().all(|it| *it < 0.9 * all[0]), "{all:?}");
}
