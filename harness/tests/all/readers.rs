//! A reader's kernels in the places of steps that a run can only partly try: they are verified all the same,
//! or the run says what is missing.

use std::fs;
use std::path::Path;
use std::process::Output;

use report::{Outcome, Report, Row};

use super::one_step::kernels;

/// Runs the PTX of a step, with one piece of it replaced, in its own place on the simulator.
fn run(folder: &Path, step: &str, (from, to): (&str, &str), more: &[&str]) -> Output {
    let ptx = fs::read_to_string(kernels().join(format!("{step}.ptx"))).expect("its PTX");
    assert_eq!(ptx.matches(from).count(), 1, "{step}: {from}");
    let file = folder.join("mine.ptx");
    fs::write(&file, ptx.replace(from, to)).expect("written");
    let mut command = crate::program();
    command.args(["run", "nbody", "--device", "simt", "--format", "json", "--seed", "1"]);
    command.args(["--as", step, "--kernel"]).arg(file).arg("--out").arg(folder).args(more);
    command.output().expect("it runs")
}

fn row(output: &Output) -> Row {
    let report = Report::from_json(&output.stdout, Path::new("stdout")).expect("a report");
    report.rows[0].clone()
}

/// What is left of the loop over bodies after its first round is never computed: that shows only where there
/// are more bodies than warps of the grid take at once.
#[test]
fn bodies_are_not_saved_if_the_time_steps_that_moved_them_are_wrong() {
    let folder = tempfile::tempdir().expect("a folder");
    let saved = folder.path().join("o.csv");
    let (end, name) = ("\t@%p86 bra \t$L__BB0_3;", saved.display().to_string());
    let more = ["--gpu", "gtx-750-ti", "--size", "1000", "--time-steps", "2", "--save", &name];
    let output = run(folder.path(), "13x-one-launch", (end, "\t@%p86 bra \t$L__BB0_24;"), &more);
    assert_eq!(output.status.code(), Some(1));
    let row = row(&output);
    let reason = row.reason.expect("a reason");
    assert!(matches!(row.outcome, Outcome::Wrong | Outcome::Failed), "{reason}");
    assert!(!saved.exists(), "{reason}");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("o.csv was not written"), "{told}");
}

const OWN: &str = "ld.const.u32 \t%r18, [end];";

#[test]
fn steps_that_divide_their_work_are_verified_on_several_simulated_gpus() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = run(folder.path(), "19-bodies-divided", (OWN, OWN), &["--size", "300"]);
    let row = row(&output);
    let reason = row.reason.expect("a note");
    assert_eq!((output.status.code(), row.outcome), (Some(0), Outcome::Simulated), "{reason}");
    assert!(reason.contains("on 1, 2 and 3 simulated GPUs"), "{reason}");
}

/// On one GPU all bodies are its own.
#[test]
fn what_is_wrong_only_on_several_gpus_is_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let all = "mov.u32 \t%r18, 0x7fffffff;";
    let output = run(folder.path(), "19-bodies-divided", (OWN, all), &["--size", "300"]);
    let row = row(&output);
    let reason = row.reason.expect("a reason");
    assert_eq!(output.status.code(), Some(1), "{reason}");
    assert!(matches!(row.outcome, Outcome::Wrong | Outcome::Failed), "{reason}");
    assert!(reason.contains("on 2 GPUs:"), "{reason}");
}

/// Blocks above 16 leave out half of the bodies. The simulator runs all blocks of 4096 bodies, 16 of them, and of the
/// launch that is timed the first, the last and two others.
#[test]
fn a_kernel_that_is_wrong_from_block_17_on_is_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let goes_on = "setp.lt.s32 \t%p17, %r47, %r3;";
    let late = ".reg .pred %is_late; .reg .b32 %late; mov.u32 %late, %ctaid.x; \
                setp.gt.u32 %is_late, %late, 16; shr.u32 %late, %r3, 1; \
                selp.b32 %late, %late, %r3, %is_late; setp.lt.s32 %p17, %r47, %late;";
    let wrong = |more: &[&str]| {
        let output = run(folder.path(), "06-shared-blocking", (goes_on, late), more);
        (output.status.code(), row(&output))
    };
    let (code, found) = wrong(&[]);
    let reason = found.reason.expect("a reason");
    assert_eq!((code, found.outcome), (Some(1), Outcome::Wrong), "{reason}");
    for words in ["accelerations by block ", " of 512 at n = 131072", "body "] {
        assert!(reason.contains(words), "{words}: {reason}");
    }
    assert_eq!(wrong(&["--size", "4096"]).1.outcome, Outcome::Simulated, "16 blocks are right");
}

/// With a fence, blocks might wait for what others store.
#[test]
fn blocks_that_may_depend_on_each_other_are_not_verified_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let end = "setp.ge.s32 \t%p20, %r2, %r3;";
    let fenced = format!("membar.gl; {end}");
    let output = run(folder.path(), "06-shared-blocking", (end, &fenced), &[]);
    let row = row(&output);
    let reason = row.reason.expect("a note");
    assert_eq!((output.status.code(), row.outcome), (Some(0), Outcome::Simulated), "{reason}");
    assert!(reason.contains("blocks of `force` depend on each other"), "{reason}");
}
