//! Ends a worker that hangs: a kernel with an endless loop, a GPU that no longer answers.

use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Watches one worker from a thread of its own.
pub struct Watchdog {
    patience: Sender<Option<Duration>>,
    has_bitten: JoinHandle<bool>,
}

impl Watchdog {
    /// Begins to watch; `end` is called once if the worker is overdue.
    pub fn new(end: impl FnOnce() + Send + 'static) -> Watchdog {
        let (patience, heard) = mpsc::channel::<Option<Duration>>();
        let has_bitten = thread::spawn(move || {
            let mut limit = None;
            loop {
                let next = match limit {
                    Some(limit) => heard.recv_timeout(limit),
                    None => heard.recv().map_err(RecvTimeoutError::from),
                };
                match next {
                    Ok(next) => limit = next,
                    Err(RecvTimeoutError::Disconnected) => return false,
                    Err(RecvTimeoutError::Timeout) => {
                        end();
                        return true;
                    }
                }
            }
        });
        Watchdog { patience, has_bitten }
    }

    /// The worker was heard; the next time must come within `patience`, if there is a limit.
    pub fn hear(&self, patience: Option<Duration>) {
        // Nobody listens after the worker was ended: its last words may still arrive.
        let _ = self.patience.send(patience);
    }

    /// Ends the watch; whether it ended the worker.
    pub fn stop(self) -> bool {
        drop(self.patience);
        self.has_bitten.join().unwrap_or(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHORT: Option<Duration> = Some(Duration::from_millis(20));

    #[test]
    fn only_what_is_overdue_is_ended() {
        let (sender, ended) = mpsc::channel();
        let watchdog = Watchdog::new(move || sender.send(()).expect("someone waits"));
        watchdog.hear(SHORT);
        watchdog.hear(None);
        assert_eq!(ended.recv_timeout(Duration::from_millis(200)), Err(RecvTimeoutError::Timeout));
        watchdog.hear(SHORT);
        assert_eq!(ended.recv_timeout(Duration::from_secs(10)), Ok(()));
        watchdog.hear(SHORT);
        assert!(watchdog.stop());
    }

    #[test]
    fn a_worker_that_ends_in_time_is_left_alone() {
        let watchdog = Watchdog::new(|| panic!("it was not overdue"));
        watchdog.hear(Some(Duration::from_secs(10)));
        assert!(!watchdog.stop());
    }
}
