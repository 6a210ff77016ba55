//! A reader's kernel on a GPU under NVIDIA's compute-sanitizer.
//!
//! ```text
//! this process ─ compute-sanitizer --tool T ─ the program, serving one request: verifies the kernel at small sizes
//!       │                  └ log  ─ log.rs ─ words.rs
//!       └─ stops both when the user asks to, or when nothing is heard any more
//! ```

mod asked;
mod log;
mod served;
mod words;

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use device::Source;
use processes::{detach, end_group, own, start};
use report::files::Scratch;
use serde::{Deserialize, Serialize};

pub use asked::Asked;
use log::Log;
pub use served::serve;

/// The hidden command that makes the program a process that runs the kernel.
const COMMAND: &str = "serve-sanitized";

/// The tools, in the order in which they run.
pub const TOOLS: [&str; 4] = ["memcheck", "racecheck", "initcheck", "synccheck"];

/// Options of every tool. A record takes lines of the kernel and of what it calls, and none of this program.
const OPTIONS: [&str; 8] = [
    "--show-backtrace",
    "device",
    "--print-limit",
    "10",
    "--target-processes",
    "application-only",
    "--launch-timeout",
    "60",
];

/// How long nothing may be heard: under a tool a kernel takes up to some hundred times as long.
const PATIENCE: Duration = Duration::from_secs(120);

/// How often it is looked whether the user asked to stop.
const LOOK: Duration = Duration::from_millis(100);

/// Which kernel is to be run.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Task {
    /// The ladder, by name.
    pub ladder: String,
    /// The step whose place it takes.
    pub step: String,
    /// The reader's kernel.
    pub file: PathBuf,
    /// As `--device` names it.
    pub device: String,
    /// As `--code` names it.
    pub code: String,
    /// The seed of what verification draws.
    pub seed: u64,
}

/// What the process says that runs the kernel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
enum Event {
    /// It has begun something.
    Doing(String),
    /// The results are right; last.
    Right,
    /// They are wrong, or the kernel failed; last.
    Wrong(String),
    /// The kernel cannot be run; last.
    Impossible(String),
}

/// What the tools say of a kernel.
#[derive(Debug, PartialEq, Eq)]
pub enum Verdict {
    /// No tool found an error, and the results are right.
    Clean,
    /// What a tool found.
    Wrong(String),
    /// The results are wrong, and no tool found why.
    WrongResults(String),
    /// Why a tool could not tell.
    Unknown(String),
    /// The user asked to stop.
    Stopped,
}

/// Runs the kernel under one tool after the other, up to the first that finds an error. `tell` hears what is done.
///
/// # Errors
/// No process can be started, or no temporary file written.
pub fn check(
    sanitizer: &Path,
    (task, source): (&Task, &Source),
    tell: &mut dyn FnMut(Option<&str>),
    is_stopped: &mut dyn FnMut() -> bool,
) -> Result<Verdict> {
    let mut results = Verdict::Clean;
    for tool in TOOLS {
        let hear = &mut |doing: Option<&str>| {
            tell(doing.map(|doing| format!("compute-sanitizer {tool}: {doing}")).as_deref());
        };
        match run(sanitizer, tool, (task, source), hear, is_stopped)? {
            Verdict::Clean => {}
            // A later tool may find why.
            wrong @ Verdict::WrongResults(_) => results = wrong,
            Verdict::Unknown(_) if results != Verdict::Clean => {}
            found => return Ok(found),
        }
    }
    Ok(results)
}

fn run(
    sanitizer: &Path,
    tool: &str,
    (task, source): (&Task, &Source),
    tell: &mut dyn FnMut(Option<&str>),
    is_stopped: &mut dyn FnMut() -> bool,
) -> Result<Verdict> {
    let scratch = Scratch::new().context("cannot make a temporary folder")?;
    let (log, errors) = (scratch.path().join("log"), scratch.path().join("errors"));
    let own = own(COMMAND)?;
    let mut command = Command::new(sanitizer);
    command.args(["--tool", tool, "--log-file"]).arg(&log).args(OPTIONS);
    if tool == "memcheck" {
        // A call of the driver may fail without harm, where something is looked for.
        command.args(["--report-api-errors", "no"]);
    }
    command.arg(own.get_program()).args(own.get_args());
    command.stderr(File::create(&errors).context("cannot write a temporary file")?);
    detach(&mut command);
    let (child, mut input, events) = start::<Event>(command)?;
    let mut running = Running(child);
    // One that has ended says so by its silence. The input stays open: the process ends when it is closed.
    let _ = writeln!(input, "{}", serde_json::to_string(task)?);
    let (last, doing) = match hear(&events, tell, is_stopped) {
        Heard::Ended(last, doing) => (last, doing),
        Heard::Stopped => return Ok(Verdict::Stopped),
        Heard::Nothing(doing) => {
            return Ok(Verdict::Unknown(format!(
                "{tool}: no progress for {} s during `{doing}`, so it was stopped: blocks that wait for each other may be \
                 too many to be resident under it",
                PATIENCE.as_secs()
            )));
        }
    };
    drop(input);
    let status = running.0.wait().context("cannot wait for compute-sanitizer")?;
    let text = fs::read(&log).unwrap_or_default();
    let found = log::read(&String::from_utf8_lossy(&text));
    Ok(match (found, last) {
        (Log::Found(record, total), _) => {
            Verdict::Wrong(words::message(tool, (&record, total), source))
        }
        (_, Some(Event::Impossible(why))) => Verdict::Unknown(format!("{tool}: {why}")),
        (Log::Unfinished(why), _) => {
            let errors = fs::read(&errors).unwrap_or_default();
            let said = format!("{why}\n{}", String::from_utf8_lossy(&errors));
            Verdict::Unknown(format!("{tool} ended without a summary ({status}): {}", said.trim()))
        }
        (Log::Clean, Some(Event::Right)) => Verdict::Clean,
        (Log::Clean, Some(Event::Wrong(why))) => Verdict::WrongResults(why),
        (Log::Clean, _) => Verdict::Unknown(format!(
            "{tool}: the kernel's process ended during `{doing}` ({status})"
        )),
    })
}

enum Heard {
    /// The last event and what was done then.
    Ended(Option<Event>, String),
    /// Nothing more, during what.
    Nothing(String),
    Stopped,
}

/// Hears a process to its end.
fn hear(
    events: &Receiver<Event>,
    tell: &mut dyn FnMut(Option<&str>),
    is_stopped: &mut dyn FnMut() -> bool,
) -> Heard {
    let (mut doing, mut last, mut heard) = ("start".to_owned(), None, Instant::now());
    tell(Some(&doing));
    loop {
        match events.recv_timeout(LOOK) {
            Ok(event) => {
                heard = Instant::now();
                match event {
                    Event::Doing(what) => {
                        tell(Some(&what));
                        doing = what;
                    }
                    event => last = Some(event),
                }
            }
            Err(RecvTimeoutError::Disconnected) => return Heard::Ended(last, doing),
            Err(RecvTimeoutError::Timeout) if is_stopped() => return Heard::Stopped,
            Err(RecvTimeoutError::Timeout) if heard.elapsed() > PATIENCE => {
                return Heard::Nothing(doing);
            }
            Err(RecvTimeoutError::Timeout) => tell(None),
        }
    }
}

/// compute-sanitizer and what it started: nothing of it outlives this.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        end_group(&mut self.0);
    }
}
