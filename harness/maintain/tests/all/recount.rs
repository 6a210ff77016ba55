//! `recount`: limits are counted again where the kernels are those that were timed, and times stay.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use ladder::workspace;
use report::{Report, Row};

/// A ladder that is counted in a second.
const LADDER: &str = "divergence";

fn recount(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = crate::program();
    command.arg("recount").arg(folder).args(arguments).output().expect("it runs")
}

/// The committed report in a folder of its own, with wrong limits; its text.
fn copy(folder: &Path) -> String {
    let root = workspace::root().expect("the workspace");
    let committed = root.join("reports/h200").join(LADDER).join("report.json");
    let mut report = Report::read(&committed).expect("a report");
    (report.recounted, report.revision) = (None, Some("no-revision".to_owned()));
    for limits in report.rows.iter_mut().filter_map(|row| row.limits.as_mut()) {
        limits.bounds.iter_mut().for_each(|bound| bound.seconds *= 2.0);
    }
    report.write(&folder.join("report.json")).expect("written");
    report.to_json()
}

/// Whether git knows the kernels as they are here.
fn has_kernels() -> bool {
    let mut git = Command::new("git");
    git.args(["-c", "safe.directory=*", "-C"]).arg(workspace::root().expect("the workspace"));
    let folder = format!("kernels/{LADDER}");
    git.args(["diff", "--quiet", "HEAD", "--", &folder]).status().is_ok_and(|it| it.success())
}

#[test]
fn limits_are_counted_anew_and_times_stay() {
    if !has_kernels() {
        println!("SKIPPED: git does not know the kernels as they are");
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let old =
        Report::from_json(copy(folder.path()).as_bytes(), Path::new("old")).expect("a report");
    let output = recount(folder.path(), &["--kernels-of", "HEAD"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let new = Report::read(&folder.path().join("report.json")).expect("a report");
    let recounted = new.recounted.as_ref().expect("it says so");
    assert_eq!((recounted.kernels_of.as_str(), recounted.date.len()), ("HEAD", 10));
    assert_eq!((&new.date, &new.revision), (&old.date, &old.revision), "those of the run");
    for (new, old) in new.rows.iter().zip(&old.rows) {
        let without = |row: &Row| Row { limits: None, occupancy: None, ..row.clone() };
        assert_eq!(without(new), without(old));
        assert_eq!(new.occupancy, old.occupancy, "the same code on the same GPU");
        let (new, old) =
            (new.limits.as_ref().expect("limits"), old.limits.as_ref().expect("limits"));
        assert!(new.bounds[0].seconds < 0.75 * old.bounds[0].seconds, "not the doubled ones");
        assert_eq!(new.clock_mhz, old.clock_mhz, "the clock that was seen");
    }
    let page = fs::read_to_string(folder.path().join("report.html")).expect("the page");
    assert!(page.contains("Limits counted anew") && page.contains(&recounted.date));
}

#[test]
fn a_report_of_other_kernels_is_left_as_it_is() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let text = copy(folder.path());
    let file = folder.path().join("report.json");
    let refused = |arguments: &[&str], part: &str| {
        let output = recount(folder.path(), arguments);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(part), "{part} in {said}");
    };
    refused(&[], "no revision no-revision");
    refused(&["--kernels-of=--help-me"], "no revision --help-me");
    if has_kernels() {
        // A step that has another kernel than the one that was timed: its name is that of another ladder.
        let mut other = Report::read(&file).expect("a report");
        other.options.ladder = "sparse".to_owned();
        other.write(&file).expect("written");
        refused(&["--kernels-of", "HEAD"], "01-lanes");
        let empty = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"; // git's tree without files
        fs::write(&file, &text).expect("written");
        refused(&["--kernels-of", empty], "is not what it was at revision");
    } else {
        println!("SKIPPED in part: git does not know the kernels as they are");
    }
    fs::write(&file, text.replace("no-revision", "7b5e3a3f-dirty")).expect("written");
    refused(&[], "files differed");
    assert_eq!(fs::read_to_string(&file).expect("the report").len(), text.len() + 3);
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1, "nothing was drawn");
}
