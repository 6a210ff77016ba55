//! The record of a run: its rows with what is known of this machine and this workspace.

use std::path::Path;
use std::process::Command;

use device::Info;
use report::{Machine, Report, Request, Row, SCHEMA, relate, relate_to_libraries, today};

use crate::Ladder;
use crate::problem::SEED;

/// A report of today, on this machine, of this workspace, with related rows of this ladder's steps and its libraries.
pub fn record(
    ladder: &dyn Ladder,
    request: &Request,
    device: Option<Info>,
    rows: Vec<Row>,
) -> Report {
    let (libraries, mut rows): (Vec<Row>, Vec<Row>) = rows.into_iter().partition(Row::is_library);
    relate(&mut rows);
    relate_to_libraries(&mut rows, &libraries);
    Report {
        schema: SCHEMA,
        date: today(),
        machine: machine(),
        device,
        options: request.clone().as_asked(),
        seed: SEED,
        revision: revision(),
        recounted: None,
        figures: [(ladder.name().to_owned(), ladder.figure())].into(),
        rows,
        libraries,
    }
}

/// This computer.
pub fn machine() -> Machine {
    Machine {
        os: std::env::consts::OS.to_owned(),
        arch: std::env::consts::ARCH.to_owned(),
        cpu: device::processor(),
        cores: std::thread::available_parallelism()
            .map_or(1, |n| u32::try_from(n.get()).unwrap_or(u32::MAX)),
    }
}

/// Names the revision of a copy that is no clone: what is to be measured is often built on one machine
/// and run on another.
const REVISION: &str = "LADDER_REVISION";

/// The workspace's git revision; none outside a clone or without git, unless the environment names it.
pub fn revision() -> Option<String> {
    if let Ok(named) = std::env::var(REVISION) {
        return Some(named.trim().to_owned()).filter(|name| !name.is_empty());
    }
    let root = crate::workspace::root().ok()?;
    revision_of(&root)
}

fn revision_of(root: &Path) -> Option<String> {
    // In a container or on a shared disk the clone is often another user's, and git refuses to look
    // at it unless told that this is meant.
    let trust = ["-c", "safe.directory=*", "-C"];
    let describe = ["describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"];
    output_of(Command::new("git").args(trust).arg(root).args(describe))
}

/// What a command that succeeded wrote, trimmed.
fn output_of(command: &mut Command) -> Option<String> {
    let output = command.output().ok().filter(|output| output.status.success())?;
    let text = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    Some(text).filter(|text| !text.is_empty())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// Only root can give a clone to another user: for everyone else this tests the plain case.
    #[test]
    fn a_clone_of_another_user_has_a_revision() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let git = |arguments: &[&str]| {
            output_of(Command::new("git").arg("-C").arg(folder.path()).args(arguments))
        };
        if git(&["--version"]).is_none() {
            println!("SKIPPED: git is not on this machine");
            return;
        }
        git(&["init"]).expect("a repository");
        let who = ["-c", "user.name=n", "-c", "user.email=e"];
        let commit = ["-c", "commit.gpgsign=false", "commit", "--allow-empty", "-m", "one"];
        git(&[&who[..], &commit].concat()).expect("a commit");
        let _ = std::os::unix::fs::chown(folder.path(), Some(12_345), None);
        let revision = revision_of(folder.path()).expect("a revision");
        assert_eq!(revision.len(), 12, "{revision}");
    }
}
