use std::path::Path;

use proptest::prelude::*;

use super::*;
use crate::statistics::Verdict;

fn row(step: &str, after: Option<&str>, n: u64, seconds: f64) -> Row {
    let mut row = Row {
        ladder: "toy".to_owned(),
        step: step.to_owned(),
        after: after.map(str::to_owned),
        outcome: Outcome::Measured,
        ..Row::default()
    };
    row.device = Some("a GPU".to_owned());
    row.time_source = Some(TimeSource::Device);
    row.timed = vec![at(n, seconds)];
    row
}

fn accuracy(n: u64) -> Accuracy {
    Accuracy { n, rms: Some(1e-7), worst: None, tolerance: 1e-6 }
}

fn at(n: u64, seconds: f64) -> Timed {
    Timed {
        n,
        work: n as f64,
        seconds,
        interval: None,
        spread: None,
        passes: 1,
        whole: None,
        accuracy: accuracy(n),
        parent: None,
        samples: Samples::default(),
    }
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
    wrong.wrong = Some(accuracy(33));
    wrong.timed.clear();
    let rows = vec![row("01-a", None, 1024, 0.4), second, wrong];
    let mut report = synthetic::report(rows, false);
    report.figures = [("toy".to_owned(), synthetic::figure())].into();
    report
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

/// The names that others read; a change of one is a new schema.
#[test]
fn the_fields_have_the_names_of_the_schema() {
    let json: serde_json::Value = serde_json::from_str(&report().to_json()).expect("JSON");
    let names = |value: &serde_json::Value| {
        let object = value.as_object().expect("an object");
        object.keys().cloned().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(names(&json), "date device figures machine options revision rows schema seed");
    assert_eq!(names(&json["machine"]), "arch cores cpu os");
    assert_eq!(
        names(&json["rows"][2]),
        "after block changes code cpu_limits detour device end_to_end interrupted ladder limits \
         occupancy outcome reason session step threads time_source timed times_first \
         title wrong"
    );
    assert_eq!(json["schema"], 3);
    assert_eq!(json["rows"][1]["outcome"], "measured");
    assert_eq!(json["rows"][1]["time_source"], "device");
    assert!(json["rows"][2]["times_first"].is_null());
    let timed = &json["rows"][1]["timed"];
    assert_eq!(names(&timed[0]), "accuracy interval n parent passes samples seconds spread work");
    assert_eq!(names(&timed[0]["accuracy"]), "n rms tolerance worst");
    assert_eq!(names(&timed[1]["parent"]), "interval ratio verdict");
    assert_eq!(timed[1]["parent"]["verdict"], "faster");
    assert_eq!(
        names(&timed[0]["samples"]),
        "clock_mhz memory_clock_mhz power_w round seconds suspects temperature_c"
    );
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
