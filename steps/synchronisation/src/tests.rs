//! Every step climbs on the simulator, and broken kernels do not.

use ladder::testing::{Mistake, expect_exact, expect_found, simulate};
use report::Outcome::{Failed, Simulated, Wrong};
use report::Request;

use super::*;

#[test]
fn every_step_climbs() {
    expect_exact(&LADDER, 300, 300.0);
}

#[test]
fn broken_kernels_are_found() {
    expect_found(
        &LADDER,
        &[
            Mistake::of(
                &LAUNCHES,
                "setp.ge.u32",
                "setp.gt.u32",
                Failed,
                "out of bounds: global read",
            ),
            Mistake::of(
                &GRID_BARRIER,
                "membar.gl",
                "// membar.gl",
                Failed,
                "they are in different blocks",
            ),
            Mistake::of(
                &FLAGS,
                "\tst.global.u32 \t[%rd3], %r43;\n\t.loc\t1 32 13\n\tmembar.gl;",
                "\tst.global.u32 \t[%rd3], %r43;\n\t.loc\t1 32 13\n\t// membar.gl;",
                Failed,
                "race",
            ),
            Mistake::of(
                &FLAGS,
                "st.volatile.global.u32",
                "// st.volatile.global.u32",
                Failed,
                "infinite loop",
            ),
            Mistake::of(&ARRIVALS, "membar.gl", "// membar.gl", Failed, "race: read and write"),
            Mistake::of(&ARRIVALS, "setp.eq.s32", "setp.ne.s32", Wrong, "node 1"),
            Mistake::of(&TILES, "membar.gl", "// membar.gl", Failed, "race: read and write"),
            Mistake::of(&TILES, "st.global.u32 \t[%rd13], %r4", "// st.global.u32", Wrong, "node"),
        ],
    );
}

/// Lanes that wait for each other need lanes that make progress each for itself, or a loop that none of them leaves.
#[test]
fn in_lockstep_a_wait_before_the_work_is_a_deadlock() {
    let scheduling = "lockstep".to_owned();
    let request = Request { size: Some(300), scheduling, ..Request::default() };
    let row = simulate(&LADDER, WAIT_FIRST.name, request.clone());
    assert_eq!(row.outcome, Failed, "{:?}", row.reason);
    let reason = row.reason.unwrap_or_default();
    assert!(reason.contains("warp deadlock"), "{reason}");
    let row = simulate(&LADDER, FLAGS.name, request);
    assert_eq!(row.outcome, Simulated, "{:?}", row.reason);
}
