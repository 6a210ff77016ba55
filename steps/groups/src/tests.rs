//! Every step climbs on the simulator, and broken kernels do not.

use ladder::testing::{Mistake, expect_exact, expect_found, modelled_seconds};
use report::Outcome::{Failed, Wrong};

use super::*;

#[test]
fn every_step_climbs() {
    expect_exact(&LADDER, 1000, 1000.0);
}

#[test]
fn broken_kernels_are_found() {
    expect_found(
        &LADDER,
        &[
            Mistake::of(
                &ATOMICS,
                "setp.ge.u32",
                "setp.gt.u32",
                Failed,
                "out of bounds: global read",
            ),
            Mistake::of(&ALL, "vote.sync.all", "vote.sync.any", Wrong, "key"),
            Mistake::of(&TILES_OF_8, "vote.sync.all", "vote.sync.any", Wrong, "key"),
            Mistake::of(
                &COALESCED,
                "match.all.sync.b32 \t%r26|%p9, %r43",
                "match.all.sync.b32 \t%r26|%p9, %r7",
                Wrong,
                "key",
            ),
            Mistake::of(
                &MATCH_ANY,
                "match.any.sync.b32 \t%r25, %r42",
                "match.any.sync.b32 \t%r25, %r7",
                Wrong,
                "key",
            ),
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
