//! `--sanitize` with a script in the place of compute-sanitizer: it writes a log and runs the kernel on the simulator.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use device::Source;
use harness::sanitize::{TOOLS, Task, Verdict, check};

const CLEAN: &str = "========= COMPUTE-SANITIZER\n========= ERROR SUMMARY: 0 errors";

/// What the script does with the log, and to run the kernel in the program's own process.
const LOG: &str = "tool=$2; while [ \"$1\" != --log-file ]; do shift; done; log=$2; ";
const SERVE: &str = concat!("'", env!("CARGO_BIN_EXE_harness"), "' serve-sanitized; ");

/// A script of this text in a folder.
fn script(folder: &Path, text: &str) -> PathBuf {
    let file = folder.join("compute-sanitizer");
    fs::write(&file, format!("#!/bin/sh\n{text}\n")).expect("written");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).expect("it may be run");
    file
}

/// The verdict with this script on a kernel of the quickest ladder after a change; and what was told.
fn verdict(text: &str, change: (&str, &str)) -> (Verdict, Vec<String>) {
    let folder = tempfile::tempdir().expect("a folder");
    let sanitizer = script(folder.path(), text);
    let ladder = ladders::ladder(crate::QUICK).expect("a ladder");
    let step = ladder.steps()[0];
    let kernels = ladder.kernels().expect("kernels");
    let own = kernels.join(format!("{}.ptx", step.name));
    let file = folder.path().join("mine.ptx");
    let ptx = fs::read_to_string(own).expect("PTX");
    assert!(ptx.contains(change.0), "{change:?}");
    fs::write(&file, ptx.replacen(change.0, change.1, 1)).expect("written");
    let source: Source = step.replaced(&file, &kernels).expect("a kernel");
    let task = Task {
        ladder: crate::QUICK.to_owned(),
        step: step.name.to_owned(),
        file,
        device: "simt".to_owned(),
        code: "auto".to_owned(),
        seed: 1,
    };
    let (mut told, began) = (Vec::new(), Instant::now());
    let mut tell = |doing: Option<&str>| told.extend(doing.map(str::to_owned));
    let is_stopped = &mut || began.elapsed() > Duration::from_secs(20);
    let verdict = check(&sanitizer, (&task, &source), &mut tell, is_stopped);
    (verdict.expect("it runs"), told)
}

#[test]
fn a_clean_kernel_is_run_under_every_tool() {
    let (verdict, told) = verdict(&format!("{LOG}{SERVE}printf '{CLEAN}\\n' >$log"), ("", ""));
    assert_eq!(verdict, Verdict::Clean);
    for tool in TOOLS {
        let of = format!("compute-sanitizer {tool}: verify");
        assert!(told.iter().any(|doing| doing.starts_with(&of)), "{tool}: {told:?}");
    }
}

#[test]
fn the_first_error_of_a_tool_is_the_verdict() {
    let race = concat!(env!("CARGO_MANIFEST_DIR"), "/src/sanitize/logs/racecheck.txt");
    let text = format!(
        "{LOG}{SERVE}printf '{CLEAN}\\n' >$log; [ $tool = racecheck ] && cat '{race}' >$log"
    );
    // With wrong results too it is the tool that says why.
    for change in [("", ""), ("atom.global.add", "atom.global.max")] {
        let (found, told) = verdict(&text, change);
        let Verdict::Wrong(why) = found else { panic!("{found:?}") };
        for words in
            ["error: race: write and read", "kernel `sum`", "mine.cu:41", "--tool racecheck"]
        {
            assert!(why.contains(words), "{words}: {why}");
        }
        assert!(told.iter().all(|doing| !doing.contains("initcheck")), "{told:?}");
    }
}

#[test]
fn wrong_results_are_wrong_where_no_tool_found_why() {
    let text = format!("{LOG}{SERVE}printf '{CLEAN}\\n' >$log");
    let (found, _) = verdict(&text, ("atom.global.add", "atom.global.max"));
    assert!(matches!(&found, Verdict::WrongResults(why) if why.contains("wrong")), "{found:?}");
}

#[test]
fn a_tool_that_does_not_come_to_its_end_is_quoted() {
    let text = format!("{LOG}{SERVE}echo 'no such option' >&2; exit 3");
    let (found, _) = verdict(&text, ("", ""));
    let Verdict::Unknown(why) = found else { panic!("{found:?}") };
    assert!(why.contains("memcheck") && why.contains("no such option"), "{why}");
    assert!(why.contains("exit status: 3"), "{why}");
}

#[test]
fn without_a_gpu_or_a_kernel_it_is_refused() {
    let kernel = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/broken/missing-barrier.ptx");
    for (line, words) in [
        (vec!["run", "--sanitize"], "--kernel"),
        (
            vec!["run", "--device", "simt", "--sanitize", "--as", "06", "--kernel", kernel],
            "an NVIDIA GPU",
        ),
    ] {
        let output = crate::program().args(&line).output().expect("it runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(words), "{line:?}: {said}");
    }
}

#[test]
fn without_compute_sanitizer_it_is_said_how_to_get_it() {
    if toolchain::sanitizer::find().is_ok() {
        println!("SKIPPED: compute-sanitizer is here");
        return;
    }
    let kernel = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/broken/missing-barrier.ptx");
    let mut command = crate::program();
    command.args(["run", "--device", "cuda:0", "--sanitize", "--as", "06", "--kernel", kernel]);
    let output = command.output().expect("it runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{said}");
    for words in ["compute-sanitizer was not found in PATH", toolchain::sanitizer::INSTALL] {
        assert!(said.contains(words), "no {words:?} in {said}");
    }
}

#[test]
fn doctor_lists_it_where_it_is_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = script(
        folder.path(),
        "echo 'NVIDIA (R) Compute Sanitizer'; echo 'Version 2025.3.1.0 (build 1)'",
    );
    let paths =
        format!("{}:{}", folder.path().display(), std::env::var("PATH").unwrap_or_default());
    let output = crate::program().arg("doctor").env("PATH", paths).output().expect("it runs");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.contains(&format!("2025.3.1.0  {}", file.display())), "{said}");
}

/// What no script can stand in for.
#[test]
#[ignore = "needs a GPU and compute-sanitizer"]
fn on_a_gpu_errors_are_found_and_nothing_else() {
    if !device::gpus().is_ok_and(|gpus| gpus > 0) || toolchain::sanitizer::find().is_err() {
        println!(
            "SKIPPED: no GPU here, or no compute-sanitizer; {}",
            toolchain::sanitizer::INSTALL
        );
        return;
    }
    let own = ladders::ladder("nbody").expect("a ladder").kernels().expect("kernels");
    let broken = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/broken");
    for (kernel, code, words) in [
        (broken.join("missing-barrier.cu"), 1, "race: "),
        (broken.join("far-outside.cu"), 1, "out of bounds: global "),
        (own.join("06-shared-blocking.cu"), 0, "no error in memcheck, racecheck"),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let mut command = crate::program();
        command
            .args(["run", "--as", "06", "--sanitize", "--size", "1024", "--kernel"])
            .arg(&kernel);
        let output = command.arg("--out").arg(folder.path()).output().expect("it runs");
        let said = [output.stdout, output.stderr]
            .map(|it| String::from_utf8_lossy(&it).into_owned())
            .concat();
        println!("{said}");
        assert_eq!(output.status.code(), Some(code), "{}: {said}", kernel.display());
        assert!(said.contains(words), "{}: {said}", kernel.display());
    }
}

/// A kernel that hangs is ended when the user asks to, and compute-sanitizer with it.
#[cfg(target_os = "linux")]
#[test]
fn what_is_stopped_leaves_no_process() {
    let folder = tempfile::tempdir().expect("a folder");
    let (started, place) = (folder.path().join("started"), folder.path().display());
    let text = format!("cd '{place}'; sleep 1000 & touch started; wait");
    let sanitizer = script(folder.path(), &text);
    let ladder = ladders::ladder(crate::QUICK).expect("a ladder");
    let step = ladder.steps()[0];
    let source = step.source(&ladder.kernels().expect("kernels")).expect("a kernel");
    let task = Task {
        ladder: crate::QUICK.to_owned(),
        step: step.name.to_owned(),
        file: "mine.ptx".into(),
        device: "simt".to_owned(),
        code: "auto".to_owned(),
        seed: 1,
    };
    let is_stopped = &mut || started.exists();
    let verdict = check(&sanitizer, (&task, &source), &mut |_| {}, is_stopped).expect("it runs");
    assert_eq!(verdict, Verdict::Stopped);
    let began = Instant::now();
    while !crate::children::processes(folder.path()).is_empty() {
        assert!(began.elapsed() < Duration::from_secs(5), "it goes on");
    }
}
