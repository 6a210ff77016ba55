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
    let read = "out of bounds: global read";
    let unwritten = "that no thread has written";
    let store = "st.global.f32";
    expect_found(
        &LADDER,
        &[
            Mistake::of(&PAGEABLE, "setp.ge.s32 \t%p1", "setp.gt.s32 \t%p1", Failed, read),
            Mistake::of(&PAGEABLE, "add.f32", "sub.f32", Wrong, "elements at n = 1"),
            Mistake::of(&MANAGED, store, "// st.global.f32", Wrong, unwritten),
            Mistake::of(&PREFETCHED, "add.f32", "sub.f32", Wrong, "elements at n = 1"),
            Mistake::of(&PINNED, store, "// st.global.f32", Wrong, unwritten),
            Mistake::of(&ZERO_COPY, "setp.ge.s32 \t%p1", "setp.gt.s32 \t%p1", Failed, read),
            Mistake::of(&ZERO_COPY, store, "// st.global.f32", Wrong, "elements at n = 1"),
            Mistake::of(&READ_ONCE, "setp.ge.s32 \t%p1", "setp.gt.s32 \t%p1", Failed, read),
            Mistake::of(&READ_ONCE, store, "// st.global.f32", Wrong, "elements at n = "),
            Mistake::of(&NOTICE, "st.volatile.global.u32", "// st", Wrong, "elements at n = 1"),
            Mistake::of(&NOTICE, "setp.ge.s32 \t%p1", "setp.gt.s32 \t%p1", Failed, read),
            Mistake::of(&PIECES, "add.f32", "sub.f32", Wrong, "elements at n = 1"),
            Mistake::of(&PIECES, store, "// st.global.f32", Wrong, unwritten),
        ],
    );
}
