//! Processes of this program that do a part of its work: each answers with a line of JSON at a time.

#[allow(unsafe_code, reason = "what a child does between fork and exec, on Linux")]
mod tie;

use std::io::{self, BufRead, BufReader, Write};
use std::process::{self, Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;

use anyhow::{Context, Result, bail};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::protocol::ORPHANED;

#[cfg(unix)]
pub use tie::PassedOn;
pub use tie::{detach, spawn};

/// The program itself, with one of its hidden commands.
pub fn own(command: &str) -> Result<Command> {
    let program = std::env::current_exe().context("cannot find the program's own file")?;
    let mut own = Command::new(program);
    own.arg(command);
    Ok(own)
}

/// Starts a process and hears what it says, as it comes; lines that are no event are left out.
pub fn start<E>(mut command: Command) -> Result<(Child, ChildStdin, Receiver<E>)>
where
    E: DeserializeOwned + Send + 'static,
{
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = spawn(command).context("cannot start a worker process")?;
    let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
        bail!("the worker process has no pipes")
    };
    let (sender, events) = mpsc::channel();
    thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            if let Ok(event) = serde_json::from_str(&line)
                && sender.send(event).is_err()
            {
                return;
            }
        }
    });
    Ok((child, input, events))
}

/// Writes an event on a line of standard output, at once.
pub fn send(event: &impl Serialize) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{}", serde_json::to_string(event)?)?;
    out.flush()
}

/// Lines of standard input. This process ends when the one that started it has ended, whatever it is doing.
pub fn listen() -> Receiver<String> {
    let (sender, lines) = mpsc::channel();
    thread::spawn(move || {
        for line in io::stdin().lock().lines().map_while(Result::ok) {
            let _ = sender.send(line);
        }
        process::exit(i32::from(ORPHANED));
    });
    lines
}
