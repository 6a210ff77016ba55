//! The command `scale`, as a user runs it, on simulated GPUs.

use std::path::Path;
use std::process::Child;

use report::Outcome;
use report::scaling::{Row, Scaling, Series};

/// `harness scale` with few bodies.
fn scale(out: &Path, arguments: &[&str]) -> std::process::Command {
    let mut command = crate::program();
    command.args(["scale", "--out"]).arg(out).args(arguments);
    for [option, value] in [["--size", "300"], ["--weak", "256"], ["--device", "simt"]] {
        if !arguments.contains(&option) {
            command.args([option, value]);
        }
    }
    for launcher in ["OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID"] {
        command.env_remove(launcher);
    }
    command
}

/// Ctrl-C, on systems where a test can send it.
#[test]
#[cfg(unix)]
#[ignore = "runs in CI: a run that is interrupted and one that goes on"]
fn an_interrupt_leaves_a_report_of_what_was_finished_and_the_run_goes_on() {
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};
    let folder = tempfile::tempdir().expect("a folder");
    let files = |ending: &str| {
        let entries = std::fs::read_dir(folder.path()).expect("a folder").flatten();
        let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
        names.filter(|name| name.ends_with(ending)).collect::<Vec<_>>()
    };
    let begin = |arguments: &[&str]| {
        let wanted = ["--gpus", "1,2", "--steps", "bodies-divided", "--size", "256,512,1024,4096"];
        scale(folder.path(), &[&wanted, arguments].concat())
    };
    let child = begin(&[]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = child.expect("it starts");
    let mut line = String::new();
    let mut errors = BufReader::new(child.stderr.take().expect("a pipe"));
    errors.read_line(&mut line).expect("a line");
    assert!(line.contains("bodies-divided on 1 GPU"), "{line}");
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.expect("kill runs").success());
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    let said: Vec<String> = errors.lines().map_while(Result::ok).collect();
    assert!(said.last().is_some_and(|last| last.contains("--resume")), "{said:?}");
    let partly = Scaling::read(folder.path()).expect("a report").rows;
    assert!(!partly.is_empty() && partly.len() < 10, "{}", partly.len());
    assert!(partly.iter().all(|row| row.outcome == Outcome::Simulated));

    let other = begin(&["--resume", "--weak", "300"]).output().expect("it runs");
    assert!(String::from_utf8_lossy(&other.stderr).contains("other options"));
    let done = begin(&["--resume"]).output().expect("it runs");
    let text = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{text}");
    assert_eq!(text.lines().count(), 10 - partly.len(), "nothing is done twice: {text}");
    let whole = Scaling::read(folder.path()).expect("a report").rows;
    assert_eq!(whole.len(), 10);
    for row in &partly {
        let times = |row: &Row| row.timed.clone();
        let again = whole.iter().find(|it| {
            (&it.step, it.gpus, it.series, it.n) == (&row.step, row.gpus, row.series, row.n)
        });
        assert_eq!(again.and_then(times), times(row));
    }
    assert!(files(".partial.json").is_empty() && files(".lock").is_empty());
}

/// The row of a step on so many GPUs in strong scaling.
fn row<'s>(scaling: &'s Scaling, step: &str, gpus: u32) -> &'s Row {
    let is_it = |row: &&Row| {
        report::split(&row.step).1 == step && row.gpus == gpus && row.series == Series::Strong
    };
    scaling.rows.iter().find(is_it).unwrap_or_else(|| panic!("{step} on {gpus}"))
}

#[test]
fn steps_are_verified_and_compared_on_one_gpu_and_on_two() {
    let folder = tempfile::tempdir().expect("a folder");
    let done =
        scale(folder.path(), &["--gpus", "1,2", "--steps", "13-lanes,bodies-divided"]).output();
    let done = done.expect("it runs");
    let text = String::from_utf8_lossy(&done.stdout);
    assert!(done.status.success(), "{text}{}", String::from_utf8_lossy(&done.stderr));
    assert!(text.contains("Strong scaling") && text.contains("scaling.svg"), "{text}");
    let scaling = Scaling::read(folder.path()).expect("a report");
    assert_eq!(scaling.rows.len(), 6, "a step for one GPU is run on one");
    for (step, gpus) in [("lanes", 1), ("bodies-divided", 1), ("bodies-divided", 2)] {
        let row = row(&scaling, step, gpus);
        assert_eq!(row.outcome, Outcome::Simulated);
        let accuracy = row.accuracy.expect("it was verified");
        assert!(accuracy.rms.is_some_and(|rms| rms <= accuracy.tolerance), "{accuracy:?}");
        assert!(row.gain.is_some());
    }
    assert_eq!(scaling.exchange.as_deref(), Some("files"));
}

#[test]
#[ignore = "runs in CI as a job of its own: four processes"]
fn processes_of_a_launcher_find_each_other_and_add_to_the_report() {
    let folder = tempfile::tempdir().expect("a folder");
    let (out, meet) = (folder.path().join("out"), folder.path().join("meet"));
    for size in ["1", "3"] {
        let start = |rank: usize| -> Child {
            let mut command = scale(&out, &["--steps", "pairs-divided"]);
            command.arg("--rendezvous").arg(&meet).env("OMPI_COMM_WORLD_SIZE", size);
            command.env("OMPI_COMM_WORLD_RANK", rank.to_string());
            command.env("PMIX_NAMESPACE", format!("start-{size}"));
            command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
            command.spawn().expect("it starts")
        };
        let ranks: Vec<Child> = (0..size.parse().expect("a number")).map(start).collect();
        for mut rank in ranks {
            assert!(rank.wait().expect("it ends").success());
        }
    }
    let scaling = Scaling::read(&out).expect("a report");
    assert!(scaling.launched);
    for gpus in [1, 3] {
        assert_eq!(row(&scaling, "pairs-divided", gpus).outcome, Outcome::Simulated);
    }
}

#[test]
fn what_cannot_be_is_said() {
    let folder = tempfile::tempdir().expect("a folder");
    let told = |arguments: &[&str], variables: &[(&str, &str)]| {
        let mut command = scale(folder.path(), arguments);
        let done = command.envs(variables.iter().copied()).output().expect("it runs");
        assert_eq!(done.status.code(), Some(2), "{arguments:?}");
        String::from_utf8_lossy(&done.stderr).into_owned()
    };
    let launched = [("PMI_RANK", "0"), ("PMI_SIZE", "2")];
    assert!(told(&[], &launched).contains("--rendezvous DIR"));
    assert!(
        told(&["--rendezvous", "x"], &[("PMI_RANK", "2"), ("PMI_SIZE", "2")]).contains("PMI_RANK")
    );
    assert!(told(&["--device", "cuda:3"], &[]).contains("auto, cuda or simt"));
}

#[test]
fn without_gpus_rows_are_skipped_with_the_reason() {
    if device::survey().driver.is_some() {
        println!("SKIPPED: there is a GPU here");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let done = scale(folder.path(), &["--device", "cuda", "--steps", "pairs-divided"]).output();
    let done = done.expect("it runs");
    let text = String::from_utf8_lossy(&done.stdout);
    assert!(done.status.success(), "{text}");
    assert!(text.contains("this machine has 0 GPUs"), "{text}");
    let scaling = Scaling::read(folder.path()).expect("a report");
    assert!(scaling.rows.iter().all(|row| row.outcome == Outcome::Skipped));
}
