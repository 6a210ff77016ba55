//! Every step climbs on the simulator, and broken kernels do not.

use ladder::testing::{Mistake, expect_exact, expect_found, simulate};
use report::Outcome::{Failed, Wrong};
use report::Request;

use crate::*;

#[test]
fn every_step_climbs() {
    expect_exact(&LADDER, 1000, 8000.0);
}

#[test]
fn broken_kernels_are_found() {
    let read = "out of bounds: global read";
    let unwritten = "that no thread has written";
    expect_found(
        &LADDER,
        &[
            Mistake::of(&BLOCKS, "setp.ge.s32 \t%p1", "setp.gt.s32 \t%p1", Failed, read),
            Mistake::of(&BLOCKS, "st.global.f32", "// st.global.f32", Wrong, unwritten),
            Mistake::of(
                &UNEVEN_BLOCKS,
                "mov.u32 \t%r3, %ntid.x",
                "mov.u32 \t%r3, 192",
                Wrong,
                unwritten,
            ),
            Mistake::of(&SHARED_96, "setp.ge.s32 \t%p1", "setp.gt.s32 \t%p1", Failed, read),
            Mistake::of(&FOUR_EACH, "st.global.v4.f32", "// st.global.v4.f32", Wrong, unwritten),
        ],
    );
}

/// The rules of occupancy on an H200: 2048 threads, 32 blocks and 228 KiB, of which a block takes 1 more than it asks for.
#[test]
fn fewer_blocks_fit() {
    let share = |step: &Step| {
        let row = simulate(&LADDER, step.name, Request::default());
        let occupancy = row.occupancy.expect("known");
        f64::from(occupancy.warps) / f64::from(occupancy.most_warps)
    };
    assert_eq!([&BLOCKS, &SMALL_BLOCKS, &SHARED_32].map(share), [1.0, 0.5, 0.75]);
    assert_eq!([&SHARED_48, &SHARED_96, &FOUR_EACH].map(share), [0.5, 0.25, 0.25]);
}
