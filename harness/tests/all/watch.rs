//! The edit loop, with kernels that need no compiler.

use std::fs;
use std::path::Path;

use report::{Outcome, Report};

use super::one_step::kernels;
use super::watching::Watching;

fn broken(name: &str) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/broken").join(name);
    fs::read_to_string(file).expect(name)
}

#[test]
fn every_save_has_its_verdict_until_ctrl_c() {
    let mut watching = Watching::begin(crate::program(), "mine.ptx", &broken("wrong-sign.ptx"));
    let first = watching.verdict();
    assert!(first.contains("mine.ptx in place of 06-shared-blocking"), "{first}");
    assert!(first.contains("error: wrong accelerations at n = 2"), "{first}");
    let column = |name: &str| {
        let line = first.lines().find(|line| line.contains(&format!("= {name}:"))).expect(name);
        line.find('.').expect("a number")
    };
    assert_eq!(column("got"), column("expected"), "{first}");
    // As editors do that write a new file.
    let new = watching.file().with_extension("new");
    fs::write(&new, broken("missing-barrier.ptx")).expect("written");
    fs::rename(new, watching.file()).expect("renamed");
    let second = watching.verdict();
    assert!(second.contains("error: race:") && second.contains("  --> mine.ptx:"), "{second}");
    assert!(second.contains("st.shared") && second.contains("ld.shared"), "{second}");
    let line = |part: &str| second.lines().filter(|line| line.contains(part)).count();
    assert_eq!((line("::: mine.ptx:"), line("= help:")), (1, 1), "{second}");
    watching.save(&fs::read_to_string(kernels().join("06-shared-blocking.ptx")).expect("PTX"));
    let third = watching.verdict();
    assert!(third.contains("correct at every size, no hazards"), "{third}");
    assert!(third.contains("against 06-shared-blocking (modelled for"), "{third}");
    assert!(third.contains("no event changed"), "{third}");
    assert_eq!(watching.interrupt(), Some(0));
}

#[test]
#[ignore = "runs in CI: it loops for a second on all cores"]
fn a_loop_without_an_end_is_stopped_where_it_goes_round() {
    let text = broken("endless.ptx");
    let mut watching =
        Watching::with(crate::program(), "mine.ptx", &text, &["--launch-limit", "1"]);
    let verdict = watching.verdict();
    for words in ["finished within 1 s", "never leaves this loop", "endless.cu:2", "--launch-limit"]
    {
        assert!(verdict.contains(words), "{words}: {verdict}");
    }
}

/// Runs a kernel in the place of step 06, with committed code alone: its exit code and its row.
fn run(text: &str) -> (Option<i32>, report::Row) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("mine.cu");
    fs::write(&file, text).expect("written");
    let mut command = crate::program();
    command.args(["run", "--device", "simt", "--code", "committed", "--format", "json"]);
    command.args(["--as", "06", "--size", "512", "--kernel"]).arg(&file);
    let output = command.arg("--out").arg(folder.path()).output().expect("it runs");
    let report = Report::from_json(&output.stdout, Path::new("stdout")).expect("a report");
    (output.status.code(), report.rows[0].clone())
}

#[test]
fn an_unchanged_copy_needs_no_compiler_and_a_kernel_that_did_not_run_is_an_error() {
    let own = fs::read_to_string(kernels().join("06-shared-blocking.cu")).expect("a kernel");
    let (code, row) = run(&own.replace('\n', "\r\n"));
    assert_eq!((code, row.outcome), (Some(0), Outcome::Simulated), "{:?}", row.reason);
    assert!(row.code.as_ref().is_some_and(|code| code.starts_with("committed PTX")));
    assert_eq!(report::words::subject(&row), "mine.cu in place of 06");
    let (code, row) = run(&own.replace("j2 < bound", "j2 <= bound"));
    assert_eq!((code, row.outcome), (Some(1), Outcome::Skipped), "{:?}", row.reason);
}
