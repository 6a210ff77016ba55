//! Starts another program that is confined from its first instruction on: this program confines itself and then becomes it.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use super::{Limits, Room};
use crate::pipes::own;

/// The hidden command that makes the program such a process.
const COMMAND: &str = "serve-fenced";

/// How such a process ends where the system cannot forbid what it must: untrusted code is then not run at all.
pub const OPEN: i32 = 97;

/// What every program needs to be loaded, and what linkers read.
const SYSTEM: [&str; 6] = ["/usr", "/lib", "/lib64", "/bin", "/etc/ld.so.cache", "/dev/null"];

/// What a program may reach.
#[derive(Debug, Serialize, Deserialize)]
pub struct Fence {
    /// What it may use; without them it is not confined at all.
    pub limits: Option<Limits>,
    /// Files and folders that it may read, besides the system's programs and libraries.
    pub readable: Vec<PathBuf>,
    /// Folders that it may write to.
    pub writable: Vec<PathBuf>,
    /// Whether it may start processes, which are confined as it is: a compiler starts a linker.
    pub may_start: bool,
}

/// A command that runs `program` in a fence, with the arguments that are added to it.
///
/// # Errors
/// This program's own file cannot be found.
pub fn fenced(program: &Path, fence: &Fence) -> Result<Command> {
    if fence.limits.is_none() {
        return Ok(Command::new(program));
    }
    let mut command = own(COMMAND)?;
    let written = serde_json::to_string(fence).context("a path that is no text")?;
    command.env_clear().env("PATH", "/usr/bin:/bin").arg(written).arg("--").arg(program);
    Ok(command)
}

/// Confines this process as `fence` says, and becomes the program that the first of `words` names.
///
/// # Errors
/// The fence is none, or the program cannot be started.
pub fn serve(fence: &str, words: &[String]) -> Result<ExitCode> {
    let fence: Fence = serde_json::from_str(fence).context("cannot understand the fence")?;
    let (program, arguments) = words.split_first().context("no program is named")?;
    let mut readable = fence.readable.clone();
    readable.extend(SYSTEM.map(PathBuf::from));
    let mut writable = fence.writable.clone();
    writable.push("/dev/null".into());
    let may_start = fence.may_start;
    let room = Room { readable: &readable, writable: &writable, may_become: true, may_start };
    let missing = super::confine_to(&fence.limits.unwrap_or_default(), &room)?;
    if !missing.is_empty() {
        // Without standard error the exit code alone says it.
        let _ = writeln!(io::stderr(), "{}", missing.join(", "));
        return Ok(ExitCode::from(OPEN as u8));
    }
    become_it(Command::new(program).args(arguments))
        .with_context(|| format!("cannot run {program}"))
}

#[cfg(unix)]
fn become_it(command: &mut Command) -> Result<ExitCode> {
    Err(std::os::unix::process::CommandExt::exec(command).into())
}

#[cfg(not(unix))]
fn become_it(command: &mut Command) -> Result<ExitCode> {
    let code = command.status()?.code().unwrap_or(1);
    Ok(ExitCode::from(u8::try_from(code).unwrap_or(1)))
}
