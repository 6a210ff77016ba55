//! Processes end with the program that started them, whatever ends it. They run a reader's loop without an end, which
//! nothing else would end soon.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// An exercise that is a program on this machine's processor, and an answer that never ends.
const EXERCISE: &str = "63-cpu-layout";
const ENDLESS: &str = "pub fn place(_: usize, _: usize, _: usize) -> usize {\n    loop {\n        std::hint::spin_loop()\n    }\n}\n";

/// Longer than any process needs to end, and shorter than the program is given otherwise.
const SOON: Duration = Duration::from_secs(5);

/// A kernel that is right.
const SOLUTION: &str = include_str!("../../../steps/exercises/44-ptx-guard/solution.ptx");

/// Processes whose program is below a folder, or that work there.
pub fn processes(folder: &Path) -> Vec<PathBuf> {
    let all = fs::read_dir("/proc").expect("processes").flatten().map(|entry| entry.path());
    let is_below = |process: &PathBuf| {
        let links = ["exe", "cwd"].map(|link| fs::read_link(process.join(link)));
        links.iter().flatten().any(|place| place.starts_with(folder))
    };
    all.filter(is_below).collect()
}

/// Starts a command and waits until a process of the reader's code runs, which spins if it lives for a while. None where it
/// cannot be compiled.
pub fn start(mut command: Command, folder: &Path) -> Option<Child> {
    let mut child = command
        .env("TMPDIR", folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    loop {
        let before = processes(folder);
        thread::sleep(Duration::from_millis(300));
        if processes(folder).iter().any(|process| before.contains(process)) {
            return Some(child);
        }
        if let Some(status) = child.try_wait().expect("it can be asked") {
            println!("SKIPPED: the reader's program does not run here ({status})");
            return None;
        }
    }
}

/// Whether this process, and so what it starts, ignores SIGINT.
pub fn ignores_interrupts() -> bool {
    let status = fs::read_to_string("/proc/self/status").expect("its own state");
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).expect("signals");
    u64::from_str_radix(ignored.trim(), 16).expect("a bit each") & 1 << (2 - 1) != 0
}

/// That a signal ends the program, with this exit code, and soon all that it started.
pub fn ends_all(mut program: Child, signal: &str, code: Option<i32>, folder: &Path) {
    let kill = Command::new("kill").args([signal, &program.id().to_string()]).status();
    assert!(kill.expect("kill runs").success());
    let began = Instant::now();
    assert_eq!(program.wait().expect("it ends").code(), code);
    while !processes(folder).is_empty() {
        assert!(began.elapsed() < SOON, "{:?} go on after {signal}", processes(folder));
        thread::sleep(Duration::from_millis(20));
    }
    assert!(began.elapsed() < SOON, "it ended late");
}

fn learn(folder: &Path) -> Command {
    let answers = folder.join("answers");
    fs::create_dir_all(&answers).expect("a folder");
    fs::write(answers.join(format!("{EXERCISE}.rs")), ENDLESS).expect("written");
    let mut command = crate::program();
    command.arg("learn").arg("--dir").arg(answers).args(["check", EXERCISE]);
    command
}

fn grade(folder: &Path) -> Command {
    let class = folder.join("class");
    fs::create_dir_all(class.join("ada")).expect("a folder");
    let endless = SOLUTION.replace("    ret;", "    add.u32 %r4, %r4, 1;\n    bra DONE;");
    fs::write(class.join("ada/44-ptx-guard.ptx"), endless).expect("written");
    let mut command = crate::program();
    command.arg("grade").arg(class).args(["--exercise", "44"]);
    command
}

#[test]
fn what_a_killed_check_started_ends() {
    let folder = tempfile::tempdir().expect("a folder");
    if let Some(program) = start(learn(folder.path()), folder.path()) {
        ends_all(program, "-KILL", None, folder.path());
    }
}

#[test]
fn what_killed_grading_started_ends() {
    let folder = tempfile::tempdir().expect("a folder");
    if let Some(program) = start(grade(folder.path()), folder.path()) {
        ends_all(program, "-KILL", None, folder.path());
    }
}

#[test]
fn grading_that_is_asked_to_end_ends_its_checks() {
    let folder = tempfile::tempdir().expect("a folder");
    if let Some(program) = start(grade(folder.path()), folder.path()) {
        ends_all(program, "-TERM", Some(130), folder.path());
    }
}
