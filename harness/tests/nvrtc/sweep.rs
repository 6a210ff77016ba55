//! Sweeps over blocks and over the values of kernels' parameters, on the simulator. They need NVRTC; what is refused, and
//! what is said where there is none, does not.

use std::fs;
use std::path::Path;

use report::{Outcome, Report, Row};

/// Runs the program into `out`, with JSON on standard output.
fn sweep(out: &Path, arguments: &[&str]) -> std::process::Output {
    let mut command = crate::program();
    command.args(["sweep", "--device", "simt", "--format", "json", "--out"]).arg(out);
    command.args(arguments).output().expect("it runs")
}

/// What a sweep found. A reader's kernel that nothing can compile here is a failure; a step's own is skipped.
fn report(output: &std::process::Output) -> Report {
    let said = String::from_utf8_lossy(&output.stderr);
    let report = Report::from_json(&output.stdout, Path::new("stdout"));
    let report = report.expect("one report and nothing else");
    let uncompiled =
        toolchain::nvrtc::installed().is_empty() && report.options.replacement.is_some();
    assert_eq!(output.status.code(), Some(u8::from(uncompiled).into()), "{said}");
    report
}

/// Each row's variant and its outcome; none where nothing can compile it here.
fn rows(report: &Report) -> Option<Vec<(String, Outcome)>> {
    if toolchain::nvrtc::installed().is_empty() {
        // What runs as it is committed needs no compiler.
        let is_compiled =
            |row: &&Row| !row.code.as_deref().is_some_and(|it| it.contains("committed"));
        for row in report.rows.iter().filter(is_compiled) {
            let reason = row.reason.as_deref().expect("a reason");
            assert_eq!(row.outcome, Outcome::Skipped, "{reason}");
            assert!(reason.contains("pip install"), "{reason}");
        }
        println!("SKIPPED: no NVRTC here; {}", toolchain::nvrtc::INSTALL);
        return None;
    }
    let row = |row: &Row| (row.variant().to_string(), row.outcome);
    Some(report.rows.iter().map(row).collect())
}

/// All combinations, of the reader's own kernel; each is compiled with its values, and drawn.
#[test]
fn a_readers_kernel_is_swept_over_two_parameters() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let root = ladder::workspace::root().expect("the workspace");
    let text = fs::read_to_string(root.join("kernels/nbody/13-lanes.cu")).expect("a kernel");
    let more = "#ifndef STRIDE\n#define STRIDE 1\n#endif\n#define WARP (32 * STRIDE)\n";
    let mine = text.replacen("#define WARP 32\n", more, 1);
    assert_ne!(text, mine);
    let kernel = folder.path().join("mine.cu");
    fs::write(&kernel, mine).expect("a file");
    let kernel = kernel.display().to_string();
    let out = folder.path().join("out");
    let defines = ["--define", "UNROLL=2,1", "--define", "STRIDE=1"];
    let arguments =
        [&["--kernel", &kernel, "--as", "13", "--size", "64,300"], &defines[..]].concat();
    let report = report(&sweep(&out, &arguments));
    let Some(rows) = rows(&report) else { return };
    let expected = ["UNROLL=1, STRIDE=1", "UNROLL=2, STRIDE=1"];
    assert_eq!(rows, expected.map(|variant| (variant.to_owned(), Outcome::Simulated)));
    let code = |row: usize| report.rows[row].code.as_deref().unwrap_or_default().to_owned();
    assert!(code(0).contains("NVRTC"), "{}", code(0));
    for drawn in ["tuning.svg", "report.html"] {
        assert!(out.join(drawn).is_file(), "{drawn}");
    }
    let page = fs::read_to_string(out.join("report.html")).expect("a page");
    assert!(page.contains("UNROLL=2, STRIDE=1") && page.contains("× best"));
    // The simulator counts: what is unrolled has fewer branches.
    let instructions =
        |row: usize| report.rows[row].limits.as_ref().expect("it is counted").instructions;
    assert!(instructions(1) < instructions(0), "{} {}", instructions(0), instructions(1));
}

/// A value that makes a kernel wrong costs its own row: a warp of 64 lanes leaves out every other partner.
#[test]
fn a_value_that_makes_it_wrong_is_found() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let root = ladder::workspace::root().expect("the workspace");
    let text = fs::read_to_string(root.join("kernels/nbody/13-lanes.cu")).expect("a kernel");
    let more = "j += WARP * STRIDE";
    let mine = text.replacen("j += WARP", more, 1);
    let mine = format!("#ifndef STRIDE\n#define STRIDE 1\n#endif\n{mine}");
    let kernel = folder.path().join("mine.cu");
    fs::write(&kernel, mine).expect("a file");
    let kernel = kernel.display().to_string();
    let arguments = ["--kernel", &kernel, "--as", "13", "--size", "300", "--define", "STRIDE=1,2"];
    let output = sweep(&folder.path().join("out"), &arguments);
    if toolchain::nvrtc::installed().is_empty() {
        println!("SKIPPED: no NVRTC here; {}", toolchain::nvrtc::INSTALL);
        return;
    }
    assert_eq!(output.status.code(), Some(1));
    let report = Report::from_json(&output.stdout, Path::new("stdout")).expect("a report");
    let outcomes: Vec<Outcome> = report.rows.iter().map(|row| row.outcome).collect();
    assert_eq!(outcomes, [Outcome::Simulated, Outcome::Wrong]);
}

/// Longer sums are their parent's source with a value of its own, which gives way.
#[test]
fn a_steps_own_value_is_replaced() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let arguments = ["--steps", "longer-sums", "--size", "300", "--define", "FLUSH=1"];
    let report = report(&sweep(folder.path(), &arguments));
    let Some(rows) = rows(&report) else { return };
    assert_eq!(rows, [("FLUSH=1".to_owned(), Outcome::Simulated)]);
}

/// Two bodies a thread, and groups of bodies in a ring: launches and padding follow the block.
#[test]
fn planned_launches_follow_the_block() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let arguments = ["--steps", "12,14", "--size", "300", "--block", "64,256"];
    let report = report(&sweep(folder.path(), &arguments));
    let Some(rows) = rows(&report) else { return };
    let expected = ["64", "256", "64", "256"];
    assert_eq!(rows, expected.map(|block| (block.to_owned(), Outcome::Simulated)));
}

#[test]
fn blocks_that_launches_cannot_follow_say_why() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let arguments = ["--steps", "13x-one-launch,14", "--size", "300", "--block", "16"];
    let report = report(&sweep(folder.path(), &arguments));
    let reasons = report.rows.iter().map(|row| row.reason.as_deref().unwrap_or_default());
    let reasons: Vec<&str> = reasons.collect();
    assert!(reasons[0].contains("of a fixed size"), "{reasons:?}");
    assert!(reasons[1].contains("no multiple of 32"), "{reasons:?}");
}

#[test]
fn what_cannot_be_swept_over_is_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let ptx = ladder::workspace::root().expect("the workspace").join("kernels/nbody/14-pairs.ptx");
    let ptx = ptx.display().to_string();
    let cases: [(&[&str], &[&str]); 9] = [
        (&["--steps", "14", "--define", "FLUSH=1"], &["#ifndef FLUSH", "offers UNROLL", "-tensor"]),
        (&["--steps", "06", "--define", "TIMES=1"], &["06-shared-blocking.cu", "offers nothing"]),
        (&["--steps", "13,06", "--define", "UNROLL=1"], &["06-shared-blocking", "14-pairs"]),
        (&["--steps", "14", "--define", "THREADS=64"], &["--block"]),
        (&["--steps", "14", "--define", "UNROLL=two"], &["whole number", "UNROLL=1,2,4"]),
        (&["--steps", "14", "--define", "UNROLL=1", "--define", "UNROLL=2"], &["given twice"]),
        (&["--steps", "14", "--define", "UNROLL=1", "--code", "committed"], &["compiled"]),
        (&["--kernel", &ptx, "--as", "14", "--define", "UNROLL=1"], &["compiled already", ".cu"]),
        (&["cpu", "--define", "UNROLL=1"], &["--define", "nbody"]),
    ];
    for (arguments, expected) in cases {
        let mut command = crate::program();
        let out = folder.path().join("out");
        let output = command.arg("sweep").args(arguments).arg("--out").arg(&out).output();
        let output = output.expect("it runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        for words in expected {
            assert!(said.contains(words), "{arguments:?}: {words}: {said}");
        }
        assert!(!out.exists(), "{arguments:?}");
    }
}

/// A workspace without the compiler's folder, on a machine without a toolkit.
#[cfg(unix)]
#[test]
fn without_a_compiler_each_row_says_how_to_get_one() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let root = ladder::workspace::root().expect("the workspace");
    fs::write(folder.path().join("Cargo.toml"), "").expect("a file");
    let kernels = folder.path().join("kernels");
    std::os::unix::fs::symlink(root.join("kernels"), kernels).expect("a link");
    let mut command = crate::program();
    command.current_dir(folder.path()).env_remove("CARGO_MANIFEST_DIR");
    command.args(["sweep", "--device", "simt", "--steps", "14", "--define", "UNROLL=1,2"]);
    command.args(["--size", "64", "--format", "json", "--out", "out"]);
    let report = report(&command.output().expect("it runs"));
    assert_eq!(report.rows.len(), 2);
    if report.rows.iter().any(|row| row.outcome.is_verified()) {
        println!("SKIPPED: there is an NVRTC outside of the workspace");
        return;
    }
    for row in &report.rows {
        let reason = row.reason.as_deref().unwrap_or_default();
        assert_eq!(row.outcome, Outcome::Skipped, "{reason}");
        assert!(reason.contains("no NVRTC") && reason.contains("pip install"), "{reason}");
    }
}
