//! A launch whose kernel waits for the host.
//!
//! A launch runs to its end before its call returns, unless the kernel polls memory that the host is to write. Then the
//! call returns while a thread runs the kernel, and later work of the streams is queued until the kernel has ended.

use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Once, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use simt::Simulator;

use super::launches::{LaunchResult, PreparedLaunch};
use super::work::Work;
use crate::error::{self, CudaResult};

/// Time between two reads of memory that a kernel polls.
const POLL: Duration = Duration::from_millis(1);
/// How long a kernel may go on polling while the host waits for it. Another thread of the program may still write.
const GRACE: Duration = Duration::from_secs(2);

/// What the kernel's thread reports: first that it waits, if it does, then its result.
#[expect(clippy::large_enum_variant, reason = "one for a launch, and taken apart at once")]
enum Report {
    Waits,
    Ended(LaunchResult),
}

/// A launch whose kernel waits for the host.
pub(crate) struct PendingLaunch {
    launch: Arc<PreparedLaunch>,
    reports: Receiver<Report>,
    /// Since when the host waits for the kernel.
    awaited: Arc<OnceLock<Instant>>,
    started: Instant,
    queue: Vec<(Option<u64>, Work)>,
}

/// A launch that has ended.
pub(crate) struct EndedLaunch {
    pub(crate) launch: Arc<PreparedLaunch>,
    pub(crate) result: LaunchResult,
    /// Work that was queued after it, each with its stream.
    pub(crate) queue: Vec<(Option<u64>, Work)>,
}

/// How far a launch has got when its call returns.
#[expect(clippy::large_enum_variant, reason = "one for a launch, and taken apart at once")]
pub(crate) enum Started {
    Ended(EndedLaunch),
    Waits(PendingLaunch),
}

impl PendingLaunch {
    /// Runs a launch to its end, or until its kernel waits for the host.
    pub(crate) fn start(launch: PreparedLaunch, simulator: &Arc<Simulator>) -> CudaResult<Started> {
        let launch = Arc::new(launch);
        if !simulator.shares_memory() {
            let result = launch.run(simulator, None);
            return Ok(Started::Ended(EndedLaunch { launch, result, queue: Vec::new() }));
        }
        let (sender, reports) = channel();
        let awaited = Arc::new(OnceLock::new());
        let owned = (Arc::clone(simulator), Arc::clone(&launch), Arc::clone(&awaited));
        thread::spawn(move || {
            let (simulator, launch, awaited) = owned;
            let first = Once::new();
            let may_wait = || {
                first.call_once(|| drop(sender.send(Report::Waits)));
                thread::sleep(POLL);
                awaited.get().is_none_or(|since: &Instant| since.elapsed() < GRACE)
            };
            let result = launch.run(&simulator, Some(&may_wait));
            // Nobody receives it if the program has ended.
            drop(sender.send(Report::Ended(result)));
        });
        match reports.recv() {
            Ok(Report::Ended(result)) => {
                Ok(Started::Ended(EndedLaunch { launch, result, queue: Vec::new() }))
            }
            Ok(Report::Waits) => {
                let (started, queue) = (Instant::now(), Vec::new());
                Ok(Started::Waits(PendingLaunch { launch, reports, awaited, started, queue }))
            }
            Err(_) => Err(error::UNKNOWN),
        }
    }

    /// Adds work to do after the launch.
    pub(crate) fn push(&mut self, stream: Option<u64>, work: Work) {
        self.queue.push((stream, work));
    }

    /// For how long the kernel has run since its call returned.
    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Lets the host wait for the kernel's end.
    pub(crate) fn wait(self) -> CudaResult<EndedLaunch> {
        self.awaited.get_or_init(Instant::now);
        match self.reports.recv() {
            Ok(Report::Ended(result)) => {
                Ok(EndedLaunch { launch: self.launch, result, queue: self.queue })
            }
            _ => Err(error::UNKNOWN),
        }
    }
}
