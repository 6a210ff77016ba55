//! The process that gives verdicts, as the one that waits for them sees it.

use std::io::Write;
use std::process::{Child, ChildStdin};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use anyhow::Result;
use launches::readers::Event;

use super::protocol::Setup;

/// The hidden command that makes the program such a process.
pub const COMMAND: &str = "serve-verdicts";

/// How long nothing may be heard beyond the longest launch: one without an end is stopped before.
const PATIENCE: Duration = Duration::from_secs(30);

/// How often it is looked whether the file was saved again.
const LOOK: Duration = Duration::from_millis(100);

/// The process, which is started where there is none.
pub struct Judge {
    setup: Setup,
    running: Option<Running>,
    /// How long nothing may be heard.
    patience: Duration,
}

struct Running {
    child: Child,
    input: ChildStdin,
    events: Receiver<Event>,
}

/// What is heard while a verdict is given.
pub enum News {
    /// The process said something.
    Event(Event),
    /// It goes on with what it was doing.
    Nothing,
}

impl Judge {
    /// # Errors
    /// The limit of a launch is no number of seconds.
    pub fn new(setup: Setup) -> Result<Judge, device::Error> {
        Ok(Judge { setup, running: None, patience: device::long_launch_limit()? + PATIENCE })
    }

    /// Asks for a verdict and hears it to its end, or until `is_stale`; whether it came to its end.
    ///
    /// # Errors
    /// The process cannot be started.
    pub fn ask(
        &mut self,
        hear: &mut dyn FnMut(News) -> Result<()>,
        is_stale: &mut dyn FnMut() -> bool,
    ) -> Result<bool> {
        let mut running = match self.running.take() {
            Some(running) => running,
            None => Running::start(&self.setup)?,
        };
        // One that has ended is found out below.
        let _ = writeln!(running.input);
        let mut doing = "start".to_owned();
        let mut heard = Instant::now();
        loop {
            let event = match running.events.recv_timeout(LOOK) {
                Ok(event) => event,
                Err(RecvTimeoutError::Timeout) if is_stale() => return Ok(false),
                Err(RecvTimeoutError::Timeout) if heard.elapsed() < self.patience => {
                    hear(News::Nothing)?;
                    continue;
                }
                Err(RecvTimeoutError::Timeout) => Event::Wrong(format!(
                    "error: the checker made no progress for {} s (stage: {doing}) and was stopped. If the \
                     machine is busy, save again.",
                    self.patience.as_secs()
                )),
                Err(RecvTimeoutError::Disconnected) => Event::Wrong(format!(
                    "error: the checker crashed (stage: {doing}): {}",
                    running.child.wait()?
                )),
            };
            heard = Instant::now();
            if let Event::Doing(now) = &event {
                doing.clone_from(now);
            }
            let is_last = event.is_last();
            hear(News::Event(event))?;
            if is_last {
                // One that has ended or hangs is of no use for the next verdict.
                let is_alive =
                    running.child.try_wait()?.is_none() && heard.elapsed() < self.patience;
                self.running = Some(running).filter(|_| is_alive);
                return Ok(true);
            }
        }
    }
}

impl Running {
    fn start(setup: &Setup) -> Result<Running> {
        let (child, mut input, events) = processes::start(processes::own(COMMAND)?)?;
        // A process that dies before it has read this says so when it is asked.
        let _ = writeln!(input, "{}", serde_json::to_string(setup)?);
        Ok(Running { child, input, events })
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
