//! Counting ahead: the simulator verifies on all cores but seldom keeps all of them busy. So a thread of its own counts
//! one step after the other, in the order in which they will be verified.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use device::{Device, Error, Source, launch_limit};
use report::Subject;
use simt::model::Gpu;

use super::Climb;
use crate::ladder::Open;
use crate::limits::{Counted, count_within, is_timed_by_counts};
use crate::{Step, measure, variant};

/// What a thread counts.
pub(super) struct Ahead {
    /// Of which steps, at which sizes, results are still to come, in this order.
    pending: VecDeque<(Subject, u64)>,
    results: Receiver<Result<Counted, Error>>,
}

/// Something to count.
struct Job {
    step: Step,
    source: Source,
    n: u64,
}

impl Ahead {
    /// Begins to count. The thread ends after its last job, or when nobody waits for the results any more.
    fn begin(mut open: Box<dyn Open>, gpu: Gpu, jobs: Vec<(Subject, Job)>) -> Ahead {
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
        Ahead { pending, results }
    }

    fn is_pending(&self, subject: &Subject, n: u64) -> bool {
        self.pending.iter().any(|(of, at)| of == subject && *at == n)
    }

    /// The next result, and of what it is; `None` if there is none.
    fn next(&mut self) -> Option<(Subject, u64, Result<Counted, Error>)> {
        let (subject, n) = self.pending.pop_front()?;
        let result = self.results.recv().ok();
        if result.is_none() {
            // The thread panicked: who needs a count makes it, and sees the same.
            self.pending.clear();
        }
        Some((subject, n, result?))
    }
}

impl Climb<'_> {
    /// Begins to count a step that is about to be verified, and those that are to come after it, unless that goes on
    /// already or the simulator runs them at their own size.
    pub(super) fn count_ahead(&mut self, step: &Step, subject: &Subject, device: &dyn Device) {
        let Some(gpu) = device.gpu().filter(|_| measure::is_modelled(device.info())) else {
            return;
        };
        let Some(job) = self.job(step, subject, device) else { return };
        let n = job.n;
        let is_pending = self.ahead.as_ref().is_some_and(|ahead| ahead.is_pending(subject, n));
        if is_pending || self.known(subject, n).is_some() {
            return;
        }
        let Ok(open) = self.ladder.open(&self.request) else { return };
        let left = self.request.left();
        let later = left.iter().skip_while(|other| *other != subject).skip(1);
        let later = later.filter_map(|subject| {
            let step = self.ladder.step(&subject.step)?;
            let step = variant::of(&subject.variant, &*self.open, &step).ok()?;
            let is_readers = self.replacement(&step).is_some();
            let is_modelled = self.ladder.not_modelled(step.name).is_none();
            let is_here = is_readers || (step.elsewhere.is_none() && is_modelled);
            let job = self.job(&step, subject, device).filter(|_| is_here)?;
            Some((subject.clone(), job))
        });
        let jobs = [(subject.clone(), job)].into_iter().chain(later).collect();
        self.ahead = Some(Ahead::begin(open, gpu, jobs));
    }

    /// What is to be counted of a step; `None` where its time is not modelled from that, or nothing can be run.
    fn job(&self, step: &Step, subject: &Subject, device: &dyn Device) -> Option<Job> {
        let n = self.target(step, device).ok()?;
        if !is_timed_by_counts(&*self.open, step, n) {
            return None;
        }
        let source = self.source(step, &subject.variant).ok()?;
        Some(Job { step: *step, source, n })
    }

    /// Waits for what is counted ahead, and keeps all that comes until then; its place. An error shows again where the
    /// count is made anew.
    pub(super) fn await_count(&mut self, subject: &Subject, n: u64) -> Option<usize> {
        while self.ahead.as_ref().is_some_and(|ahead| ahead.is_pending(subject, n)) {
            let (of, at, counted) = self.ahead.as_mut()?.next()?;
            self.counted.extend(counted.ok().map(|counted| (of, at, counted)));
        }
        self.known(subject, n)
    }
}
