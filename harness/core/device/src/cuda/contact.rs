//! Calls of NVIDIA's libraries that may never return, such as those that start the driver: each has a deadline.

use std::io::Write;
use std::panic;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;

use crate::error::Error;
use crate::patience;

/// A library of NVIDIA's.
pub(super) struct Library {
    name: &'static str,
    /// It did not answer: it is asked no more, and what asked it waits for ever in a thread of its own.
    hangs: AtomicBool,
}

pub(super) static DRIVER: Library = Library::new("the NVIDIA driver");
pub(super) static NVML: Library = Library::new("NVML, the driver's monitor,");

impl Library {
    const fn new(name: &'static str) -> Library {
        Library { name, hangs: AtomicBool::new(false) }
    }

    fn hangs(&self) -> bool {
        self.hangs.load(Ordering::Relaxed)
    }

    /// What `call` returns, if it does so in time.
    ///
    /// # Errors
    /// [`Error::NoAnswer`]: it did not, now or earlier.
    pub(super) fn call<T: Send + 'static>(
        &self,
        call: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Error> {
        let patience = patience::driver()?;
        let no_answer = || Error::NoAnswer { library: self.name, patience };
        if self.hangs() {
            return Err(no_answer());
        }
        let (sender, answer) = mpsc::channel();
        // Nobody listens to an answer that comes late.
        let caller = thread::spawn(move || drop(sender.send(call())));
        match answer.recv_timeout(patience) {
            Ok(answer) => Ok(answer),
            Err(RecvTimeoutError::Timeout) => {
                self.hangs.store(true, Ordering::Relaxed);
                Err(no_answer())
            }
            Err(RecvTimeoutError::Disconnected) => match caller.join() {
                Err(panicked) => panic::resume_unwind(panicked),
                Ok(()) => Err(no_answer()),
            },
        }
    }
}

/// Ends this process if a library of NVIDIA's hangs. Else it does nothing: the usual way to end runs what libraries left to be
/// run then, for which one that hangs may keep everyone waiting.
pub fn leave_if_driver_hangs(code: ExitCode) {
    if DRIVER.hangs() || NVML.hangs() {
        let code = (0..=u8::MAX).find(|number| ExitCode::from(*number) == code).unwrap_or(1);
        let _ = std::io::stdout().flush();
        // SAFETY: it ends the process and touches nothing of it.
        unsafe { libc::_exit(code.into()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_that_answers_is_asked_again() {
        static LIBRARY: Library = Library::new("a library");
        assert_eq!(LIBRARY.call(|| 3).unwrap(), 3);
        assert_eq!(LIBRARY.call(|| "four").unwrap(), "four");
    }
}
