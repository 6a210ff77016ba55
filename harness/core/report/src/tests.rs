use std::path::Path;

use proptest::prelude::*;

use super::*;
use crate::statistics::Verdict;

fn row(step: &str, after: Option<&str>, n: u64, seconds: f64) -> Row {
    let own = synthetic::timed(step, after, n, seconds);
    Row { extras: Vec::new(), timed: vec![at(n, seconds)], ..own }
}

fn at(n: u64, seconds: f64) -> Timed {
    Timed { whole: None, ..synthetic::at(n, seconds) }
}

fn report() -> Report {
    let mut second = row("02-b", Some("01-a"), 8192, 0.1);
    second.timed[0].samples = Samples {
        round: vec![0, 1, 2],
        seconds: vec![0.1, 1.0 / 3.0, 5e-324],
        ..Samples::default()
    };
    second.timed.push(at(1024, 0.004));
    let mut wrong = row("03-c", Some("02-b"), 33, 1.0);
    wrong.outcome = Outcome::Wrong;
    wrong.reason = Some("results at n = 33 …".to_owned());
    wrong.wrong = Some(at(33, 1.0).accuracy);
    wrong.timed.clear();
    synthetic::report(vec![row("01-a", None, 1024, 0.4), second, wrong], false)
}

#[test]
fn rows_are_compared_at_the_greatest_common_size() {
    let mut first = row("01-a", None, 1024, 8.0);
    first.timed.push(at(1000, 7.0));
    let mut second = row("02-b", Some("01-a"), 8192, 4.0);
    second.timed.extend([at(1000, 0.1), at(1024, 0.5)]);
    let third = row("03-c", Some("02-b"), 8192, 2.0);
    let detour = row("03x-d", Some("03-c"), 8192, 4.0);
    let mut rows = vec![first, second, third, detour];
    relate(&mut rows);
    let compared: Vec<_> = rows
        .iter()
        .map(|row| {
            let (n, ratio) = row.parent().map(|(n, parent)| (n, parent.ratio)).unzip();
            (ratio, n, row.times_first)
        })
        .collect();
    assert_eq!(
        compared,
        [
            (None, None, Some(1.0)),
            (Some(16.0), Some(1024), Some(16.0)),
            (Some(2.0), Some(8192), Some(32.0)),
            (Some(0.5), Some(8192), Some(16.0)),
        ]
    );
}

#[test]
fn what_was_not_verified_or_has_no_common_size_is_not_compared() {
    let mut wrong = row("02-b", Some("01-a"), 1024, 1.0);
    wrong.outcome = Outcome::Wrong;
    let mut modelled = row("02x-m", Some("01-a"), 1024, 1.0);
    (modelled.outcome, modelled.time_source) = (Outcome::Simulated, Some(TimeSource::Model));
    let mut rows = vec![
        row("01-a", None, 1024, 8.0),
        wrong,
        row("03-c", Some("02-b"), 1024, 1.0),
        row("04-d", Some("03-c"), 2048, 1.0),
        row("05-e", Some("absent"), 2048, 1.0),
        modelled,
    ];
    // Left from an earlier run.
    rows[2].timed[0].parent = Some(Ratio { ratio: 99.0, interval: None, verdict: Verdict::Faster });
    relate(&mut rows);
    for row in &rows[1..] {
        assert_eq!((row.parent(), row.times_first), (None, None), "{}", row.step);
    }
}

/// Eight samples in rounds that grow slower by a tenth.
fn sampled(n: u64, seconds: f64, rounds: std::ops::Range<u32>) -> Timed {
    let times = rounds.clone().map(|round| seconds * (1.0 + 0.01 * f64::from(round)));
    let samples =
        Samples { round: rounds.collect(), seconds: times.collect(), ..Samples::default() };
    Timed { samples, ..at(n, seconds) }
}

fn related(parent: Timed, own: Timed, session: u32) -> Ratio {
    let mut rows = vec![row("01-a", None, 64, 1.0), row("02-b", Some("01-a"), 64, 1.0)];
    rows[0].timed = vec![parent];
    (rows[1].timed, rows[1].session) = (vec![own], session);
    relate(&mut rows);
    rows[1].parent().expect("compared").1
}

/// In pairs the drift cancels to the last bit; otherwise it makes the interval long.
#[test]
fn samples_of_the_same_rounds_are_compared_in_pairs() {
    let (parent, own) = (sampled(64, 2.0, 0..8), sampled(64, 1.9, 0..8));
    let in_pairs = related(parent.clone(), own.clone(), 0);
    let interval = in_pairs.interval.expect("enough samples");
    assert!(interval.high - interval.low < 1e-12, "{interval:?}");
    assert!((in_pairs.ratio - 2.0 / 1.9).abs() < 1e-12);
    assert_eq!(in_pairs.verdict, Verdict::Faster);

    let apart = related(parent.clone(), own.clone(), 1);
    let interval = apart.interval.expect("enough samples");
    assert!(interval.low < 1.05 && 1.055 < interval.high, "{interval:?}");
    assert_eq!(apart.verdict, Verdict::Faster);

    // Five rounds in common make no interval in pairs.
    let few = related(parent.clone(), sampled(64, 1.9, 3..11), 0);
    assert!(few.interval.is_some_and(|interval| interval.low < 1.05), "{few:?}");
}

#[test]
fn few_samples_show_only_great_differences() {
    for (seconds, expected) in
        [(1.9, Verdict::NoDifference), (1.5, Verdict::Faster), (2.5, Verdict::Slower)]
    {
        let ratio = related(sampled(64, 2.0, 0..2), sampled(64, seconds, 0..2), 0);
        assert_eq!((ratio.interval, ratio.verdict), (None, expected), "{seconds}");
    }
    // A model's times do not scatter.
    let mut rows = vec![row("01-a", None, 64, 2.0), row("02-b", Some("01-a"), 64, 1.9)];
    for row in &mut rows {
        (row.outcome, row.time_source) = (Outcome::Simulated, Some(TimeSource::Model));
    }
    relate(&mut rows);
    assert_eq!(rows[1].parent().expect("compared").1.verdict, Verdict::Faster);
}

#[test]
fn what_is_written_is_read() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("report.json");
    let report = report();
    report.write(&file).expect("written");
    assert_eq!(Report::read(&file).expect("read"), report);
    assert!(report.write(&folder.path().join("absent/report.json")).is_err());
    let error = Report::read(&folder.path().join("absent.json")).expect_err("no file");
    assert!(error.to_string().contains("absent.json"), "{error}");
}

proptest! {
    /// A spoiled report is refused or still satisfies the checks; it never panics.
    #[test]
    fn no_mutation_panics(changes in prop::collection::vec((any::<usize>(), any::<u8>()), 1..6)) {
        let mut text = report().to_json().into_bytes();
        for (at, byte) in changes {
            let at = at % text.len();
            text[at] = byte;
        }
        if let Ok(report) = Report::from_json(&text, Path::new("r.json")) {
            prop_assert!(report.check().is_ok());
        }
    }
}
