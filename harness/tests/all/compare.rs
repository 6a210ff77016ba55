//! `compare`: two reports against each other, as a user runs it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use report::{Outcome, Report, TimeSource};
use serde_json::Value;
use tabled::grid::util::string::get_text_width;

/// A report with two steps at two sizes, a sweep over blocks, a wrong and a failed row.
const REPORT: &str = include_str!("../../core/report/tests/data/report.json");

/// Its rows of the GPU's ladder.
fn report() -> Report {
    let mut report = Report::from_json(REPORT.as_bytes(), Path::new("r.json")).expect("a report");
    report.rows.retain(|row| row.ladder == "nbody");
    report
}

/// A folder with the reports A and B.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new(a: &Report, b: &Report) -> Folder {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for (name, report) in [("a", a), ("b", b)] {
            fs::create_dir(folder.path().join(name)).expect("a folder");
            report.write(&folder.path().join(name).join("report.json")).expect("written");
        }
        Folder(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Compares A with B at 80 columns.
    fn compare(&self, arguments: &[&str]) -> Output {
        let mut command = crate::program();
        command.env("COLUMNS", "80").env_remove("NO_COLOR").current_dir(self.0.path());
        command.args(["compare", "a", "b"]).args(arguments).output().expect("it runs")
    }

    /// The exit code and what was printed.
    fn said(&self, arguments: &[&str]) -> (i32, String) {
        let output = self.compare(arguments);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(error.is_empty(), "{error}");
        let text = String::from_utf8(output.stdout).expect("text");
        (output.status.code().expect("an exit code"), text)
    }
}

/// Makes all times of a row `factor` times as long, and what belongs to them.
fn slow_down(report: &mut Report, row: usize, factor: f64) {
    for timed in &mut report.rows[row].timed {
        timed.seconds *= factor;
        timed.samples.seconds.iter_mut().for_each(|sample| *sample *= factor);
        timed.interval = None;
    }
    report.rows[row].limits = None;
}

#[test]
fn a_report_does_not_differ_from_itself() {
    let folder = Folder::new(&report(), &report());
    let (code, text) = folder.said(&[]);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("No regression in B: 0 faster, 5 no difference, 0 slower."), "{text}");
    assert!(text.contains("All 5 intervals hold at once with 95%"), "{text}");
    assert!(text.replace('\n', " ").contains("less than 1% does not count"), "{text}");
    assert!(!text.contains("another"), "{text}");
    for line in text.lines() {
        assert!(get_text_width(line) <= 80, "80 columns: {line:?}");
    }
}

#[test]
fn what_is_slower_beyond_the_effect_is_a_regression() {
    let mut slower = report();
    slow_down(&mut slower, 1, 1.05);
    let folder = Folder::new(&report(), &slower);
    let (code, text) = folder.said(&[]);
    assert_eq!(code, 1, "{text}");
    assert!(text.contains("REGRESSION in B: 0 faster, 3 no difference, 2 slower."), "{text}");
    let line = text.lines().find(|line| line.starts_with("05-rsqrt ")).expect("its line");
    assert!(line.contains("0.952") && line.ends_with("slower"), "{line}");

    let (code, text) = folder.said(&["--effect", "10%"]);
    assert_eq!(code, 0, "{text}");
    assert!(text.replace('\n', " ").contains("less than 10% does not count"), "{text}");
    assert!(text.contains("5 no difference"), "{text}");

    // The other way round it is faster.
    let folder = Folder::new(&slower, &report());
    let (code, text) = folder.said(&[]);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("No regression in B: 2 faster, 3 no difference, 0 slower."), "{text}");
}

#[test]
fn a_step_that_was_right_and_is_wrong_is_a_regression() {
    let mut wrong = report();
    wrong.rows[1].outcome = Outcome::Wrong;
    wrong.rows[1].reason = Some("body 7 is off".to_owned());
    wrong.rows[1].timed.clear();
    wrong.rows[1].times_first = None;
    let (code, text) = Folder::new(&report(), &wrong).said(&[]);
    assert_eq!(code, 1, "{text}");
    assert!(text.contains("05-rsqrt: wrong in B: body 7 is off"), "{text}");
    assert!(text.contains("1 step wrong or failed"), "{text}");
    let (code, text) = Folder::new(&wrong, &report()).said(&[]);
    assert_eq!(code, 0, "it was right before: {text}");
    assert!(text.contains("05-rsqrt: wrong in A: body 7 is off"), "{text}");
}

#[test]
fn what_only_one_has_is_told() {
    let mut fewer = report();
    fewer.rows.remove(2);
    fewer.rows[0].timed.remove(1);
    let (code, text) = Folder::new(&report(), &fewer).said(&[]);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("05-rsqrt (128): only in A"), "{text}");
    assert!(text.contains("02-n-threads at n = 4096: only in A"), "{text}");
    let (_, text) = Folder::new(&fewer, &report()).said(&[]);
    assert!(text.contains("05-rsqrt (128): only in B"), "{text}");
    assert!(text.contains("02-n-threads at n = 4096: only in B"), "{text}");
}

#[test]
fn what_else_differs_is_warned_of() {
    let mut other = report();
    other.seed = 8;
    other.machine.cpu = Some("another CPU".to_owned());
    other.options.size = Some(4096);
    other.revision = Some("0123456789ab-dirty".to_owned());
    if let Some(device) = &mut other.device {
        device.name = "NVIDIA B200".to_owned();
        device.driver_version = Some("999.1".to_owned());
    }
    other.rows.iter_mut().for_each(|row| row.code = Some("PTX 7.8".to_owned()));
    let (_, text) = Folder::new(&report(), &other).said(&[]);
    let text = text.replace('\n', " ");
    for warning in [
        "warning: another device: NVIDIA H200 in A, NVIDIA B200 in B",
        "another driver: 580.159.04 in A, 999.1 in B",
        "another processor: Intel(R) Xeon(R) Processor in A, another CPU in B",
        "another seed: 7 in A, 8 in B",
        "another --size: none in A, 4096 in B",
        "another code of 02-n-threads and of 4 other steps: NVRTC 13.0.88 → sm_90 cubin in A, PTX \
         7.8 in B",
        "in B 5 of 40 samples are suspect (the GPU lowered its clocks: power cap), and files differ \
         from the revision it names",
    ] {
        assert!(text.contains(warning), "{warning}: {text}");
    }
}

/// A modelled time is the same every time: it needs no interval, and none is made up.
#[test]
fn modelled_times_are_compared_exactly_and_only_with_each_other() {
    let mut modelled = report();
    for row in modelled.rows.iter_mut().take(3) {
        (row.outcome, row.time_source) = (Outcome::Simulated, Some(TimeSource::Model));
    }
    let (code, text) = Folder::new(&modelled, &modelled).said(&[]);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("5 times are modelled") && text.contains("5 of them are"), "{text}");
    assert!(!text.contains("Bonferroni"), "{text}");

    let mut slower = modelled.clone();
    slow_down(&mut slower, 1, 1.011);
    let (code, text) = Folder::new(&modelled, &slower).said(&[]);
    assert_eq!(code, 1, "{text}");
    assert!(
        text.contains("REGRESSION in B: modelled: 0 above 1× by 1%, 3 within, 2 below."),
        "{text}"
    );
    assert!(!text.contains("slower") && !text.contains("no difference"), "{text}");
    let mut hardly = modelled.clone();
    slow_down(&mut hardly, 1, 1.009);
    let (code, text) = Folder::new(&modelled, &hardly).said(&[]);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("3 of them are"), "{text}");

    let output = Folder::new(&report(), &modelled).compare(&[]);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.contains("timed by the GPU in A, modelled in B"), "{error}");
}

#[test]
fn few_samples_need_a_great_difference() {
    let few = |factor: f64| {
        let mut report = report();
        slow_down(&mut report, 1, factor);
        for timed in &mut report.rows[1].timed {
            timed.samples = Default::default();
        }
        report
    };
    for (factor, code) in [(1.05, 0), (1.2, 1)] {
        let (found, text) = Folder::new(&few(1.0), &few(factor)).said(&[]);
        assert_eq!(found, code, "{text}");
        assert!(text.contains("–: too few samples for an interval; there less than 10%"), "{text}");
    }
}

#[test]
fn data_and_pages_say_the_same() {
    let mut slower = report();
    slow_down(&mut slower, 1, 1.05);
    slower.rows.remove(2);
    let folder = Folder::new(&report(), &slower);

    let (code, text) = folder.said(&["--format", "json"]);
    let json: Value = serde_json::from_str(&text).expect("JSON and nothing else");
    assert_eq!((code, &json["regression"]), (1, &Value::Bool(true)));
    assert_eq!(json["rows"].as_array().map(Vec::len), Some(4));
    assert_eq!(json["rows"][2]["verdict"], "slower");
    assert!(json["rows"][2]["interval"]["high"].as_f64().is_some_and(|high| high < 0.97));
    assert_eq!(json["left"][0]["why"], "only in A");

    let (_, text) = folder.said(&["--format", "csv"]);
    let mut csv = csv::Reader::from_reader(text.as_bytes());
    let lines: Vec<_> = csv.records().map(|line| line.expect("as wide as the head")).collect();
    assert_eq!(lines.len(), 5);
    assert_eq!((&lines[2][1], &lines[2][3], &lines[2][10]), ("05-rsqrt", "131072", "slower"));
    let ratio: f64 = lines[2][7].parse().expect("a number");
    assert_eq!(Some(ratio), json["rows"][2]["ratio"].as_f64());
    assert_eq!((&lines[4][1], &lines[4][2], &lines[4][11]), ("05-rsqrt", "128", "only in A"));

    let (_, text) = folder.said(&["--format", "markdown"]);
    assert!(text.contains("| step | n | A | B | B × A | interval | verdict |"), "{text}");
    let row = text.lines().find(|line| line.starts_with("| 05-rsqrt | 131072")).expect("its line");
    assert!(row.contains("| 0.952 |") && row.ends_with("| slower |"), "{row}");
    assert!(text.contains("- 05-rsqrt (128): only in A"), "{text}");
    assert!(!text.contains('\u{1b}'), "no colours in a file");
}

#[test]
fn colours_are_for_those_who_want_them() {
    let folder = Folder::new(&report(), &report());
    for (variable, coloured) in [("NO_COLOR", false), ("CLICOLOR_FORCE", true)] {
        let mut command = crate::program();
        command.env_remove("NO_COLOR").env(variable, "1").current_dir(folder.0.path());
        let output = command.args(["compare", "a", "b"]).output().expect("it runs");
        assert_eq!(output.stdout.contains(&0x1b), coloured, "{variable}");
    }
}

#[test]
fn mistakes_are_usage() {
    let folder = Folder::new(&report(), &report());
    let refused = |arguments: &[&str], said: &str| {
        let mut command = crate::program();
        command.current_dir(folder.0.path()).arg("compare").args(arguments);
        let output = command.output().expect("it runs");
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
        assert!(error.contains(said) && output.stdout.is_empty(), "{said}: {error}");
    };
    refused(&["a"], "<B>");
    refused(&["a", "nowhere"], "nowhere");
    refused(&["a", "."], "report.json");
    refused(&["a", "b", "--effect", "-1"], "--effect");
    refused(&["a", "b", "--effect", "much"], "0.03");
    fs::write(folder.path("cut.json"), &REPORT[..REPORT.len() / 2]).expect("a file");
    refused(&["a", "cut.json"], "cut.json is not a report");
    fs::write(folder.path("bad.json"), REPORT.replacen("\"n\": 131072", "\"n\": 0", 1))
        .expect("ok");
    refused(&["bad.json", "a"], "row 1 (02-n-threads): at n = 0: n is 0");
    let mut empty = report();
    empty.rows.clear();
    empty.write(&folder.path("empty.json")).expect("written");
    refused(&["empty.json", "empty.json"], "no time in common");
    // A file is as good as its folder.
    let mut command = crate::program();
    command.current_dir(folder.0.path()).args(["compare", "a/report.json", "b"]);
    assert_eq!(command.output().expect("it runs").status.code(), Some(0));
}
