//! What a step executes, counted by the simulator, wherever it was timed.

use device::Device;
use rayon::prelude::*;
use report::statistics::median;
use report::{Limits, Occupancy, Row, Subject};
use simt::model::Gpu;

use super::prefetch::{CountPrefetch, Job};
use super::{CountError, LadderRun, Stop};
use crate::limits::{
    Counted, count, is_timed_by_counts, limits, occupancy, program_seconds, too_large,
};
use crate::{Progress, Step, measure, variant};

impl LadderRun<'_> {
    /// How near a timed step comes to what `gpu` could do, and how its blocks are resident.
    ///
    /// # Errors
    /// [`CountError`]: it was not timed, or its code cannot run on the simulator.
    pub fn count(
        &mut self,
        row: &Row,
        gpu: &Gpu,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<(Limits, Option<Occupancy>), CountError> {
        let step = self.ladder.step(&row.step);
        let (Some(step), Some(timed)) = (step, row.main()) else {
            return Err(CountError::NotTimed);
        };
        let subject = super::subject(row);
        let step = variant::of(&subject.variant, &*self.open, &step)?;
        let counted = self.counted(&step, &subject, gpu, timed.n, progress)?;
        let clocks: Vec<f64> = timed.samples.clock_mhz.iter().copied().map(f64::from).collect();
        let limits = limits(counted, timed.work, timed.seconds, median(&clocks));
        Ok((limits, occupancy(counted)))
    }

    /// Counts what rows' steps execute on all cores, so that [`LadderRun::count`] knows it. What cannot be counted says so there.
    pub fn count_together(&mut self, rows: &[&Row], gpu: &Gpu) {
        let (ladder, request) = (self.ladder, &self.request);
        let job = |row: &&Row| {
            let (subject, n) = (super::subject(row), row.main()?.n);
            let step = ladder.step(&row.step).filter(|_| self.known(&subject, n).is_none())?;
            let step = variant::of(&subject.variant, &*self.open, &step).ok()?;
            let source = self.source(&step, &subject.variant).ok()?;
            Some((step, subject, source, n))
        };
        let jobs: Vec<_> = rows.iter().filter_map(job).collect();
        let counted = jobs.into_par_iter().filter_map(|(step, subject, source, n)| {
            let mut open = ladder.open(request).ok()?;
            Some((subject, n, count(&mut *open, &step, &source, gpu, n).ok()?))
        });
        let counted: Vec<_> = counted.collect();
        self.counted.extend(counted);
    }

    /// The modelled time of a pass of size `n`, s, from what was counted; none where the run that is verified tells it.
    pub(super) fn counted_seconds(
        &mut self,
        step: &Step,
        subject: &Subject,
        gpu: Option<&Gpu>,
        n: u64,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Option<f64>, Stop> {
        let is_counted = is_timed_by_counts(&*self.open, step, n);
        let Some(gpu) = gpu.filter(|_| is_counted) else { return Ok(None) };
        if self.open.is_host_program() {
            progress(Progress::Count { n });
            let source = self.source(step, &subject.variant)?;
            return Ok(Some(program_seconds(&mut *self.open, step, &source, gpu, n)?));
        }
        match self.counted(step, subject, gpu, n, progress)?.seconds() {
            Some(seconds) => Ok(Some(seconds)),
            None => Err(too_large(&*self.open, step, n).into()),
        }
    }

    /// The place of what was counted of a pass of size `n`.
    pub(super) fn known(&self, subject: &Subject, n: u64) -> Option<usize> {
        self.counted.iter().position(|(of, at, _)| of == subject && *at == n)
    }

    /// What a pass of size `n` executes, counted once.
    fn counted(
        &mut self,
        step: &Step,
        subject: &Subject,
        gpu: &Gpu,
        n: u64,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<&Counted, device::Error> {
        let place = match self.known(subject, n) {
            Some(place) => place,
            None => {
                progress(Progress::Count { n });
                if let Some(place) = self.await_count(subject, n) {
                    return Ok(&self.counted[place].2);
                }
                let source = self.source(step, &subject.variant)?;
                let counted = count(&mut *self.open, step, &source, gpu, n)?;
                self.counted.push((subject.clone(), n, counted));
                self.counted.len() - 1
            }
        };
        Ok(&self.counted[place].2)
    }

    /// Begins to count a step that is about to be verified, and those that are to come after it, unless that goes on
    /// already or the simulator runs them at their own size.
    pub(super) fn count_ahead(&mut self, step: &Step, subject: &Subject, device: &dyn Device) {
        let Some(gpu) = device.gpu().filter(|_| measure::is_modelled(device.info())) else {
            return;
        };
        let Some(job) = self.job(step, subject, device) else { return };
        let n = job.n;
        let is_pending =
            self.prefetch.as_ref().is_some_and(|prefetch| prefetch.is_pending(subject, n));
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
        self.prefetch = Some(CountPrefetch::begin(open, gpu, jobs));
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
    fn await_count(&mut self, subject: &Subject, n: u64) -> Option<usize> {
        while self.prefetch.as_ref().is_some_and(|prefetch| prefetch.is_pending(subject, n)) {
            let (of, at, counted) = self.prefetch.as_mut()?.next()?;
            self.counted.extend(counted.ok().map(|counted| (of, at, counted)));
        }
        self.known(subject, n)
    }
}
