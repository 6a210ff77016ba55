//! The picture of the ladder.

use report::scene::Basis;
use report::synthetic::{at, exact, report, row, timed};
use report::{Outcome, Report, Row, TimeSource};

use super::{legible, picture};
use crate::ladder::rungs::Ladder;

fn svg(report: &Report) -> String {
    picture(report, "ladder").svg
}

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
    assert_eq!(ladder.usual_n, Some(1000));
    // 02 is four times 01 at 100 points, but at its own 1000 its speed is 40 times 01's.
    let level: Vec<_> = (1..4).map(|at| ladder.lift(at).expect("compared").level).collect();
    assert_eq!(level, [false, true, true]);
    // 4 · 1.25: the detour is not on the way.
    assert_eq!(ladder.title, "All pairs: ×5.00 from 01-one to 04-next on GPU <A&B>");
}

#[test]
fn every_step_and_factor_is_written() {
    let svg = svg(&report(small(), false));
    for text in [
        "01-one",
        "02-many",
        "03x-aside",
        "04-next",
        "idea of 04-next",
        "detour · idea of 03x-aside",
        "×4.00",
        "×0.500",
        "×1.25",
        "at n = 100",
        "n = 100",
        "n = 1000 points",
        "10⁹ pairs/s, logarithmic",
        "MEASURED",
    ] {
        // The first two elements repeat it for screen readers.
        let drawn = svg.split_once("</desc>").expect("words").1;
        assert!(drawn.contains(text), "{text} in {svg}");
    }
    let title = "<title>All pairs: ×5.00 from 01-one to 04-next on GPU &lt;A&amp;B&gt;</title>";
    assert!(svg.contains(title), "{svg}");
    assert!(!svg.contains("MODELLED") && !svg.contains("<A&B>"));
}

/// Bytes per second, exact results, and a wrong step.
#[test]
fn a_ladder_of_another_kind_has_its_own_words() {
    let picture = picture(&exact(), "ladder");
    let texts = legible::texts(&picture.svg);
    let has = |wanted: &str| texts.iter().any(|text| text.text.contains(wanted));
    for wanted in ["GB/s", "n = 8192 rows and columns", "GB/s, logarithmic", "wrong"] {
        assert!(has(wanted), "{wanted}: {texts:?}");
    }
    assert!(picture.words.contains("\n03-padded, idea of 03-padded, ×1.6"), "{}", picture.words);
}

fn model(row: &mut Row) {
    row.outcome = Outcome::Simulated;
    row.time_source = Some(TimeSource::Model);
}

#[test]
fn a_model_is_never_called_a_measurement() {
    let mut rows = small();
    rows.iter_mut().for_each(model);
    let modelled = report(rows, true);
    assert_eq!(Ladder::of(&modelled).scene.basis, Basis::Modelled);
    assert!(Ladder::of(&modelled).title.ends_with("on a modelled GPU <A&B>"));
    let svg = svg(&modelled);
    assert!(svg.contains("MODELLED") && svg.contains("for GPU &lt;A&amp;B&gt; (simulated)"));
    assert!(!svg.contains("MEASURED"));

    let mut rows = small();
    model(&mut rows[3]);
    let report = report(rows, false);
    let mixed = Ladder::of(&report);
    assert_eq!(mixed.scene.basis, Basis::Mixed);
    assert_eq!(mixed.rungs[3].climb.as_ref().expect("a speed").times_parent, None);
}

/// Without the first step × first does not exist; the message says what was compared.
#[test]
fn a_part_of_a_ladder_says_how_far_it_climbs() {
    let report = report(small()[1..].to_vec(), false);
    let ladder = Ladder::of(&report);
    assert_eq!(ladder.title, "All pairs: ×1.25 from 02-many to 04-next on GPU <A&B>");
    let climbs = ladder.rungs.iter().map(|rung| rung.climb.as_ref().expect("a speed"));
    assert!(climbs.into_iter().all(|climb| climb.times_first.is_none()));
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
    assert_eq!(ladder.lift(3), None);
    assert_eq!(ladder.stands_on(3), Some(0));
    assert_eq!(ladder.shown().collect::<Vec<_>>(), [0, 1, 3]);
    assert_eq!(ladder.title, "All pairs on GPU <A&B>: 2 steps were timed");
    let texts = legible::texts(&svg(&report));
    let has = |wanted: &str| texts.iter().any(|text| text.text.contains(wanted));
    for text in ["wrong", "error 1e-2 > 1e-6", "parent wrong", "Skipped: 03x-aside."] {
        assert!(has(text), "{text} in {texts:?}");
    }
    assert!(!has("idea of 03x-aside"), "{texts:?}");
}

#[test]
fn odd_reports_are_drawn() {
    let skipped = |step: &str| row(step, None, Outcome::Skipped);
    let none = svg(&report(vec![skipped("01-one"), skipped("02-many")], false));
    assert!(none.contains("no step was timed") && none.contains("NOT TIMED"));
    let long = "long ".repeat(100);
    let mut wordy = timed(&long, Some("not there"), 1, 1e-300);
    wordy.title.clone_from(&long);
    let mut failed = row("x", Some("x"), Outcome::Failed);
    failed.reason = Some(long);
    let mut timeless = timed("01-one", None, 1, 1.0);
    timeless.timed.clear();
    let cases = [
        vec![],
        vec![timed("01-one", None, 1, 1.0)],
        vec![wordy, failed, timeless],
        (0..40).map(|at| timed(&at.to_string(), None, 1 << 30, 10f64.powi(at))).collect(),
    ];
    for rows in cases {
        let svg = svg(&report(rows, true));
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }
}
