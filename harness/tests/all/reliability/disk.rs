//! Disks that are full and folders that cannot be written to.

use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use report::Outcome;

use super::program::{
    PARTIAL, REPORT, STEPS, check_left, errors, outcomes, printed, run, told, written,
};

/// Runs a step where no file can grow beyond 512 bytes (1024 in some shells), as on a disk that is full.
fn on_a_full_disk(out: &Path) -> Output {
    Command::new("sh")
        .args(["-c", "trap '' XFSZ; ulimit -f 1; exec \"$0\" \"$@\""])
        .arg(env!("CARGO_BIN_EXE_harness"))
        .args(run("01", out).get_args())
        .args(["--format", "json"])
        .output()
        .expect("it runs")
}

#[test]
fn a_full_disk_costs_neither_the_result_nor_the_last_report() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let first = run("02", folder.path()).output().expect("it runs");
    assert_eq!(first.status.code(), Some(0), "{}", errors(&first));
    let before = fs::read(folder.path().join(REPORT)).expect("a report");

    let output = on_a_full_disk(folder.path());
    assert_eq!(output.status.code(), Some(1));
    let said = errors(&output);
    assert!(said.contains(REPORT) && said.contains("room"), "{said}");
    assert_eq!(outcomes(&printed(&output).rows), [(STEPS[0], Outcome::Simulated)]);
    assert_eq!(fs::read(folder.path().join(REPORT)).expect("it is still there"), before);
    check_left(folder.path());
}

#[test]
fn a_full_disk_and_no_report_before_leave_no_broken_file() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let output = on_a_full_disk(folder.path());
    assert_eq!(output.status.code(), Some(1), "{}", errors(&output));
    assert!(!folder.path().join(REPORT).exists() && !folder.path().join(PARTIAL).exists());
    check_left(folder.path());
}

#[test]
#[cfg(target_os = "linux")]
fn an_output_that_is_full_costs_nothing_that_was_found_out() {
    let full = || Stdio::from(File::options().write(true).open("/dev/full").expect("/dev/full"));
    for format in ["table", "json"] {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut command = run("01", folder.path());
        let output = command.args(["--format", format]).stdout(full()).output().expect("it runs");
        assert_eq!(output.status.code(), Some(1), "{}", errors(&output));
        assert!(errors(&output).contains("standard output"), "{}", errors(&output));
        assert_eq!(outcomes(&written(folder.path()).rows), [(STEPS[0], Outcome::Simulated)]);
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let output = run("01", folder.path()).stderr(full()).output().expect("it runs");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(outcomes(&written(folder.path()).rows), [(STEPS[0], Outcome::Simulated)]);
}

#[test]
fn a_reader_who_leaves_costs_nothing() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut child = run("01", folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0), "{}", errors(&output));
    assert_eq!(outcomes(&written(folder.path()).rows), [(STEPS[0], Outcome::Simulated)]);
}

/// A run into `out` is refused before a step is run.
fn is_refused(out: &Path) {
    let output = run("01", out).output().expect("it runs");
    let said = errors(&output);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains(&out.display().to_string()) && said.contains("--out"), "{said}");
    assert!(told(&said).is_empty() && output.stdout.is_empty(), "{said}");
}

#[test]
fn a_folder_that_cannot_be_made_is_found_out_before_the_run() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("file");
    fs::write(&file, "no folder").expect("a file");
    is_refused(&file);
    is_refused(&file.join("below"));
    assert_eq!(fs::read(&file).expect("the file"), b"no folder");
}

#[test]
fn a_folder_that_cannot_be_written_to_is_found_out_before_the_run() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o555)).expect("its owner may");
    if File::create(folder.path().join("file")).is_ok() {
        println!("SKIPPED: this user (root) may write anywhere");
        return;
    }
    is_refused(folder.path());
    is_refused(&folder.path().join("below"));
}
