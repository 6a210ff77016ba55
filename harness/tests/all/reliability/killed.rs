//! Processes that are killed (signal 9) at random moments. What was told as finished is in the report, the report is
//! whole at every moment, and the rest of the ladder completes.

use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use report::{Outcome, Report};

use super::program::{PARTIAL, REPORT, STEPS, errors, outcomes, run, told, written};

const ALL: &str = "01,02,03";

/// How often a run is looked at.
const GLANCE: Duration = Duration::from_millis(5);

/// Moments of a run, from 0 (its beginning) to 1 (its end): the same in every test, and spread evenly.
fn moment(of: usize, runs: usize) -> f64 {
    // Multiples of the golden ratio are never close to each other.
    let spread = (of as f64 * 0.618_033_988_749_895).fract();
    // The beginning is where a run is most easily lost.
    if of.is_multiple_of(10) { spread / runs as f64 } else { spread }
}

/// Does `one` for each of `runs`, on as many threads as the machine has; how long a run takes that is left alone is
/// found out first.
fn each_run(runs: usize, one: impl Fn(Duration) + Sync) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let began = Instant::now();
    assert!(run(ALL, folder.path()).output().expect("it runs").status.success());
    let whole = began.elapsed();
    let next = AtomicUsize::new(0);
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let of = next.fetch_add(1, Ordering::Relaxed);
                    if of >= runs {
                        return;
                    }
                    one(whole.mul_f64(moment(of, runs)));
                }
            });
        }
    });
}

fn begin(out: &Path) -> Child {
    let mut command = run(ALL, out);
    command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it starts")
}

/// The worker of a run, once there is one.
fn worker(program: &mut Child) -> Option<String> {
    let children = format!("/proc/{0}/task/{0}/children", program.id());
    while program.try_wait().expect("its state").is_none() {
        let listed = fs::read_to_string(&children).unwrap_or_default();
        if let Some(worker) = listed.split_whitespace().next() {
            return Some(worker.to_owned());
        }
        thread::sleep(Duration::from_millis(1));
    }
    None
}

/// Kills a process; whether it was still there.
fn kill(process: &str) -> bool {
    let mut kill = Command::new("kill");
    kill.args(["-KILL", process]).stderr(Stdio::null()).status().expect("kill runs").success()
}

/// Waits for the end of a run, and looks at its files all the while: they are whole whenever they are there. Its exit
/// code, none where it was killed, and what it said.
fn watch(mut program: Child, out: &Path) -> (Option<i32>, String) {
    let mut stream = program.stderr.take().expect("a pipe");
    let reader = thread::spawn(move || {
        let mut stderr = Vec::new();
        stream.read_to_end(&mut stderr).expect("text");
        stderr
    });
    let status = loop {
        for name in [REPORT, PARTIAL] {
            // Between a look whether it is there and the reading it may be removed.
            if let Ok(bytes) = fs::read(out.join(name)) {
                Report::from_json(&bytes, Path::new(name)).expect("a whole report");
            }
        }
        if let Some(status) = program.try_wait().expect("its state") {
            break status;
        }
        thread::sleep(GLANCE);
    };
    let stderr = reader.join().expect("the reader ended well");
    let output = std::process::Output { status, stdout: Vec::new(), stderr };
    (status.code(), errors(&output))
}

#[test]
fn a_worker_that_is_killed_at_any_moment_costs_one_row() {
    kill_workers(2);
}

#[test]
#[ignore = "runs in CI: a hundred runs"]
fn a_worker_that_is_killed_at_any_of_100_moments_costs_one_row() {
    kill_workers(100);
}

fn kill_workers(runs: usize) {
    let killed = AtomicUsize::new(0);
    let failed = AtomicUsize::new(0);
    each_run(runs, |moment| {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut program = begin(folder.path());
        thread::sleep(moment);
        let was_killed = worker(&mut program).is_some_and(|worker| kill(&worker));
        let (code, said) = watch(program, folder.path());
        let report = written(folder.path());
        let rows = outcomes(&report.rows);
        assert_eq!(rows.iter().map(|row| row.0).collect::<Vec<_>>(), STEPS, "{said}");
        let told = told(&said);
        let mut lost = 0;
        for row in &report.rows {
            match row.outcome {
                Outcome::Simulated => assert!(told.contains(&row.step), "{said}"),
                Outcome::Failed => {
                    lost += 1;
                    let reason = row.reason.as_deref().unwrap_or_default();
                    assert!(reason.contains("signal: 9"), "{reason}");
                    assert!(!told.contains(&row.step), "a row that was told is lost: {said}");
                }
                _ => panic!("{rows:?}: {said}"),
            }
        }
        assert!(lost <= usize::from(was_killed), "{rows:?}: {said}");
        assert_eq!(code, Some(lost as i32), "{said}");
        assert!(!folder.path().join(PARTIAL).exists(), "the run came to its end");
        killed.fetch_add(usize::from(was_killed), Ordering::Relaxed);
        failed.fetch_add(lost, Ordering::Relaxed);
    });
    let (killed, failed) = (killed.into_inner(), failed.into_inner());
    println!("{killed} workers of {runs} were killed, {failed} of them in the middle of a step");
    assert!(killed >= runs / 4 && failed >= runs / 10, "{killed} killed, {failed} failed");
}

/// Whether a process has not ended: one that nobody has asked for its end is a zombie.
fn lives(process: &str) -> bool {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // The state stands behind the name, which is in brackets.
    stat.rsplit(')')
        .next()
        .and_then(|rest| rest.split_whitespace().next())
        .is_some_and(|s| s != "Z")
}

#[test]
fn a_run_that_is_killed_at_any_moment_goes_on_where_it_was() {
    kill_programs(2);
}

#[test]
#[ignore = "runs in CI: twenty runs, each begun again"]
fn a_run_that_is_killed_at_any_of_20_moments_goes_on_where_it_was() {
    kill_programs(20);
}

fn kill_programs(runs: usize) {
    each_run(runs, |moment| {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut program = begin(folder.path());
        let worker = worker(&mut program);
        thread::sleep(moment);
        kill(&program.id().to_string());
        let (code, said) = watch(program, folder.path());
        let alone = Instant::now();
        while worker.as_deref().is_some_and(lives) {
            assert!(alone.elapsed() < Duration::from_secs(30), "the worker goes on alone");
            thread::sleep(GLANCE);
        }
        if code.is_some() {
            written(folder.path());
            return; // it had ended
        }
        // It may have been killed as it wrote a file; a temporary one is then left, and in no one's way.
        let left = [PARTIAL, REPORT].map(|name| folder.path().join(name));
        let left = left.into_iter().find(|file| file.exists());
        let left = left.map(|file| Report::read(&file).expect("a whole report").rows);
        let kept: Vec<&str> = left.iter().flatten().map(|row| row.step.as_str()).collect();
        let told_first = told(&said);
        assert!(
            told_first.iter().all(|step| kept.contains(&step.as_str())),
            "{kept:?} is kept: {said}"
        );

        let mut again = run(ALL, folder.path());
        if left.is_some() {
            again.arg("--resume");
        }
        let again = again.output().expect("it runs");
        let said = errors(&again);
        assert_eq!(again.status.code(), Some(0), "{said}");
        assert!(
            told(&said).iter().all(|step| !kept.contains(&step.as_str())),
            "done twice: {said}"
        );
        let report = Report::read(&folder.path().join(REPORT)).expect("a whole report");
        assert_eq!(outcomes(&report.rows), STEPS.map(|step| (step, Outcome::Simulated)));
        assert!(!folder.path().join(PARTIAL).exists());
    });
}
