//! Divergence, atomics, barriers.

use simt::Class;

use super::machine::{MACHINE, counts, run_on};

#[test]
fn a_branch_by_lane_diverges_and_one_by_warp_does_not() {
    let branch = |condition: &str| {
        format!(
            "{condition}\n@%p1 bra THEN;\nadd.s32 %r7, %r7, 1;\nbra.uni DONE;\nTHEN:\n\
             add.s32 %r7, %r7, 2;\nadd.s32 %r7, %r7, 3;\nDONE:"
        )
    };
    let by_lane =
        run_on(MACHINE, &branch("and.b32 %r6, %r2, 1;\nsetp.eq.u32 %p1, %r6, 0;"), 1, 128);
    let total = by_lane.total();
    assert_eq!(total.divergent, 4);
    // The conditional branch in each of 4 warps, and the jump over the other side.
    assert_eq!(total.branches, 8);
    let by_warp = counts(&branch("setp.lt.u32 %p1, %r2, 64;"), 128);
    assert_eq!(by_warp.divergent, 0);
    // Two warps go each way: only the two that do not jump to THEN jump to DONE.
    assert_eq!(by_warp.branches, 6);
    // Both sides are issued for half of the lanes: 3 additions, 48 lanes of each warp's 3 × 32.
    let added = |events: &simt::Events| events.class(Class::Integer);
    let straight = run_on(MACHINE, "", 1, 128);
    assert_eq!(added(&by_lane).warps - added(&straight).warps, 4 * (3 + 1));
    assert_eq!(added(&by_lane).threads - added(&straight).threads, 128 + 128 + 64);
}

#[test]
fn atomics_at_one_address_come_one_after_another() {
    let add = |index: &str| {
        format!(
            "{index}\nmul.wide.u32 %rd2, %r6, 4;\nadd.s64 %rd2, %rd1, %rd2;\n\
             atom.global.add.u32 %r7, [%rd2], 1;"
        )
    };
    let one = counts(&add("mov.u32 %r6, 0;"), 64);
    assert_eq!((one.atomics, one.atomic_lanes, one.atomic_same_address), (2, 64, 64));
    assert_eq!((one.global_requests, one.global_sectors), (2, 2));
    let all = counts(&add("mov.u32 %r6, %r2;"), 64);
    assert_eq!((all.atomics, all.atomic_same_address, all.global_sectors), (2, 2, 8));
    let bins = counts(&add("and.b32 %r6, %r2, 7;"), 32);
    assert_eq!(bins.atomic_same_address, 4);
}

#[test]
fn a_match_takes_a_turn_for_each_value() {
    let any = |value: &str| {
        counts(&format!("{value}\nmatch.any.sync.b32 %r7, %r6, 0xffffffff;"), 64).match_turns
    };
    assert_eq!(any("mov.u32 %r6, 7;"), 2);
    assert_eq!(any("and.b32 %r6, %r2, 3;"), 2 * 4);
    assert_eq!(any("mov.u32 %r6, %r2;"), 2 * 32);
    let all = "match.all.sync.b32 %r7|%p1, %r2, 0xffffffff;";
    assert_eq!(counts(all, 64).match_turns, 2);
}

#[test]
fn every_warp_comes_to_a_barrier_once() {
    assert_eq!(counts("bar.sync 0;\nbar.sync 0;", 256).barriers, 16);
}

#[test]
fn a_block_that_is_no_multiple_of_the_warp_has_idle_lanes() {
    let counts = counts("", 33);
    assert_eq!(counts.threads * 2, counts.warps * 33);
}
