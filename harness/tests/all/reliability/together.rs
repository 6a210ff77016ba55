//! Two runs at once.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use report::Outcome;

use super::program::{STEPS, errors, outcomes, run, told, written};

/// Starts a run and waits until its steps are under way.
fn begin(steps: &str, out: &Path) -> Child {
    let mut child =
        run(steps, out).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    let mut line = String::new();
    let errors = child.stderr.as_mut().expect("a pipe");
    BufReader::new(errors).read_line(&mut line).expect("a line");
    assert!(line.contains("simulator"), "{line}");
    child
}

fn signal(name: &str, process: &Child) {
    let kill = Command::new("kill").args([name, &process.id().to_string()]).status();
    assert!(kill.expect("kill runs").success());
}

#[test]
fn into_one_folder_the_second_is_refused_and_harms_nothing() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let first = begin("01,02,03", folder.path());
    // However slow the machine is, the first is still there when the second comes.
    signal("-STOP", &first);
    let second = run("01", folder.path()).output().expect("it runs");
    signal("-CONT", &first);
    let said = errors(&second);
    assert_eq!(second.status.code(), Some(1), "{said}");
    assert!(said.contains("another run") && said.contains("--out"), "{said}");
    assert!(told(&said).is_empty(), "{said}");
    let first = first.wait_with_output().expect("it ends");
    assert_eq!(first.status.code(), Some(0), "{}", errors(&first));
    let expected = STEPS.map(|step| (step, Outcome::Simulated));
    assert_eq!(outcomes(&written(folder.path()).rows), expected);
    // When it has ended the folder is free.
    let third = run("01", folder.path()).output().expect("it runs");
    assert_eq!(third.status.code(), Some(0), "{}", errors(&third));
    assert_eq!(outcomes(&written(folder.path()).rows), [(STEPS[0], Outcome::Simulated)]);
}

#[test]
fn into_two_folders_both_end_well() {
    let folders = [(); 2].map(|()| tempfile::tempdir().expect("a temporary folder"));
    let runs = ["01", "02"].into_iter().zip(&folders).map(|(step, out)| begin(step, out.path()));
    let runs: Vec<Child> = runs.collect();
    for child in runs {
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(0), "{}", errors(&output));
    }
    for (out, step) in folders.iter().zip(STEPS) {
        assert_eq!(outcomes(&written(out.path()).rows), [(step, Outcome::Simulated)]);
    }
}
