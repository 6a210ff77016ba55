//! Every step climbs on the simulator, and broken kernels do not.

use ladder::testing::Change::{Instead, Negated, OffByOne, Without};
use ladder::testing::{Mistake, expect_exact, expect_found, simulate};
use report::Outcome::{Failed, Simulated};
use report::Request;

use super::*;

#[test]
fn every_step_climbs() {
    expect_exact(&LADDER, 300, 300.0, &[]);
}

#[test]
fn broken_kernels_are_found() {
    expect_found(
        &LADDER,
        &[
            Mistake::at(&LAUNCHES, "if (node < end)", OffByOne).fails("out of bounds: global read"),
            Mistake::at(&GRID_BARRIER, "// they are visible to other blocks", Without("membar"))
                .fails("they are in different blocks"),
            Mistake::at(&FLAGS, "// the value is visible before the flag", Without("membar"))
                .fails("race"),
            Mistake::at(
                &FLAGS,
                "// the children's values are read after their flags",
                Without("membar"),
            )
            .fails("no fence of the device comes between that read"),
            Mistake::at(&FLAGS, "block = atomicAdd(ticket, 1)", Instead("atom", "atom.cta"))
                .fails("is atomic within its own block only"),
            Mistake::at(&FLAGS, "ready[node] = 1", Without("st.volatile.global"))
                .fails("infinite loop"),
            Mistake::at(
                &ARRIVALS,
                "// what this thread wrote is visible before it is counted",
                Without("membar"),
            )
            .fails("race: read and write"),
            Mistake::at(
                &ARRIVALS,
                "// and what that wrote is read after it was counted",
                Without("membar"),
            )
            .fails("no fence of the device comes between that read"),
            Mistake::at(
                &ARRIVALS,
                "// what this thread wrote is visible before it is counted",
                Instead("membar.gl", "membar.cta"),
            )
            .fails("no fence of the device comes after the first"),
            Mistake::at(&ARRIVALS, "for (unsigned int node =", Negated).is_wrong("node 1"),
            Mistake::at(
                &TILES,
                "// what this thread wrote is visible before it is counted",
                Without("membar"),
            )
            .fails("race: read and write"),
            Mistake::at(&TILES, "tree[node] = sum", Without("st.global")).is_wrong("node"),
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
