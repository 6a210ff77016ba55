//! Pipes to a process of this program: each answer is a line of JSON.

use std::io::{self, BufRead, BufReader, Write};
use std::process::{self, Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Mutex, PoisonError};
use std::thread;

use anyhow::{Context, Result, bail};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::tie::spawn;

/// The line that asks a worker to end with what it has.
pub const STOP: &str = "stop";

/// Exit code of a process that outlived the one that started it.
pub const ORPHANED: u8 = 4;

/// Variables for the program's processes.
static HANDED_DOWN: Mutex<Vec<(&str, String)>> = Mutex::new(Vec::new());

/// Gives a variable to all processes that [`own`] makes from now on, in the place of one that this process has.
pub fn hand_down(variable: &'static str, value: String) {
    HANDED_DOWN.lock().unwrap_or_else(PoisonError::into_inner).push((variable, value));
}

/// The program itself, with one of its hidden commands.
///
/// # Errors
/// The program's own file cannot be found.
pub fn own(command: &str) -> Result<Command> {
    let program = std::env::current_exe().context("cannot find the program's own file")?;
    let mut own = Command::new(program);
    let handed_down = HANDED_DOWN.lock().unwrap_or_else(PoisonError::into_inner);
    own.arg(command).envs(handed_down.iter().map(|(variable, value)| (variable, value)));
    Ok(own)
}

/// Starts a process and hears what it says, as it comes; lines that are no event are left out.
///
/// # Errors
/// The system cannot start it.
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
///
/// # Errors
/// The process that started this one no longer reads.
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
