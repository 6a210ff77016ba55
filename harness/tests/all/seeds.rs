//! The seed of a run: another in each, printed, recorded, and enough to repeat what was drawn.

use std::path::Path;
use std::process::Output;

use report::{Outcome, Report};

fn run(out: &Path, more: &[&str]) -> Output {
    crate::quick_run("01", out).arg("--details").args(more).output().expect("it runs")
}

#[test]
fn each_run_draws_another_seed_and_one_can_be_given() {
    let folder = tempfile::tempdir().expect("a folder");
    let seed = |more: &[&str]| {
        let output = run(folder.path(), more);
        let text = String::from_utf8_lossy(&output.stdout).replace('\n', " ");
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        let report = Report::read(&folder.path().join("report.json")).expect("a report");
        let seed = report.options.seed;
        assert!(text.contains(&format!("--seed {seed} repeats it")), "{text}");
        assert_eq!((report.seed, report.rows[0].outcome), (7, Outcome::Simulated));
        seed
    };
    let (one, other) = (seed(&[]), seed(&[]));
    assert!(one > 0 && one != other, "{one} {other}");
    assert_eq!(seed(&["--seed", "41"]), 41);
    let output = run(folder.path(), &["--seed", "many"]);
    assert_eq!(output.status.code(), Some(2));
}
