//! Runs for which no folder is named: each has its own, `latest` and `previous` find them, and a run of some steps says
//! what it changed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use report::runs::{Run, list};
use report::scaling::Scaling;
use report::{Outcome, Report};

/// A folder that the program takes for a clone: with the kernels of one ladder, and room for reports.
struct Clone(tempfile::TempDir);

impl Clone {
    fn new() -> Clone {
        let folder = tempfile::tempdir().expect("a temporary folder");
        fs::write(folder.path().join("Cargo.toml"), "").expect("a file");
        let root = ladder::workspace::root().expect("the workspace");
        for ladder in [crate::QUICK, "nbody", "cpu"] {
            let (from, to) =
                (root.join("kernels").join(ladder), folder.path().join("kernels").join(ladder));
            fs::create_dir_all(&to).expect("a folder");
            for file in fs::read_dir(from).expect("kernels").flatten() {
                fs::copy(file.path(), to.join(file.file_name())).expect("copied");
            }
        }
        Clone(folder)
    }

    fn harness(&self, arguments: &str) -> Output {
        let mut command = crate::program();
        command.current_dir(self.0.path()).env("COLUMNS", "100");
        command.args(arguments.split(' ')).output().expect("it runs")
    }

    /// What a command prints that must end well.
    fn said(&self, arguments: &str) -> String {
        let output = self.harness(arguments);
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{arguments}: {error}");
        String::from_utf8(output.stdout).expect("text")
    }

    /// A run on the simulator that takes a moment.
    fn run(&self, steps: &str) -> String {
        self.said(&format!("run reduction --device simt --size 64 --steps {steps}"))
    }

    fn place(&self, ladder: &str) -> PathBuf {
        self.0.path().join("reports/local").join(ladder)
    }

    /// The runs of that ladder, the latest first.
    fn runs(&self) -> Vec<Run> {
        list(&self.place(crate::QUICK))
    }
}

fn steps(run: &Run) -> Vec<String> {
    let report = Report::read(&run.report()).expect("a report");
    report.rows.into_iter().map(|row| row.step).collect()
}

#[test]
fn a_run_replaces_no_other_and_says_what_changed() {
    let clone = Clone::new();
    assert!(!clone.run("01,02").contains("Since"), "there is no run before it");
    let before = clone.runs().remove(0);
    let whole = fs::read(before.report()).expect("a report");
    let text = clone.run("02");
    let runs = clone.runs();
    let found: Vec<&str> = runs.iter().map(|run| run.what.as_str()).collect();
    assert_eq!(found, ["02", "01-02"]);
    assert_eq!(steps(&runs[0]), ["02-interleaved"]);
    assert_eq!(fs::read(before.report()).expect("a report"), whole);
    // The simulator's time of the same code is the same.
    let changes = text.split("Since").nth(1).expect("what changed");
    assert!(changes.contains(&format!("{}-01-02", before.time)), "{text}");
    let line = changes.lines().find(|line| line.starts_with("02-interleaved")).expect("a line");
    assert!(line.contains("1.000") && line.trim_end().ends_with("modelled"), "{text}");
    assert!(!changes.contains("01-atomic"), "{text}");
    // There is no run of 03 or at another size to compare with.
    assert!(!clone.run("02,03").contains("Since"));
    let text = clone.said("run reduction --device simt --size 100 --steps 02");
    assert!(!text.contains("Since"), "{text}");
    let latest =
        fs::read_to_string(clone.place(crate::QUICK).join("latest.html")).expect("the way");
    let latest = latest.split('"').find_map(|it| it.strip_suffix("/report.html")).expect("a page");
    let latest = latest.trim_start_matches("0; url=");
    assert_eq!(Some(latest), clone.runs()[0].path.file_name().and_then(|name| name.to_str()));
    assert!(clone.place(crate::QUICK).join(latest).join("report.html").is_file());
}

#[test]
fn latest_and_previous_are_runs() {
    let clone = Clone::new();
    let none = clone.harness("report");
    assert_eq!(none.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&none.stderr).contains("harness run"));
    clone.run("01,02");
    let alone = clone.harness("compare previous latest");
    assert_eq!(alone.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&alone.stderr).contains("no run before"));
    clone.run("03");
    clone.run("02");
    let runs = clone.runs();
    let of = |name: &str| {
        let text = clone.said(&format!("report {name} --format json"));
        Report::from_json(text.as_bytes(), Path::new("stdout")).expect("a report")
    };
    let written = |run: &Run| Report::read(&run.report()).expect("a report");
    assert_eq!(of("latest"), written(&runs[0]));
    // The run of 03 has no step of the latest.
    assert_eq!(of("previous"), written(&runs[2]));
    assert_eq!(of("reduction/latest"), written(&runs[0]));
    let text = clone.said("compare previous latest");
    assert!(text.contains("1 within") && text.contains(&runs[2].time), "{text}");
    // A folder of this name is named as a path.
    assert_eq!(clone.harness("report ./latest").status.code(), Some(2));
    let page = runs[0].path.join("report.html");
    fs::remove_file(&page).expect("it was there");
    clone.said("report latest");
    assert!(page.is_file());
}

#[test]
fn the_twenty_first_run_removes_the_oldest() {
    let clone = Clone::new();
    clone.run("01");
    let first = clone.runs().remove(0);
    for day in 1..=20 {
        let older = clone.place(crate::QUICK).join(format!("2020-01-{day:02}-000000-01"));
        fs::create_dir(&older).expect("a folder");
        for file in fs::read_dir(&first.path).expect("a folder").flatten() {
            fs::copy(file.path(), older.join(file.file_name())).expect("copied");
        }
    }
    clone.run("02");
    let runs = clone.runs();
    assert_eq!(runs.len(), 20);
    assert_eq!((runs[0].what.as_str(), &runs[1]), ("02", &first));
    assert_eq!(runs[19].time, "2020-01-03-000000");
}

#[test]
fn two_runs_at_once_keep_both_and_an_interrupted_one_goes_on() {
    let clone = Clone::new();
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| clone.run("01"));
        }
    });
    assert_eq!(clone.runs().len(), 2);

    // As a run leaves it that is killed after its first step.
    clone.run("01,02");
    let run = clone.runs().remove(0);
    let mut report = Report::read(&run.report()).expect("a report");
    report.rows.truncate(1);
    fs::remove_file(run.report()).expect("it was there");
    report.write(&run.path.join("report.partial.json")).expect("written");
    clone.run("03");
    clone.said("run reduction --device simt --size 64 --steps 01,02 --resume");
    assert_eq!(clone.runs().len(), 4);
    let resumed = Report::read(&run.report()).expect("a report");
    assert_eq!(resumed.rows[0], report.rows[0]);
    assert_eq!(resumed.rows[1].outcome, Outcome::Simulated);
    assert!(!run.path.join("report.partial.json").exists());
    let other = clone.harness("run reduction --device simt --size 65 --steps 01,02 --resume");
    assert_eq!(other.status.code(), Some(1));
    let error = String::from_utf8_lossy(&other.stderr);
    assert!(error.contains("had these options") && error.contains("--resume"), "{error}");
    assert_eq!(clone.runs().len(), 4, "a refused run leaves nothing");
}

#[test]
#[ignore = "runs in CI as a job of its own: runs of several processes"]
fn runs_on_several_gpus_are_kept_too() {
    let clone = Clone::new();
    let scale = "scale --device simt --gpus 1 --steps bodies-divided --size 300 --weak 256";
    for _ in 0..2 {
        clone.said(scale);
    }
    let runs = list(&clone.place("gpus"));
    assert_eq!(runs.len(), 2);
    for run in &runs {
        assert_eq!(run.what, "nbody");
        assert!(!Scaling::read(&run.path).expect("a report").rows.is_empty());
    }
    let resumed = clone.harness(&format!("{scale} --resume"));
    let error = String::from_utf8_lossy(&resumed.stderr);
    assert!(error.contains("no run with these options was interrupted"), "{error}");
}

#[test]
#[ignore = "runs in CI: a whole run of the CPU ladder"]
fn a_gpu_and_a_cpu_find_each_others_latest_full_run() {
    let clone = Clone::new();
    let gpu = clone.place("nbody").join("2026-01-01-000000-all");
    fs::create_dir_all(&gpu).expect("a folder");
    let committed =
        ladder::workspace::root().expect("the workspace").join("reports/h200/report.json");
    fs::copy(committed, gpu.join("report.json")).expect("copied");
    let page = || fs::read_to_string(gpu.join("report.html")).expect("a page");
    clone.said("run cpu --size 64 --threads 1");
    let cpu = list(&clone.place("cpu")).remove(0);
    let link = format!("../../cpu/{}-all/report.json", cpu.time);
    assert!(page().contains(&link));
    // A part of the CPU's ladder is an opponent for nobody.
    clone.said("run cpu --size 64 --threads 1 --steps 02");
    assert_eq!(list(&clone.place("cpu")).len(), 2);
    assert!(page().contains(&link));
}
