//! Processes that do a part of the program's work: started from the program itself, heard line by line, stopped by Ctrl-C,
//! and kept away from the machine where they run what others wrote.
//!
//! ```text
//! cpu         how much processor time a process has taken
//! tie         starts a process that ends with this one, and passes on signals to it
//! pipes       starts the program with a hidden command; both sides write JSON, a value on a line
//! interrupt   Ctrl-C: the worker that runs now is asked to stop, then killed
//! confine     takes files, the network, other processes, memory and time from a process
//! ```
//!
//! No process outlives the one that started it: on Linux the system ends it, and elsewhere it finds that its standard input
//! was closed. Here a process that answers `{"sum": 5}` is started and heard.
//!
//! ```
//! use std::process::Command;
//!
//! #[derive(serde::Deserialize)]
//! struct Answer {
//!     sum: u32,
//! }
//!
//! # fn main() -> anyhow::Result<()> {
//! # if cfg!(unix) {
//! let mut echo = Command::new("echo");
//! echo.arg(r#"{"sum": 5}"#);
//! let (mut child, _input, answers) = processes::start::<Answer>(echo)?;
//! assert_eq!(answers.recv()?.sum, 5);
//! child.wait()?;
//! # }
//! # Ok(())
//! # }
//! ```

pub mod confine;
mod cpu;
mod interrupt;
mod pipes;
#[allow(unsafe_code, reason = "what a child does between fork and exec, on Linux")]
mod tie;

pub use cpu::cpu_time;
pub use interrupt::{INTERRUPTED_EXIT, Interrupt};
pub use pipes::{ORPHANED, STOP, hand_down, listen, own, send, start};
#[cfg(unix)]
pub use tie::PassedOn;
pub use tie::{detach, end_group, spawn};
