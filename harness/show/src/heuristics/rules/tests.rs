//! The rules on sweeps with known answers.

use report::{Occupancy, Outcome, Report, Row, TimeSource, synthetic};

use super::*;

/// A sweep of one step: threads of a block, time in ms, blocks resident on a multiprocessor.
fn report(n: u64, points: &[(u32, f64, u32)]) -> Report {
    let row = |&(block, milliseconds, resident): &(u32, f64, u32)| Row {
        block: Some(block),
        occupancy: Some(Occupancy {
            block,
            registers: Some(40),
            blocks: resident,
            warps: resident * block.div_ceil(32),
            most_warps: 64,
            limit: "registers".to_owned(),
        }),
        ..synthetic::timed("06-shared-blocking", None, n, milliseconds * 1e-3)
    };
    synthetic::report(points.iter().map(row).collect(), false)
}

/// What became of the rule that begins so, and its figures.
fn judged(report: &Report, rule: &str) -> (Judgement, String) {
    let sweeps = Sweep::of(report);
    assert_eq!(sweeps.len(), 1);
    let found = findings(&sweeps[0]).into_iter().find(|found| found.rule.starts_with(rule));
    let found = found.expect("the rule");
    (found.judgement, found.figures)
}

use Judgement::{DidNotHold, Held, Unknown};

const N: u64 = 131_072;

#[test]
fn blocks_of_whole_warps_are_no_slower() {
    let rule = "a multiple";
    let held = report(N, &[(40, 15.0, 8), (64, 10.0, 8), (100, 12.0, 8), (128, 10.0, 8)]);
    assert_eq!(judged(&held, rule).0, Held);
    let did_not = report(N, &[(40, 15.0, 8), (64, 10.0, 8), (100, 9.0, 8), (128, 10.0, 8)]);
    assert_eq!(
        judged(&did_not, rule),
        (
            DidNotHold,
            "64 threads 10.0 ms, 40 threads 15.0 ms; 128 threads 10.0 ms, 100 threads 9.00 ms"
                .to_owned()
        )
    );
    assert_eq!(judged(&report(N, &[(32, 1.0, 8), (64, 1.0, 8)]), rule).0, Unknown);
    // 40 threads are two warps, as are 64; 128 are four.
    assert_eq!(judged(&report(N, &[(40, 1.0, 8), (128, 1.0, 8)]), rule).0, Unknown);
}

#[test]
fn blocks_below_64_lose_and_64_win_in_company_alone() {
    let rule = "at least 64";
    assert_eq!(judged(&report(N, &[(32, 20.0, 32), (256, 10.0, 8)]), rule).0, Held);
    assert_eq!(judged(&report(N, &[(32, 10.0, 32), (256, 10.0, 8)]), rule).0, DidNotHold);
    assert_eq!(judged(&report(N, &[(32, 20.0, 32), (64, 10.0, 8)]), rule).0, Held);
    assert_eq!(judged(&report(N, &[(32, 20.0, 32), (64, 10.0, 1)]), rule).0, DidNotHold);
    assert_eq!(judged(&report(N, &[(64, 10.0, 8), (128, 10.0, 8)]), rule).0, Unknown);
}

#[test]
fn a_start_is_good_within_five_percent_of_the_best() {
    let points = |best: f64| report(N, &[(128, 10.4, 8), (256, 11.0, 8), (512, best, 4)]);
    assert_eq!(judged(&points(10.0), "128 to 256").0, Held);
    assert_eq!(
        judged(&points(10.0), "256 threads"),
        (DidNotHold, "256 threads 11.0 ms, 10.0 % more than 512 threads 10.0 ms".to_owned())
    );
    assert_eq!(judged(&points(9.0), "128 to 256").0, DidNotHold);
    assert_eq!(judged(&points(12.0), "256 threads").0, DidNotHold);
    let best = report(N, &[(128, 10.4, 8), (256, 10.0, 8)]);
    assert_eq!(
        judged(&best, "256 threads"),
        (Held, "256 threads 10.0 ms is the fastest".to_owned())
    );
    let none = report(N, &[(32, 10.0, 8), (512, 10.0, 8)]);
    assert_eq!(judged(&none, "256 threads").0, Unknown);
    assert_eq!(judged(&none, "128 to 256").0, Unknown);
}

#[test]
fn smaller_blocks_are_compared_with_one_of_as_many_warps() {
    let rule = "three or four";
    // 32 warps each: one block of 1024, four of 256.
    assert_eq!(judged(&report(N, &[(256, 10.0, 4), (1024, 11.0, 1)]), rule).0, Held);
    assert_eq!(judged(&report(N, &[(256, 10.0, 4), (1024, 10.0, 1)]), rule).0, DidNotHold);
    // Eight of 256 are twice the warps: that would compare something else.
    assert_eq!(judged(&report(N, &[(256, 10.0, 8), (1024, 11.0, 1)]), rule).0, Unknown);
    assert_eq!(judged(&report(N, &[(256, 10.0, 8), (1024, 11.0, 2)]), rule).0, Unknown);
    let mut unknown = report(N, &[(256, 10.0, 4), (1024, 11.0, 1)]);
    unknown.rows[0].occupancy = None;
    assert_eq!(judged(&unknown, rule).0, Unknown);
}

#[test]
fn grids_are_held_against_the_number_of_multiprocessors() {
    let rule = "more blocks";
    // 132 multiprocessors: 256 blocks of 32, 32 of 256.
    assert_eq!(judged(&report(8192, &[(32, 1.0, 2), (256, 2.0, 1)]), rule).0, Held);
    assert_eq!(judged(&report(8192, &[(32, 1.0, 2), (256, 1.0, 1)]), rule).0, DidNotHold);
    assert_eq!(judged(&report(N, &[(32, 1.0, 2), (256, 2.0, 1)]), rule).0, Unknown);
    let mut unknown = report(8192, &[(32, 1.0, 2), (256, 2.0, 1)]);
    unknown.device.as_mut().expect("a device").multiprocessors = None;
    assert_eq!(judged(&unknown, rule).0, Unknown);
}

#[test]
fn a_difference_within_the_noise_is_none() {
    let mut report = report(N, &[(256, 10.0, 4), (1024, 10.2, 1)]);
    // The samples of the larger block are both faster and slower.
    for (row, spread) in report.rows.iter_mut().zip([0.0, 0.05]) {
        let timed = &mut row.timed[0];
        timed.samples.round = (0..20).collect();
        let sample = |k: u32| timed.seconds * (1.0 + spread * (f64::from(k % 5) - 2.0));
        timed.samples.seconds = (0..20).map(sample).collect();
        timed.samples.whole_seconds = timed.samples.seconds.clone();
    }
    assert_eq!(judged(&report, "three or four").0, DidNotHold);
}

#[test]
fn only_rows_of_a_sweep_that_can_be_compared_count() {
    let mut report = report(N, &[(64, 10.0, 8), (128, 10.0, 8), (256, 10.0, 8), (512, 10.0, 4)]);
    report.rows[0].outcome = Outcome::Failed;
    report.rows[1].timed[0].n = 4096;
    report.rows[2].time_source = Some(TimeSource::Device);
    // The first that was timed decides on the size: one of its own is left.
    assert!(Sweep::of(&report).is_empty());
    report.rows[1].timed[0].n = N;
    assert_eq!(Sweep::of(&report)[0].points.len(), 3);
    report.rows.iter_mut().for_each(|row| row.block = None);
    assert!(Sweep::of(&report).is_empty(), "no sweep over blocks");
}
