//! Whole runs on the simulator: what is printed, what is written, and what is left when something
//! ends early.

use std::fs;
use std::path::Path;

use ladder::workspace;
use report::{Outcome, Report};

/// Runs the program into `out`, with JSON on standard output.
fn run(out: &Path, ladder: &str, arguments: &[&str]) -> std::process::Output {
    let mut command = crate::program();
    command.args(["run", ladder, "--device", "simt", "--format", "json", "--out"]);
    command.arg(out).args(arguments).output().expect("it runs")
}

fn report(output: &std::process::Output) -> Report {
    Report::from_json(&output.stdout, Path::new("stdout")).expect("one report and nothing else")
}

#[test]
fn json_is_the_report_that_is_written_and_nothing_else() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out = folder.path().join("new/folder");
    let output =
        run(&out, crate::QUICK, &["--steps", &crate::QUICK_STEPS.join(","), "--size", "100"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let printed = report(&output);
    assert_eq!(Report::read(&out.join("report.json")).expect("the file"), printed);
    let steps: Vec<_> = printed.rows.iter().map(|row| (row.step.as_str(), row.outcome)).collect();
    assert_eq!(steps, crate::QUICK_STEPS.map(|step| (step, Outcome::Simulated)));
    for row in &printed.rows {
        let (n, seconds) = (row.n().expect("n"), row.seconds().expect("seconds"));
        let rate = row.rate().expect("a rate");
        let bytes = 4.0 * n as f64;
        assert!((rate * seconds / bytes - 1.0).abs() < 1e-12, "bytes/seconds at n = {n}");
    }
    for drawn in ["ladder.svg", "bounds.svg", "report.html"] {
        assert!(out.join(drawn).is_file(), "{drawn}");
    }
    for file in fs::read_dir(&out).expect("the folder") {
        let name = file.expect("a file").file_name().to_string_lossy().into_owned();
        assert!(!name.starts_with('.') && !name.contains("partial"), "{name} is left");
    }
}

#[test]
fn a_report_names_no_folder_of_the_machine() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let bodies = folder.path().join("few.csv");
    let rows = "mass,x,y,z,vx,vy,vz\n1,0,0,0,0,0,0\n2,1,0,0,0,0,0\n3,0,1,0,0,0,0\n";
    fs::write(&bodies, rows).expect("a file");
    let saved = folder.path().join("moved.csv");
    let files = [bodies.display().to_string(), saved.display().to_string()];
    let arguments =
        ["--steps", "12", "--bodies", &files[0], "--save", &files[1], "--time-steps", "4"];
    let output = run(folder.path(), "nbody", &arguments);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("few.csv") && !text.contains(&folder.path().display().to_string()));
    assert_eq!(report(&output).rows[0].n(), Some(3));
    assert_eq!(fs::read_to_string(saved).expect("the saved bodies").lines().count(), 1 + 3);
}

#[test]
fn a_kernel_that_is_no_ptx_fails_its_own_row() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let kernel = folder.path().join("mine.ptx");
    fs::write(&kernel, "no PTX at all\n").expect("a file");
    let kernel = kernel.display().to_string();
    let arguments = ["--steps", "01,02", "--size", "100", "--kernel", &kernel, "--as", "02"];
    let output = run(folder.path(), crate::QUICK, &arguments);
    assert_eq!(output.status.code(), Some(1));
    let rows = report(&output).rows;
    assert_eq!((rows[0].outcome, rows[1].outcome), (Outcome::Simulated, Outcome::Failed));
    assert!(rows[1].reason.as_deref().is_some_and(|reason| reason.contains("mine.ptx")));
}

#[test]
fn the_table_says_modelled_and_colours_are_for_those_who_want_them() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (variable, coloured) in [("NO_COLOR", false), ("CLICOLOR_FORCE", true)] {
        let mut command = crate::quick_run("01", folder.path());
        command.env_remove("NO_COLOR").env(variable, "1").env("COLUMNS", "80");
        let output = command.output().expect("it runs");
        let text = String::from_utf8(output.stdout).expect("text");
        assert_eq!(text.contains('\u{1b}'), coloured, "{variable}: {text}");
        let text = anstream::adapter::strip_str(&text).to_string();
        assert!(text.contains("MODELLED") && !text.contains("MEASURED"), "{text}");
        assert!(
            text.contains("on a modelled NVIDIA H200") && text.contains("report.html"),
            "{text}"
        );
        assert!(!text.contains("VERIFIED"), "{text}");
    }
}

#[test]
fn a_run_ends_with_its_ladder_and_has_the_rest_for_those_who_ask() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let run = |arguments: &[&str]| {
        let mut command = crate::program();
        command.env("COLUMNS", "80").args(["run", "--device", "simt", "--size", "64", "--steps"]);
        let output = command.args(arguments).arg("--out").arg(folder.path()).output();
        let output = output.expect("it runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        [output.stdout, output.stderr].map(|text| String::from_utf8(text).expect("text"))
    };
    let [screen, said] = run(&["05,two-loops,19"]);
    // The rows as they come have × parent, and no bar of progress gets into a pipe.
    let row = said.lines().find(|line| line.starts_with("05x-two-loops")).expect("its row");
    assert!(row.contains("simulated") && row.contains('×'), "{said}");
    assert!(!said.contains('\r') && !said.contains("19-bodies-divided"), "{said}");
    let ladder: Vec<&str> = screen.lines().filter(|line| line.contains('─')).collect();
    assert_eq!(ladder.len(), 2, "{screen}");
    assert!(ladder[1].starts_with("└ 05x-two-loops") && ladder[1].contains('━'), "{screen}");
    assert_eq!(screen.matches("19-bodies-divided").count(), 1, "{screen}");
    assert!(screen.ends_with("report.html\n"), "{screen}");
    let [details, _] = run(&["05,19", "--details"]);
    for part in ["VERIFIED before timing", "MODELLED for", "wrote report.json", "LIMITS: "] {
        assert!(details.contains(part), "{part}: {details}");
    }
    assert_eq!(details.matches("skipped 19-bodies-divided:").count(), 1, "{details}");
    assert!(details.ends_with("report.html\n"), "{details}");
}

/// Steps that end early, on systems where a test can find and end a process's child.
#[cfg(target_os = "linux")]
/// A reader's kernel may use less, so that it fails.
#[test]
fn a_step_whose_blocks_are_too_large_for_a_gpu_is_skipped_there() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let kernel = workspace::root().expect("a clone").join("kernels/gemm/16-stages.ptx");
    let kernel = kernel.display().to_string();
    let few = ["--steps", "16", "--size", "8", "--gpu", "rtx-3060"];
    let row = |arguments: &[&str]| {
        let output = run(folder.path(), "gemm", arguments);
        report(&output).rows.into_iter().next().expect("a row")
    };
    let skipped = row(&few);
    assert_eq!(skipped.outcome, Outcome::Skipped);
    assert!(skipped.reason.expect("why").contains("147456 bytes of shared memory"));
    let readers = ["--size", "8", "--gpu", "rtx-3060", "--kernel", &kernel, "--as", "16-stages"];
    assert_eq!(row(&readers).outcome, Outcome::Failed);
}

mod ended_early {
    use std::io::{BufRead, BufReader};
    use std::process::{Child, Command, Output, Stdio};

    use super::*;

    /// Starts a run and waits until its first step is under way: step 01 takes seconds.
    /// A kernel that is not done before the interrupt's patience ends.
    const ENDLESS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/broken/endless.ptx");

    fn begin(out: &Path, of: &[&str]) -> Child {
        let mut child = crate::program()
            .args(["run", "--device", "simt", "--format", "json", "--size", "200"])
            .args(of)
            .arg("--out")
            .arg(out)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        let mut line = String::new();
        let errors = child.stderr.as_mut().expect("a pipe");
        BufReader::new(errors).read_line(&mut line).expect("a line");
        assert!(line.contains("simulator"), "{line}");
        child
    }

    fn signal(name: &str, process: &str) {
        let status = Command::new("kill").args([name, process]).status().expect("kill runs");
        assert!(status.success());
    }

    fn end(child: Child) -> (Output, Report) {
        let output = child.wait_with_output().expect("it ends");
        let report = report(&output);
        (output, report)
    }

    #[test]
    fn a_killed_worker_costs_its_own_row() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let child = begin(folder.path(), &["--steps", "01,12"]);
        let children = format!("/proc/{0}/task/{0}/children", child.id());
        let worker = fs::read_to_string(children).expect("the list of children");
        signal("-KILL", worker.trim());
        let (output, report) = end(child);
        assert_eq!(output.status.code(), Some(1));
        assert_eq!(report.rows[0].outcome, Outcome::Failed);
        let reason = report.rows[0].reason.as_deref().expect("a reason");
        assert!(reason.contains("signal: 9"), "{reason}");
        assert_eq!(report.rows[1].outcome, Outcome::Simulated);
    }

    #[test]
    fn an_interrupt_before_the_first_row_leaves_the_last_report_as_it_is() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = folder.path().join("report.json");
        fs::write(&file, "an earlier run's").expect("a file");
        let child = begin(folder.path(), &["--kernel", ENDLESS, "--as", "06"]);
        signal("-INT", &child.id().to_string());
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(130));
        assert!(output.stdout.is_empty());
        assert_eq!(fs::read(&file).expect("the file"), b"an earlier run's");
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }

    #[test]
    fn an_interrupt_leaves_a_whole_report_of_what_was_finished() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut child = begin(folder.path(), &["--steps", "11,12,13x-one-launch"]);
        let errors = BufReader::new(child.stderr.as_mut().expect("a pipe"));
        let row = errors.lines().map_while(Result::ok).find(|line| line.contains("11-float4"));
        assert!(row.is_some(), "no step ended");
        signal("-INT", &child.id().to_string());
        let (output, report) = end(child);
        assert_eq!(output.status.code(), Some(130));
        assert_eq!(report.rows[0].outcome, Outcome::Simulated);
        let last = report.rows.last().expect("rows");
        assert_eq!(last.step, "13x-one-launch");
        assert_eq!((last.outcome, last.reason.as_deref()), (Outcome::Skipped, Some("interrupted")));
        let written = Report::read(&folder.path().join("report.json")).expect("the file");
        assert_eq!(written, report);
    }
}
