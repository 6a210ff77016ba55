//! The picture of the ladder.

use report::provenance::Basis;
use report::synthetic::{at, beside, committed, exact, library, modelled, report, row, timed};
use report::{Outcome, Row, TimeSource};

use super::{picture, says};
use crate::ladder::rungs::Ladder;

/// Four times slower at first, then twice as fast, slower by half on a detour, and 1.25 times.
fn small() -> Vec<Row> {
    let mut second = timed("02-many", Some("01-one"), 1000, 1e-3);
    second.timed.push(at(100, 1e-4));
    vec![
        timed("01-one", None, 100, 4e-4),
        second,
        timed("03x-aside", Some("02-many"), 1000, 2e-3),
        timed("04-next", Some("02-many"), 1000, 8e-4),
    ]
}

#[test]
fn rungs_say_what_rows_say() {
    let report = report(small(), false);
    let ladder = Ladder::of(&report);
    let climb = |at: usize| ladder.rungs[at].climb.clone().expect("a speed");
    let factors: Vec<_> = (0..4).map(|at| climb(at).times_parent).collect();
    assert_eq!(factors, [None, Some((100, 4.0)), Some((1000, 0.5)), Some((1000, 1.25))]);
    let parents: Vec<_> = ladder.rungs.iter().map(|rung| rung.parent).collect();
    assert_eq!(parents, [None, Some(0), Some(1), Some(1)]);
    // 02 is four times 01 at 100 points, but at its own 1000 its speed is 40 times 01's.
    let level: Vec<_> = (1..4).map(|at| ladder.lift(at).expect("compared").level).collect();
    assert_eq!(level, [false, true, true]);
    // 4 · 1.25: the detour is not on the way.
    assert_eq!(ladder.title, "All pairs: 5.00× from 01-one to 04-next on GPU <A&B>");
    says(
        &picture(&report, "ladder"),
        &[
            "MEASURED, on GPU <A&B> · n = 1000 points unless noted",
            "01-one idea of 01-one · n = 100, start",
            "02-many idea of 02-many, 4.00×, at n = 100",
            "03x-aside detour · idea of 03x-aside, 0.500×, 0.500",
            "04-next idea of 04-next, 1.25×",
            "10⁹ pairs/s, logarithmic",
        ],
    );
    let svg = picture(&report, "ladder").svg;
    assert!(svg.contains("on GPU &lt;A&amp;B&gt;</title>") && !svg.contains("<A&B>"));
}

#[test]
fn a_library_is_a_line_and_no_rung() {
    let without = report(small(), false);
    let with = beside(vec![library("fp32", 1000, 9e-4)], without.clone());
    says(&picture(&with, "ladder"), &["cuBLAS fp32 its function, 1.11, –"]);
    let absent = beside(vec![committed("fp32", 1000, 9e-4)], without.clone());
    says(&picture(&absent, "ladder"), &["cuBLAS fp32 GPU <A&B>, committed, 1.11, –"]);
    for report in [&with, &absent] {
        assert_eq!(Ladder::of(report).title, Ladder::of(&without).title);
        assert_eq!(Ladder::of(report).rungs.len(), 4);
    }
}

/// Bytes per second, exact results, and a wrong step.
#[test]
fn a_ladder_of_another_kind_has_its_own_words() {
    let said = ["GB/s, × first", "n = 8192 rows and columns", "GB/s, logarithmic", "wrong"];
    says(&picture(&exact(), "ladder"), &said);
}

#[test]
fn a_model_is_never_called_a_measurement() {
    let model = picture(&modelled(report(small(), true)), "ladder");
    says(&model, &["on a modelled GPU <A&B>", "MODELLED, for GPU <A&B> (simulated)"]);
    assert!(!model.words.contains("MEASURED"));

    let mut rows = small();
    (rows[3].outcome, rows[3].time_source) = (Outcome::Simulated, Some(TimeSource::Model));
    let report = report(rows, false);
    let mixed = Ladder::of(&report);
    assert_eq!(mixed.provenance.basis, Basis::Mixed);
    assert_eq!(mixed.rungs[3].climb.as_ref().expect("a speed").times_parent, None);
}

/// Without the first step × first does not exist; the message says what was compared.
#[test]
fn a_part_of_a_ladder_says_how_far_it_climbs() {
    let report = report(small()[1..].to_vec(), false);
    let title = "All pairs: 1.25× from 02-many to 04-next on GPU <A&B>";
    assert_eq!(crate::message(&report), title);
}

#[test]
fn a_wrong_step_is_an_empty_rung_and_a_skipped_one_is_none() {
    let mut rows = small();
    rows[1] = row("02-many", Some("01-one"), Outcome::Wrong);
    rows[1].reason = Some("error 1e-2 > 1e-6".to_owned());
    rows[2] = row("03x-aside", Some("02-many"), Outcome::Skipped);
    let report = report(rows, false);
    let ladder = Ladder::of(&report);
    // 04 hangs on the nearest step below that has a speed, and claims no factor.
    assert_eq!((ladder.lift(3), ladder.stands_on(3)), (None, Some(0)));
    assert_eq!(ladder.shown().collect::<Vec<_>>(), [0, 1, 3]);
    let picture = picture(&report, "ladder");
    says(
        &picture,
        &["2 steps were timed", "wrong, error 1e-2 > 1e-6", "parent wrong", "Skipped: 03x-aside."],
    );
    assert!(!picture.words.contains("idea of 03x-aside"));
}

#[test]
fn odd_reports_are_drawn() {
    let skipped = |step: &str| row(step, None, Outcome::Skipped);
    let none = report(vec![skipped("01-one"), skipped("02-many")], false);
    says(&picture(&none, "ladder"), &["no step was timed", "NOT TIMED"]);
    let long = "long ".repeat(100);
    let mut wordy = timed(&long, Some("not there"), 1, 1e-300);
    wordy.title.clone_from(&long);
    let mut failed = row("x", Some("x"), Outcome::Failed);
    // As long as a compiler's messages can be.
    failed.reason = Some("error: identifier is undefined\n".repeat(3650));
    let mut timeless = timed("01-one", None, 1, 1.0);
    timeless.timed.clear();
    let many = (0..40).map(|at| timed(&at.to_string(), None, 1 << 30, 10f64.powi(at)));
    let started = std::time::Instant::now();
    for rows in [vec![], vec![wordy, failed, timeless], many.collect()] {
        let svg = picture(&report(rows, true), "ladder").svg;
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        assert!(svg.len() < 100_000);
    }
    assert!(started.elapsed().as_secs_f64() < 1.0, "{:?}", started.elapsed());
}
