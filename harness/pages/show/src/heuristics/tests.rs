//! The rules on sweeps with known answers.

use report::{Outcome, Row, TimeSource, synthetic};

use super::*;
use crate::plain;

/// Threads of a block, time in ms, blocks resident on a multiprocessor.
type Block = (u32, f64, u32);

/// A sweep of one step.
fn report(n: u64, points: &[Block]) -> Report {
    let row = |&(block, milliseconds, resident): &Block| Row {
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

/// The verdict on the rule that begins so, and its figures.
fn judged(report: &Report, rule: &str) -> (&'static str, String) {
    let sweeps = Sweep::of(report);
    assert_eq!(sweeps.len(), 1);
    let found = RULES.into_iter().find(|(name, ..)| name.starts_with(rule)).expect("the rule");
    let judged = found.2(&sweeps[0]);
    (judgement(&judged).0, figures(judged))
}

const HELD: &str = "held";
const NOT: &str = "did not hold";
const UNKNOWN: &str = "unknown";
const N: u64 = 131_072;

#[test]
fn rules_hold_where_they_should() {
    #[rustfmt::skip]
    let cases: [(&str, u64, &[Block], &str); 22] = [
        ("a multiple", N, &[(40, 15.0, 8), (64, 10.0, 8), (100, 12.0, 8), (128, 10.0, 8)], HELD),
        ("a multiple", N, &[(40, 15.0, 8), (64, 10.0, 8), (100, 9.0, 8), (128, 10.0, 8)], NOT),
        ("a multiple", N, &[(32, 1.0, 8), (64, 1.0, 8)], UNKNOWN),
        // 40 threads are two warps, as are 64; 128 are four.
        ("a multiple", N, &[(40, 1.0, 8), (128, 1.0, 8)], UNKNOWN),
        ("at least 64", N, &[(32, 20.0, 32), (256, 10.0, 8)], HELD),
        ("at least 64", N, &[(32, 10.0, 32), (256, 10.0, 8)], NOT),
        ("at least 64", N, &[(32, 20.0, 32), (64, 10.0, 8)], HELD),
        ("at least 64", N, &[(32, 20.0, 32), (64, 10.0, 1)], NOT),
        ("at least 64", N, &[(64, 10.0, 8), (128, 10.0, 8)], UNKNOWN),
        ("128 to 256", N, &[(128, 10.4, 8), (256, 11.0, 8), (512, 10.0, 4)], HELD),
        ("128 to 256", N, &[(128, 10.4, 8), (256, 11.0, 8), (512, 9.0, 4)], NOT),
        ("256 threads", N, &[(128, 10.4, 8), (256, 11.0, 8), (512, 12.0, 4)], NOT),
        ("256 threads", N, &[(32, 10.0, 8), (512, 10.0, 8)], UNKNOWN),
        ("128 to 256", N, &[(32, 10.0, 8), (512, 10.0, 8)], UNKNOWN),
        // 32 warps each: one block of 1024, four of 256.
        ("three or four", N, &[(256, 10.0, 4), (1024, 12.0, 1)], HELD),
        ("three or four", N, &[(256, 10.0, 4), (1024, 10.0, 1)], NOT),
        // Eight of 256 are twice the warps: that would compare something else.
        ("three or four", N, &[(256, 10.0, 8), (1024, 11.0, 1)], UNKNOWN),
        ("three or four", N, &[(256, 10.0, 8), (1024, 11.0, 2)], UNKNOWN),
        // 132 multiprocessors: 256 blocks of 32, 32 of 256.
        ("more blocks", 8192, &[(32, 1.0, 2), (256, 2.0, 1)], HELD),
        ("more blocks", 8192, &[(32, 1.0, 2), (256, 1.0, 1)], NOT),
        ("more blocks", N, &[(32, 1.0, 2), (256, 2.0, 1)], UNKNOWN),
        ("256 threads", N, &[(128, 10.4, 8), (256, 10.0, 8)], HELD),
    ];
    for (rule, n, points, expected) in cases {
        assert_eq!(judged(&report(n, points), rule).0, expected, "{rule}: {points:?}");
    }
}

#[test]
fn judgements_have_their_figures() {
    let points = [(40, 15.0, 8), (64, 10.0, 8), (100, 9.0, 8), (128, 10.0, 8)];
    let figures =
        "64 threads 10.0 ms, 40 threads 15.0 ms; 128 threads 10.0 ms, 100 threads 9.00 ms";
    assert_eq!(judged(&report(N, &points), "a multiple").1, figures);
    let points = [(128, 10.4, 8), (256, 11.0, 8), (512, 10.0, 4)];
    let figures = "256 threads 11.0 ms, 10.0 % more than 512 threads 10.0 ms";
    assert_eq!(judged(&report(N, &points), "256"), (NOT, figures.to_owned()));
    let figures = "256 threads 10.4 ms is the fastest".to_owned();
    assert_eq!(judged(&report(N, &[(256, 10.4, 8), (64, 11.0, 8)]), "256"), (HELD, figures));
}

#[test]
fn what_is_not_known_is_not_judged() {
    let mut resident = report(N, &[(256, 10.0, 4), (1024, 11.0, 1)]);
    resident.rows[0].occupancy = None;
    assert_eq!(judged(&resident, "three or four").0, UNKNOWN);
    let mut device = report(8192, &[(32, 1.0, 2), (256, 2.0, 1)]);
    device.device.as_mut().expect("a device").multiprocessors = None;
    assert_eq!(judged(&device, "more blocks").0, UNKNOWN);
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
    assert_eq!(judged(&report, "three or four").0, NOT);
}

#[test]
fn only_rows_of_a_sweep_that_can_be_compared_count() {
    let mut report = report(N, &[(64, 10.0, 8), (128, 10.0, 8), (256, 10.0, 8), (512, 10.0, 4)]);
    report.rows[0].outcome = Outcome::Failed;
    report.rows[1].timed[0].n = 4096;
    report.rows[2].time_source = Some(TimeSource::Device);
    let points = |report: &Report| Sweep::of(report)[0].points().count();
    assert_eq!(points(&report), 2, "two of the same size");
    report.rows[1].timed[0].n = N;
    assert_eq!(points(&report), 3);
    report.rows.iter_mut().for_each(|row| row.block = None);
    assert!(Sweep::of(&report).is_empty(), "no sweep over blocks");
}

#[test]
fn every_rule_is_judged_for_every_step() {
    let report = synthetic::blocks();
    let text = plain(&text(&report, 80));
    assert_eq!(text.matches("Rules for blocks").count(), 2, "{text}");
    assert_eq!(text.matches("256 threads everywhere").count(), 2, "{text}");
    let tables = markdown(&report);
    assert_eq!(tables.matches("| **").count(), 12, "{tables}");
    assert!(tables.contains("07-unroll at n = 131072, MEASURED"), "{tables}");
    assert_eq!(super::text(&synthetic::sweep(), 80), "", "no sweep over blocks");
}
