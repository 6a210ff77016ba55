//! Mutants of a step are killed or are known to compute the same; what is not known has survived.

use std::fs;
use std::path::Path;
use std::process::Output;

use report::mutation::Mutation;

/// Runs a few mutants of step 06 from a folder; the report.
fn mutate(folder: &Path, out: &Path) -> (Output, Mutation) {
    let file = out.join("mutation/nbody.json");
    let output = crate::program()
        .current_dir(folder)
        .args(["mutate", "nbody", "06", "--sample", "20", "--seed", "1", "--save"])
        .arg(&file)
        .output()
        .expect("it runs");
    let report = Mutation::read(&file)
        .unwrap_or_else(|error| panic!("{error}\n{}", String::from_utf8_lossy(&output.stderr)));
    (output, report)
}

#[test]
fn mutants_are_killed_or_known_to_compute_the_same() {
    let out = tempfile::tempdir().expect("a temporary folder");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let (output, report) = mutate(&root, out.path());
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{text}");
    let [row] = report.rows.as_slice() else { panic!("one step ran: {:?}", report.rows) };
    assert_eq!((row.mutants, row.survived), (20, 0), "{text}");
    assert_eq!(row.killed.all() + row.equivalent, 20);
    assert!(row.killed.results > 0 && row.killed.hazard > 0 && row.killed.fault > 0, "{row:?}");
    assert!(row.equivalent > 0, "the next test needs one");
    assert!(text.contains("0 survived"), "{text}");
}

/// The same where nobody has said that any computes the same.
#[test]
fn what_is_not_known_has_survived() {
    let out = tempfile::tempdir().expect("a temporary folder");
    let kernels = out.path().join("kernels/nbody");
    fs::create_dir_all(&kernels).expect("a folder");
    fs::write(out.path().join("Cargo.toml"), "").expect("a file");
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../kernels/nbody");
    for file in ["06-shared-blocking.cu", "06-shared-blocking.ptx"] {
        fs::copy(own.join(file), kernels.join(file)).expect("a copy");
    }
    let (output, report) = mutate(out.path(), out.path());
    assert_eq!(output.status.code(), Some(1));
    let row = &report.rows[0];
    assert!(row.equivalent == 0 && row.survived > 0, "{row:?}");
    let survivor = &report.survivors[0];
    assert!(survivor.executed.is_some() && survivor.differs.is_some(), "{survivor:?}");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains(&survivor.mutant.original), "{text}");
}

#[test]
fn what_is_not_there_is_named() {
    let refused = |arguments: &[&str], part: &str| {
        let output = crate::program().arg("mutate").args(arguments).output().expect("it runs");
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(text.contains(part), "{text}");
    };
    refused(&["nbody", "06", "--kinds", "typo"], "barrier, round");
    refused(&["nbody", "99"], "06-shared-blocking");
    refused(&["cpu"], "run on the CPU");
    refused(&["nbody", "06", "--gpu", "abacus"], "abacus");
}
