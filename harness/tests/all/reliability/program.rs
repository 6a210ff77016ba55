//! The program, as the tests start it, and what it leaves behind.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use report::{Outcome, Report, Row};

/// The finished run.
pub const REPORT: &str = "report.json";

/// What is finished of a run that something ended.
pub const PARTIAL: &str = "report.partial.json";

/// What a run may leave in its folder beside pictures. A temporary file is not among it.
const LEFT: [&str; 4] = [REPORT, PARTIAL, "report.html", ".lock"];

pub(super) use crate::{QUICK_STEPS as STEPS, quick_run as run};

/// Standard error as text, in which nobody panicked.
pub fn errors(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!text.contains("panicked"), "{text}");
    text
}

/// The report that a run printed with `--format json`.
pub fn printed(output: &Output) -> Report {
    Report::from_json(&output.stdout, Path::new("stdout")).expect("one report and nothing else")
}

/// The report of a folder, which holds no temporary files.
pub fn written(out: &Path) -> Report {
    check_left(out);
    Report::read(&out.join(REPORT)).expect("a whole report")
}

/// The names in a folder are those that a run may leave.
pub fn check_left(out: &Path) {
    for entry in fs::read_dir(out).expect("the folder") {
        let name = entry.expect("an entry").file_name().to_string_lossy().into_owned();
        let is_picture = name.ends_with(".svg");
        let is_known = LEFT.contains(&name.as_str()) || is_picture && !name.starts_with('.');
        assert!(is_known, "{name} was left");
    }
}

/// Steps and outcomes of rows.
pub fn outcomes(rows: &[Row]) -> Vec<(&str, Outcome)> {
    rows.iter().map(|row| (row.step.as_str(), row.outcome)).collect()
}

/// The steps that standard error tells of as simulated.
pub fn told(errors: &str) -> Vec<String> {
    let finished = |line: &str| {
        let mut words = line.split_whitespace();
        let step = words.next()?;
        (words.next() == Some("simulated")).then(|| step.to_owned())
    };
    errors.lines().filter_map(finished).collect()
}

/// A kernel that must not pass.
pub fn broken(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/broken").join(name)
}
