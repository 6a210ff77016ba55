//! The user's wish to stop.

use std::io::{self, Write};
use std::process::{Child, ChildStdin, ExitStatus};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use anyhow::Result;

use crate::pipes::STOP;

/// Exit code of a program that Ctrl-C ended, by the shells' convention: 128 + SIGINT.
pub const INTERRUPTED_EXIT: u8 = 130;

/// How long a worker that is asked to stop has for what it is just doing.
const GRACE: Duration = Duration::from_secs(3);

/// How often a worker that is about to end is looked at.
const LOOK: Duration = Duration::from_millis(2);

/// The user's wish to stop, shared with the handler of Ctrl-C.
#[derive(Clone, Default)]
pub struct Interrupt {
    asked: Arc<AtomicBool>,
    worker: Arc<Mutex<Option<Worker>>>,
}

#[cfg(not(target_family = "wasm"))]
fn handle(ask: impl FnMut() + Send + 'static) -> Result<()> {
    anyhow::Context::context(ctrlc::set_handler(ask), "cannot take over Ctrl-C")
}

/// A page has no Ctrl-C.
#[cfg(target_family = "wasm")]
fn handle(_: impl FnMut() + Send + 'static) -> Result<()> {
    Ok(())
}

/// The worker that runs now.
struct Worker {
    child: Child,
    /// It lives as long as this is open.
    input: ChildStdin,
}

impl Interrupt {
    /// Takes over Ctrl-C, and what else asks a program to end. The second time nothing is waited for.
    ///
    /// # Errors
    /// The system does not allow it.
    pub fn from_user() -> Result<Interrupt> {
        let interrupt = Interrupt::default();
        let asked = interrupt.clone();
        let ask = move || {
            if asked.is_asked() {
                std::process::exit(INTERRUPTED_EXIT.into());
            }
            asked.ask();
        };
        handle(ask)?;
        Ok(interrupt)
    }

    /// Whether the user asked to stop.
    pub fn is_asked(&self) -> bool {
        self.asked.load(Ordering::SeqCst)
    }

    /// Stops the climb: asks the worker that runs now to deliver what it has, ends it if it does not,
    /// and lets no other begin.
    pub fn ask(&self) {
        self.asked.store(true, Ordering::SeqCst);
        let Some(asked) = self.worker().as_mut().map(Worker::ask) else { return };
        let late = self.clone();
        thread::spawn(move || {
            thread::sleep(GRACE);
            if late.worker().as_ref().is_some_and(|worker| worker.child.id() == asked) {
                late.end_worker();
            }
        });
    }

    /// Ends the worker that runs now.
    pub fn end_worker(&self) {
        if let Some(worker) = self.worker().as_mut() {
            // It may have ended by itself, which is what is wanted.
            let _ = worker.child.kill();
        }
    }

    /// Makes `child` the worker that runs now; it lives as long as its `input` is open.
    pub fn watch(&self, child: Child, input: ChildStdin) {
        let mut worker = self.worker();
        let worker = worker.insert(Worker { child, input });
        if self.is_asked() {
            let _ = worker.child.kill();
        }
    }

    /// Waits until the worker has ended. Others may end it meanwhile.
    ///
    /// # Errors
    /// The system's; or there is no worker.
    pub fn wait(&self) -> io::Result<ExitStatus> {
        loop {
            let mut worker = self.worker();
            let Some(running) = worker.as_mut() else {
                return Err(io::Error::other("the worker process was lost"));
            };
            if let Some(status) = running.child.try_wait()? {
                *worker = None;
                return Ok(status);
            }
            drop(worker);
            thread::sleep(LOOK);
        }
    }

    fn worker(&self) -> MutexGuard<'_, Option<Worker>> {
        self.worker.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Worker {
    /// Asks it to stop; its process number.
    fn ask(&mut self) -> u32 {
        // A worker that no longer listens has ended.
        let _ = writeln!(self.input, "{STOP}");
        self.child.id()
    }
}
