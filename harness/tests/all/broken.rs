//! Kernels with one fault each must be rejected: see `broken/README.md`.

use std::fs;
use std::path::Path;

use report::{Outcome, Report, Row};

/// Runs a kernel of `tests/broken/` on the simulator in the place of step 06.
fn row_of(name: &str) -> Row {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let kernel = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/broken").join(name);
    let output = crate::program()
        .args([
            "run", "nbody", "--device", "simt", "--size", "1000", "--format", "json", "--as", "06",
        ])
        .args([
            "--kernel".as_ref(),
            kernel.as_os_str(),
            "--out".as_ref(),
            folder.path().as_os_str(),
        ])
        .output()
        .expect("it runs");
    assert_eq!(output.status.code(), Some(1), "{name} passed");
    let report = Report::from_json(&output.stdout, Path::new(name)).expect("a report and no more");
    assert_eq!(report.rows.len(), 1, "only the step that is replaced runs");
    assert!(report.rows[0].timed.is_empty(), "what is not verified is not timed");
    report.rows[0].clone()
}

fn is_wrong(name: &str) {
    let row = row_of(name);
    assert_eq!(row.outcome, Outcome::Wrong, "{name}: {:?}", row.reason);
    assert!(row.reason.is_some_and(|reason| !reason.is_empty()));
}

/// It is a race, whatever comes out.
#[test]
fn a_missing_barrier() {
    let row = row_of("missing-barrier.ptx");
    assert_eq!(row.outcome, Outcome::Failed, "{:?}", row.reason);
    let reason = row.reason.expect("a reason");
    let source = fs::read_to_string("tests/broken/missing-barrier.cu").expect("the source");
    let line = |part: &str| source.lines().position(|line| line.contains(part)).expect(part) + 1;
    let [store, load] = [line("masss[tid] = mass"), line("posxs[j2] - px")];
    for words in ["race:", "__syncthreads()", "masss", &format!("missing-barrier.cu:{store}")] {
        assert!(reason.contains(words), "the race does not name {words}: {reason}");
    }
    assert!(store < load);
}

#[test]
fn a_missing_tail_guard() {
    let row = row_of("no-tail-guard.ptx");
    assert_eq!(row.outcome, Outcome::Failed);
    let reason = row.reason.expect("a reason");
    // The line of the .cu in which the first thread too many loads its position.
    let source = fs::read_to_string("tests/broken/no-tail-guard.cu").expect("the source");
    let line = source.lines().position(|line| line.contains("px = posx[i]")).expect("the load") + 1;
    for word in ["no-tail-guard", "posx", "thread", &line.to_string()] {
        assert!(reason.contains(word), "the fault does not name {word}: {reason}");
    }
}

#[test]
fn a_wrong_sign() {
    is_wrong("wrong-sign.ptx");
}

#[test]
fn a_doubled_force() {
    is_wrong("doubled-force.ptx");
}

#[test]
fn a_dropped_tile() {
    is_wrong("dropped-tile.ptx");
}

#[test]
fn a_dropped_body() {
    is_wrong("dropped-body.ptx");
}

#[test]
fn an_unwritten_output() {
    is_wrong("unwritten-output.ptx");
}

#[test]
fn not_a_number() {
    is_wrong("nan.ptx");
}

#[test]
fn velocities_that_are_never_corrected() {
    is_wrong("no-correction.ptx");
}

#[test]
fn bodies_that_do_not_move_along_one_axis() {
    is_wrong("stale-position.ptx");
}

#[test]
fn bodies_beyond_the_fourth_block_that_do_not_move() {
    is_wrong("stale-tail.ptx");
}

/// Two wrongs that undo each other: only a single launch shows them.
#[test]
fn accelerations_that_advance_changes() {
    is_wrong("doubled-acceleration.ptx");
}

#[test]
fn blocks_that_overlap() {
    let row = row_of("overlapping-blocks.ptx");
    assert_eq!(row.outcome, Outcome::Failed, "{:?}", row.reason);
    let reason = row.reason.expect("a reason");
    assert!(reason.contains("race:") && reason.contains("different blocks"), "{reason}");
}

#[test]
fn bodies_lost_for_an_equal_coordinate() {
    is_wrong("equal-coordinate.ptx");
}

#[test]
fn a_correction_that_is_off_by_a_hundred_thousandth() {
    is_wrong("inexact-correction.ptx");
}
