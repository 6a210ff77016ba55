//! Reports that earlier versions of this program wrote.

use std::path::Path;

use ladder::report::{Outcome, Report, SCHEMA};
use ladder::statistics::{Verdict, median};

/// Three rows of a run of schema 1 on an H200 as they were written, a wrong and a skipped one.
const V1: &str = include_str!("../data/report-v1.json");

fn read(text: &str) -> Result<Report, String> {
    Report::from_json(text.as_bytes(), Path::new("old.json")).map_err(|error| error.to_string())
}

#[test]
fn a_report_of_schema_1_becomes_one_of_today() {
    let report = read(V1).expect("an old report");
    assert_eq!(report.schema, SCHEMA);
    assert_eq!((report.date.as_str(), report.seed), ("2026-11-20", 7));
    assert_eq!(report.check(), Ok(()));

    let [first, second, third, wrong, skipped] = report.rows.as_slice() else {
        panic!("{} rows", report.rows.len())
    };
    let sizes = |row: &ladder::report::Row| row.timed.iter().map(|at| at.n).collect::<Vec<_>>();
    assert_eq!(sizes(first), [8192]);
    assert_eq!(sizes(second), [131_072, 8192], "its own size is first");
    assert_eq!(sizes(third), [131_072, 1000]);
    assert_eq!(third.timed[1].time_steps, 1000);
    assert!(sizes(wrong).is_empty() && sizes(skipped).is_empty());

    let main = second.main().expect("what was timed");
    assert_eq!(main.seconds, 0.037952129364013674);
    assert_eq!(median(&main.samples.seconds), Some(main.seconds));
    assert_eq!(main.samples.round.len(), main.samples.seconds.len());
    assert!(main.interval.is_some_and(|i| i.low <= main.seconds && main.seconds <= i.high));
    assert_eq!(main.accuracy.rms, Some(5.213546347916885e-6));
    assert_eq!(second.timed[1].accuracy.rms, None, "it was not written");

    assert_eq!(wrong.outcome, Outcome::Wrong);
    let found = wrong.wrong.expect("what was found");
    assert_eq!((found.n, found.rms, found.tolerance), (257, Some(0.25), 9.5e-7));
    assert_eq!(skipped.reason.as_deref(), Some("its edited source needs NVRTC"));
}

/// Old steps were timed one after another: their samples are no pairs.
#[test]
fn its_rows_are_related_anew_and_not_in_pairs() {
    let report = read(V1).expect("an old report");
    let (n, parent) = report.rows[1].parent().expect("compared");
    assert_eq!(n, 8192);
    assert!((parent.ratio / 7_104.000_492_098_79 - 1.0).abs() < 1e-12);
    assert_eq!((parent.interval, parent.verdict), (None, Verdict::Faster), "one sample each");
    let (n, parent) = report.rows[2].parent().expect("compared");
    assert_eq!(n, 131_072);
    assert!((parent.ratio / 1.127_253_313_138_019 - 1.0).abs() < 0.01, "{parent:?}");
    let mut sessions: Vec<u32> = report.rows.iter().map(|row| row.session).collect();
    sessions.dedup();
    assert_eq!(sessions.len(), report.rows.len());
}

#[test]
fn what_is_read_from_an_old_report_is_written_as_a_new_one() {
    let report = read(V1).expect("an old report");
    assert_eq!(read(&report.to_json()), Ok(report));
}

/// With `--size 1000` a step's own size was also that of its short launches.
#[test]
fn a_size_that_was_timed_twice_is_read_once() {
    let twice = V1.replace("\"n\": 1000,", "\"n\": 131072,");
    let report = read(&twice).expect("an old report");
    assert_eq!(report.rows[2].timed.len(), 1);
    assert_eq!(report.rows[2].timed[0].time_steps, 1);
}

#[test]
fn mistakes_in_old_reports_are_named() {
    for (from, to, said) in [
        ("\"seconds\": 16.5208359375", "\"seconds\": -1", "row 1 (01-one-thread): at n = 8192"),
        ("\"n\": 8192,\n   \"seconds\": 16", "\"n\": null, \"seconds\": 16", "timed is missing"),
        ("\"changes\": \"one", "\"change\": \"one", "missing field `changes`"),
        ("\"schema\": 1", "\"schema\": 0", "this program reads 1 to 2"),
        ("\"also\": [", "\"also\": 7, \"x\": [", "invalid type"),
    ] {
        let text = V1.replacen(from, to, 1);
        assert_ne!(text, V1, "{from} is in the fixture");
        let error = read(&text).expect_err("a mistake");
        assert!(error.contains("old.json") && error.contains(said), "{said}: {error}");
    }
}

#[test]
fn committed_reports_are_read() {
    let reports = ladder::workspace::root().expect("the workspace").join("reports");
    let mut count = 0;
    for folder in std::fs::read_dir(reports).expect("the reports") {
        let file = folder.expect("a folder").path().join("report.json");
        if file.is_file() {
            let report = Report::read(&file).unwrap_or_else(|error| panic!("{error}"));
            assert!(report.rows.iter().any(|row| row.outcome.is_verified()), "{}", file.display());
            count += 1;
        }
    }
    assert!(count >= 3, "{count} reports are committed");
}
