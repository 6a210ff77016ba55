//! Launches beside which the program goes on. A launch is done when it is issued, unless its kernel waits for what the host
//! is to write: then the call returns, and work that streams get meanwhile is kept until the kernel has ended.

use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Once, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use simt::{Events, Host, LaunchError, Simulator};

use crate::arrays::End;
use crate::code::{self, Done};
use crate::launch::Prepared;
use crate::runtime::Runtime;
use crate::work::Work;

/// How often memory is looked at that a kernel waits for.
const PAUSE: Duration = Duration::from_millis(1);
/// How long a kernel waits on while the host waits for it: another thread of the program may write what it waits for.
const GRACE: Duration = Duration::from_secs(2);

/// What a launch gives.
type Ended = Result<Events, LaunchError>;

/// A launch whose kernel waits for the host.
pub(crate) struct Beside {
    prepared: Arc<Prepared>,
    /// Gives nothing, once, and then what the launch gave.
    hear: Receiver<Option<Ended>>,
    /// Since when the host waits for it.
    awaited: Arc<OnceLock<Instant>>,
    begun: Instant,
    /// What is to be done after it.
    later: Vec<(Option<u64>, Work)>,
}

impl Runtime {
    /// Runs a launch to its end, or until it waits for the host.
    pub(crate) fn run(&mut self, prepared: Prepared) -> Done {
        let prepared = Arc::new(prepared);
        if !self.simulator.shares_memory() {
            let ended = prepared.run(&self.simulator, None);
            return self.finish(&prepared, ended);
        }
        let (tell, hear) = channel();
        let awaited = Arc::new(OnceLock::new());
        let theirs = (Arc::clone(&self.simulator), Arc::clone(&prepared), Arc::clone(&awaited));
        thread::spawn(move || {
            let (simulator, prepared, awaited) = theirs;
            let returns = Once::new();
            let goes_on = || {
                returns.call_once(|| drop(tell.send(None)));
                thread::sleep(PAUSE);
                awaited.get().is_none_or(|since: &Instant| since.elapsed() < GRACE)
            };
            let ended = prepared.run(&simulator, Some(&goes_on));
            // Nobody hears it if the program has ended.
            drop(tell.send(Some(ended)));
        });
        match hear.recv() {
            Ok(Some(ended)) => self.finish(&prepared, ended),
            Ok(None) => {
                let (begun, later) = (Instant::now(), Vec::new());
                self.beside = Some(Beside { prepared, hear, awaited, begun, later });
                Ok(())
            }
            Err(_) => Err(code::UNKNOWN),
        }
    }

    /// Keeps work of a stream if a launch waits for the host; else gives it back.
    fn keep(&mut self, stream: Option<u64>, work: Work) -> Done<Option<Work>> {
        // A program may change pageable memory as soon as it has asked for the copy.
        if let Work::Copy { ends: (to, from), .. } = &work
            && (self.is_pageable(to) || self.is_pageable(from))
        {
            self.settle()?;
        }
        Ok(match &mut self.beside {
            None => Some(work),
            Some(beside) => {
                beside.later.push((stream, work));
                None
            }
        })
    }

    fn is_pageable(&self, end: &End) -> bool {
        matches!(end, End::Rows(rows) if self.simulator.allocation(rows.first.address()).is_none())
    }

    /// Lets the host wait for a launch that waits for it, and does what was to be done after that.
    pub(crate) fn settle(&mut self) -> Done {
        while let Some(beside) = self.beside.take() {
            beside.awaited.get_or_init(Instant::now);
            let ended = beside.hear.recv().ok().flatten();
            self.finish(&beside.prepared, ended.ok_or(code::UNKNOWN)?)?;
            for (stream, work) in beside.later {
                self.issue(work, stream)?;
            }
        }
        Ok(())
    }

    /// Does work, or keeps it for later.
    pub(crate) fn issue(&mut self, work: Work, stream: Option<u64>) -> Done {
        match self.keep(stream, work)? {
            Some(work) => self.perform(&work, stream),
            None => Ok(()),
        }
    }

    /// Whether a launch waits for the host, which only asks: one that asks for as long as a launch may take waits for it.
    pub(crate) fn is_busy(&mut self) -> Done<bool> {
        let limit = self.limit().unwrap_or(Duration::MAX);
        if self.beside.as_ref().is_some_and(|beside| beside.begun.elapsed() > limit) {
            self.settle()?;
        }
        Ok(self.beside.is_some())
    }
}

impl Prepared {
    fn run(&self, simulator: &Simulator, host: Option<Host>) -> Ended {
        let arguments: Vec<&[u8]> = self.arguments.iter().map(Vec::as_slice).collect();
        let launch = simt::Launch {
            grid: self.shape.grid,
            block: self.shape.block,
            shared_bytes: self.shape.shared_bytes as u32,
            arguments: &arguments,
        };
        simulator.watch_beside(&self.loaded, &self.name, &launch, &self.watch, host)
    }
}
