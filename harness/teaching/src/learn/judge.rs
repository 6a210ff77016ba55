//! A check in a process of its own: a compiler that crashes or hangs on a reader's file costs a verdict and no more.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use processes::send;
use serde::{Deserialize, Serialize};
use ui::output::explain;

use super::check;
use super::exercise::{self, Exercise};
use super::findings::Verdict;

/// The hidden command that makes the program such a process.
const COMMAND: &str = "serve-checks";

/// How long a check may last beyond its longest launch: one without an end is stopped before.
const PATIENCE: Duration = Duration::from_secs(55);

/// How often it is asked whether the verdict is still wanted.
const LOOK: Duration = Duration::from_millis(50);

/// What is to be checked.
#[derive(Serialize, Deserialize)]
struct Request {
    exercise: String,
    file: PathBuf,
    seed: u64,
}

/// The verdict; or why the exercise is not in order.
type Answer = Result<Verdict, String>;

/// Checks `file` as [`check::check`] does, in a process of its own; none if `is_stale` before there is a verdict.
///
/// # Errors
/// The process cannot be started; the exercise is not in order.
pub fn check(
    exercise: &Exercise,
    file: &Path,
    seed: u64,
    is_stale: &mut dyn FnMut() -> bool,
) -> Result<Option<Verdict>> {
    let (mut child, mut input, answers) = processes::start::<Answer>(processes::own(COMMAND)?)?;
    let request = Request { exercise: exercise.name.clone(), file: file.to_path_buf(), seed };
    // A process that dies before it has read this is found out below.
    let _ = writeln!(input, "{}", serde_json::to_string(&request)?);
    let name = file.display();
    let patience = device::launch_limit()? + PATIENCE;
    let began = Instant::now();
    let verdict = loop {
        break match answers.recv_timeout(LOOK) {
            Ok(Ok(verdict)) => Some(verdict),
            Ok(Err(why)) => bail!(why),
            Err(RecvTimeoutError::Timeout) if is_stale() => None,
            Err(RecvTimeoutError::Timeout) if began.elapsed() < patience => continue,
            Err(RecvTimeoutError::Timeout) => Some(Verdict::Wrong(format!(
                "error: {name}: no verdict in {} s; the check was ended: does the compiler have to work out something \
                 without an end?",
                patience.as_secs()
            ))),
            Err(RecvTimeoutError::Disconnected) => Some(Verdict::Wrong(format!(
                "error: {name}: the compiler or the simulator crashed ({}); please report this, and undo your last change",
                child.wait().context("cannot wait for a process")?
            ))),
        };
    };
    // It may have ended by itself.
    let _ = child.kill();
    let _ = child.wait();
    Ok(verdict)
}

/// Gives a verdict on what the first line of standard input names.
pub fn serve() -> Result<ExitCode> {
    let lines = processes::listen();
    let request = lines.recv().context("there is no request")?;
    let request: Request =
        serde_json::from_str(&request).context("cannot understand the request")?;
    let verdict = || -> Result<Verdict> {
        let all = Exercise::all()?;
        check::check(exercise::find(&all, &request.exercise)?, &request.file, request.seed)
    };
    let answer: Answer = verdict().map_err(|error| explain(&error));
    send(&answer).context("the parent closed the pipe")?;
    Ok(ExitCode::SUCCESS)
}
