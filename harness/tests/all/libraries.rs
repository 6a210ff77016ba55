//! A library's function where it is not found.

use std::path::Path;

use report::{Outcome, Report};

use super::program;

#[test]
fn what_is_not_found_is_a_row_that_says_so_and_no_error() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let run = "run append --device simt --size 100 --steps 01,cub --format json --out";
    let output = program().args(run.split(' ')).arg(folder.path()).output().expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let report = Report::from_json(&output.stdout, Path::new("stdout")).expect("a report");
    let [row] = report.rows.as_slice() else { panic!("{:?}", report.rows) };
    let [library] = report.libraries.as_slice() else { panic!("{:?}", report.libraries) };
    assert_eq!((row.step.as_str(), row.outcome), ("01-global-atomic", Outcome::Simulated));
    assert_eq!((row.library.as_deref(), row.times_library), (Some("cub"), None));
    assert_eq!((library.step.as_str(), library.outcome), ("cub", Outcome::Skipped));
    let reason = library.reason.as_deref().unwrap_or_default();
    assert!(reason.starts_with("CUB: not found"), "{reason}");
}

#[test]
fn doctor_says_what_libraries_would_add() {
    let output = program().arg("doctor").output().expect("it runs");
    let text = String::from_utf8(output.stdout).expect("text");
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for words in [
        "cuBLAS, which products of matrices are compared with",
        "cuDNN, which attention is compared with",
        "nvcc, which compiles",
    ] {
        assert!(text.contains(words), "{text}");
    }
}
