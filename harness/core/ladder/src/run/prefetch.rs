//! Counts steps in advance. The simulator verifies on all cores but seldom keeps all of them busy. So a thread of its own counts
//! one step after the other, in the order in which they will be verified.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use device::{Error, Source, launch_limit};
use report::Subject;
use simt::model::Gpu;

use crate::Step;
use crate::ladder::OpenProblem;
use crate::limits::{Counted, count_within};

/// What a thread counts.
pub(super) struct CountPrefetch {
    /// Of which steps, at which sizes, results are still to come, in this order.
    pending: VecDeque<(Subject, u64)>,
    results: Receiver<Result<Counted, Error>>,
}

/// Something to count.
pub(super) struct Job {
    pub(super) step: Step,
    pub(super) source: Source,
    pub(super) n: u64,
}

impl CountPrefetch {
    /// Begins to count. The thread ends after its last job, or when nobody waits for the results any more.
    pub(super) fn begin(
        mut open: Box<dyn OpenProblem>,
        gpu: Gpu,
        jobs: Vec<(Subject, Job)>,
    ) -> CountPrefetch {
        let pending = jobs.iter().map(|(subject, job)| (subject.clone(), job.n)).collect();
        let (sender, results) = channel();
        thread::spawn(move || {
            for (_, Job { step, source, n }) in jobs {
                let counted = launch_limit()
                    .and_then(|limit| count_within(limit, &mut *open, &step, &source, &gpu, n));
                if sender.send(counted).is_err() {
                    break;
                }
            }
        });
        CountPrefetch { pending, results }
    }

    /// Whether a result is still to come.
    pub(super) fn is_pending(&self, subject: &Subject, n: u64) -> bool {
        self.pending.iter().any(|(of, at)| of == subject && *at == n)
    }

    /// The next result, and of what it is; `None` if there is none.
    pub(super) fn next(&mut self) -> Option<(Subject, u64, Result<Counted, Error>)> {
        let (subject, n) = self.pending.pop_front()?;
        let result = self.results.recv().ok();
        if result.is_none() {
            // The thread panicked: who needs a count makes it, and sees the same.
            self.pending.clear();
        }
        Some((subject, n, result?))
    }
}
