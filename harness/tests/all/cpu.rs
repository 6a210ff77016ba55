//! The steps that run on the CPU: verified with every number of threads and every kind of vectors, and run as a
//! reader runs them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use cpu_ladder::{LADDER, STEPS};
use device::{CpuDevice, Device, Error, Module};
use ladder::problem::{Input, OnCpu, Problem};
use ladder::testing::verify_silently;
use ladder::verify::{Failure, Inputs, Verification, evaluate, verify};
use ladder::{Code, Ladder, Threads, workspace};
use nbody::rust::{Accelerations, Evaluation, Rust, Sources};
use nbody::{Host, Nbody, SEED, Simulation, State, Step, plummer};
use report::{Outcome, Report, Request, Row, TimeSource};
use vectors::Vectors;

use super::one_step;

fn kernels() -> PathBuf {
    workspace::root().expect("the workspace").join("kernels/cpu")
}

/// The step's functions, on as many threads as the device has.
fn load(device: &mut CpuDevice, step: &Step, vectors: Vectors) -> Result<Module, Error> {
    let on = OnCpu { kernels: &kernels(), vectors, threads: device.threads() };
    let code = Nbody::host_code(step, &on)?;
    device.load_host(code)
}

/// A device of so many threads with the step's functions. None, and a line says so, where what compiles them is missing.
fn loaded(step: &Step, threads: usize, vectors: Vectors) -> Option<(CpuDevice, Module)> {
    let mut device = CpuDevice::open(Some(threads)).expect("threads");
    match load(&mut device, step, vectors) {
        Err(error) if error.is_skipped() => {
            println!("SKIPPED: {}: {error}", step.name);
            None
        }
        module => Some((device, module.unwrap_or_else(|error| panic!("{}: {error}", step.name)))),
    }
}

/// Every combination of threads and vectors that changes what a step does.
fn ways(step: &Step) -> Vec<(usize, Vectors)> {
    let threads: &[usize] = if step.threads == Threads::Cores { &[1, 2, 3] } else { &[1] };
    // What is not padded uses no vectors of its own.
    let vectors = if step.host.padding == 1 { vec![Vectors::best()] } else { Vectors::available() };
    threads.iter().flat_map(|&threads| vectors.iter().map(move |&it| (threads, it))).collect()
}

/// Sizes at which each way is verified: less than any vector, a tail of one, more than a tile for each thread.
const FEW: [u64; 3] = [5, 257, 1000];

#[test]
fn every_step_is_verified_on_any_number_of_threads_with_all_vectors() {
    let mut open = LADDER.open(&Request::default()).expect("a problem");
    for step in STEPS {
        let ways = ways(step);
        let most = ways.iter().map(|&(threads, _)| threads).max();
        for (threads, vectors) in ways {
            let way = format!("{} on {threads} threads with {vectors}", step.name);
            let Some((mut device, mut module)) = loaded(step, threads, vectors) else { continue };
            for n in FEW {
                let input = Input::verified(n, "accelerations", SEED);
                let pass = open.place(&mut device, &step.facts(), &mut module, input);
                let mut pass = pass.unwrap_or_else(|error| panic!("{way}: {error}"));
                evaluate(&mut device, &mut *pass)
                    .unwrap_or_else(|failure| panic!("{way}, n = {n}: {failure}"));
            }
            // Sizes and time steps with the most threads and the widest vectors.
            if Some(threads) == most && vectors == Vectors::best() {
                let step = step.facts();
                let how = Verification { inputs: Inputs::InTurns, ..Verification::default() };
                let verified =
                    verify(&mut device, &mut *open, &step, &mut module, &how, &mut |_| {});
                let extras = verified.unwrap_or_else(|failure| panic!("{way}: {failure}")).extras;
                let drift = extras.iter().find(|it| it.name == "energy drift").expect("its drift");
                assert!(drift.value < 1e-3, "{way}: energy drifts by {:e}", drift.value);
            }
        }
    }
}

#[test]
fn the_same_threads_give_the_same_bits() {
    let bodies = plummer(500, SEED);
    for step in STEPS {
        for (threads, vectors) in ways(step) {
            let way = format!("{} on {threads} threads, {vectors}", step.name);
            let Some((mut device, mut module)) = loaded(step, threads, vectors) else { continue };
            let mut run = || -> Result<State, Error> {
                let simulation = Simulation::new(&mut device, step, &mut module, &bodies)?;
                simulation.run(&mut device, 3)?;
                simulation.download(&mut device)
            };
            let (one, other) = (run().expect("a state"), run().expect("a state"));
            assert!(one == other, "{way}");
        }
    }
}

/// Verifies a step of no ladder with this function.
fn verified(force: fn(&Sources, Accelerations, &Evaluation)) -> Failure {
    let soa = STEPS.iter().find(|step| step.name == "02-soa").expect("a step over scalar arrays");
    let host = Host { rust: Some(Rust::Arrays(force)), padding: 16, ..soa.host };
    let step = Step { host, ..*soa };
    let mut device = CpuDevice::open(Some(1)).expect("a thread");
    let mut module = load(&mut device, &step, Vectors::Scalar).expect("functions");
    let mut open = one_step::open(step);
    let found = verify_silently(&mut device, &mut *open, &step.facts(), &mut module);
    found.expect_err("that is no force")
}

#[test]
fn what_a_function_does_wrong_is_found() {
    let nothing = verified(|_, _, _| {});
    assert!(matches!(nothing, Failure::Wrong(_)), "{nothing}");
    let zeros = verified(|_, to, _| {
        for axis in [to.x, to.y, to.z] {
            axis.fill(0.0);
        }
    });
    assert!(matches!(zeros, Failure::Wrong(_)), "{zeros}");
    let panics = verified(|from, to, _| to.x[from.mass.len()] = 0.0);
    let Failure::Device(Error::Fault(told)) = panics else { panic!("{panics}") };
    assert!(told.contains("`force` panicked") && told.contains("out of bounds"), "{told}");
}

/// Runs the program.
fn harness(arguments: &[&str], out: &Path) -> Output {
    let mut command = crate::program();
    command.args(arguments).arg("--out").arg(out).output().expect("it runs")
}

fn report(folder: &Path) -> Report {
    Report::read(&folder.join("report.json")).expect("a report")
}

#[test]
fn a_run_measures_on_this_computer() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let run = ["run", "cpu", "--steps", "01..03", "--size", "300", "--threads", "2", "--details"];
    let output = harness(&run, folder.path());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(text.contains("MEASURED") && text.contains("this computer's clock"), "{text}");
    assert!(!text.contains("PCIe") && !text.contains("GPU"), "{text}");
    let one = report(folder.path());
    let device = one.device.as_ref().expect("a device");
    assert_eq!((device.kind.as_str(), one.options.device.as_str()), ("cpu", "cpu"));
    assert_eq!((one.options.threads, one.options.vectors.as_str()), (Some(2), "auto"));
    for row in &one.rows {
        assert_eq!((row.outcome, row.n()), (Outcome::Measured, Some(300)), "{}", row.step);
        assert_eq!(row.time_source, Some(TimeSource::Host));
        assert_eq!(row.code.as_deref(), Some("Rust, 1 thread"));
        assert!(row.limits.is_none() && row.occupancy.is_none());
    }
    let page = fs::read_to_string(folder.path().join("report.html")).expect("a page");
    assert!(page.contains("<dt>Threads</dt>") && !page.contains("Modelled GPU"));

    // Nothing is left to do, and nothing of what there is gets lost.
    let again = harness(&[&run[..], &["--resume"]].concat(), folder.path());
    assert!(again.status.success(), "{}", String::from_utf8_lossy(&again.stderr));
    assert_eq!(report(folder.path()), one);
    let path = folder.path().display().to_string();
    let mut compare = crate::program();
    let output = compare.args(["compare", &path, &path]).output().expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_sweep_times_at_all_sizes() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let output = harness(&["sweep", "cpu", "--steps", "02,03", "--size", "64..256"], folder.path());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    for row in report(folder.path()).rows {
        let sizes: Vec<u64> = row.timed.iter().map(|timed| timed.n).collect();
        assert_eq!(sizes, [256, 128, 64], "{}", row.step);
    }
}

#[test]
fn without_a_compiler_the_yardstick_is_skipped() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = STEPS.iter().find(|step| matches!(step.code, Code::C { .. })).expect("a step");
    let mut command = crate::program();
    command.env("LADDER_CC", "/nowhere/cc").args(["run", "cpu", "--size", "64", "--steps"]);
    let output = command.arg(file.name).arg("--out").arg(folder.path()).output().expect("it runs");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let row = report(folder.path()).rows.remove(0);
    assert_eq!(row.outcome, Outcome::Skipped);
    let reason = row.reason.expect("a reason");
    assert!(reason.contains("/nowhere/cc") && reason.contains("name another"), "{reason}");
}

#[test]
fn what_makes_no_sense_on_the_cpu_is_refused() {
    let lacking = Vectors::ALL.into_iter().find(|vectors| !vectors.is_available());
    let lacking = lacking.expect("no CPU has all").name();
    for (arguments, words) in [
        (&["run", "cpu", "--device", "simt"][..], &["leave --device out"][..]),
        (&["run", "cpu", "--scheduling", "lockstep"], &["simulator"]),
        (&["run", "cpu", "--code", "nvrtc"], &["leave it out"]),
        (&["run", "cpu", "--kernel", "a.cu", "--as", "01"], &["steps/cpu/"]),
        (&["run", "cpu", "--vectors", "mmx"], &["--vectors", "mmx", "scalar"]),
        (&["run", "cpu", "--vectors", lacking], &[lacking, "scalar"]),
        (&["run", "cpu", "--threads", "0"], &["--threads"]),
        (&["run", "--device", "cpu"], &["run cpu"]),
        (&["run", "nbody", "--threads", "2"], &["--threads", "run cpu"]),
        (&["run", "nbody", "--vectors", "auto"], &["--vectors", "run cpu"]),
        (&["sweep", "cpu", "--block", "64"], &["--block", "nbody"]),
    ] {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let output = harness(arguments, &folder.path().join("out"));
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
        for word in words {
            assert!(error.contains(word), "{arguments:?} does not say {word:?}: {error}");
        }
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0, "{arguments:?}");
    }
}

/// Both ladders in one run, on systems where a test can interrupt one.
#[cfg(unix)]
#[test]
#[ignore = "runs in CI: two runs of a ladder"]
fn a_run_of_both_ladders_is_interrupted_and_resumed() {
    use std::io::{BufRead, BufReader};
    use std::process::Stdio;

    let folder = tempfile::tempdir().expect("a temporary folder");
    let run = || {
        let mut command = crate::program();
        command.args(["run", "--device", "simt", "--size", "64", "--threads", "1", "--out"]);
        command.arg(folder.path()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    };
    let mut child = run().spawn().expect("it starts");
    let errors = BufReader::new(child.stderr.as_mut().expect("a pipe"));
    let ended = errors.lines().map_while(Result::ok).find(|line| line.contains("simulated"));
    assert!(ended.is_some(), "no step ended");
    let process = child.id().to_string();
    let status = std::process::Command::new("kill").args(["-INT", &process]).status();
    assert!(status.expect("kill runs").success());
    assert_eq!(child.wait_with_output().expect("it ends").status.code(), Some(130));
    assert!(!folder.path().join("cpu").exists(), "the second ladder began");

    // All steps take long: but two of the last of the first ladder count as done.
    let file = folder.path().join("nbody/report.json");
    let mut partly = Report::read(&file).expect("a report");
    let left = ["17-tensor-distances", "18-longer-sums"];
    let is_left = |row: &Row| left.contains(&row.step.as_str());
    assert_eq!(partly.rows.iter().filter(|row| row.interrupted && is_left(row)).count(), 2);
    for row in partly.rows.iter_mut().filter(|row| row.interrupted && !is_left(row)) {
        (row.interrupted, row.reason) = (false, Some("done".to_owned()));
    }
    partly.write(&file).expect("written");

    let output = run().arg("--resume").output().expect("it ends");
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{error}");
    let kernels = report(&folder.path().join("nbody"));
    let is_simulated = |row: &Row| row.outcome == Outcome::Simulated;
    assert!(kernels.rows.iter().filter(|row| is_left(row)).all(is_simulated), "{error}");
    let is_done = |row: &Row| row.reason.as_deref() == Some("done");
    assert!(kernels.rows.iter().all(|row| is_done(row) || is_simulated(row)), "{error}");
    assert_eq!(kernels.options.threads, None);
    let cpu = report(&folder.path().join("cpu"));
    assert_eq!((cpu.options.ladder.as_str(), cpu.options.threads), ("cpu", Some(1)));
    assert!(cpu.rows.iter().any(|row| row.outcome == Outcome::Measured), "{error}");
}
