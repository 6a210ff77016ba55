//! Timing steps together: each round has a sample of every one, so that what changes with
//! time meets all alike, and each is compared with its parent within the round.

use std::sync::atomic::{AtomicBool, Ordering};

use device::Device;
use report::{Row, Sampling, Subject, Timed, compare};

use super::prepare::{Original, Ready};
use super::{LadderRun, row};
use crate::Progress;
use crate::ladder::OpenProblem;
use crate::limits::Chip;
use crate::measure::ROUNDS;
use crate::verify::Failure;

/// What is reported while steps are timed.
pub enum News<'a> {
    /// A step made progress.
    Progress(&'a Subject, Progress),
    /// A step has its row.
    Row(Box<Row>),
}

impl LadderRun<'_> {
    /// Times steps and tells each row as soon as it is there. It ends early when `stop` is set, with rows of what
    /// was sampled by then, and when the device is lost: steps without a row are then to be
    /// prepared anew in another process.
    pub fn time(
        &mut self,
        mut ready: Vec<Ready>,
        device: &mut dyn Device,
        stop: &AtomicBool,
        tell: &mut dyn FnMut(News),
    ) {
        let mut rounds = 0;
        while rounds < ROUNDS && !stop.load(Ordering::Relaxed) {
            // There and back: what a step leaves behind, as warmth, meets both of its neighbours.
            ready.reverse();
            self.see(&ready);
            let mut left = Vec::new();
            for mut step in ready {
                match step.sample(device, &mut *self.open, rounds, tell) {
                    Ok(()) => left.push(step),
                    Err(failure) => {
                        tell(News::Row(Box::new(self.stopped(
                            step.row,
                            failure.into(),
                            (None, None),
                        ))));
                    }
                }
                if self.device_is_lost {
                    return;
                }
            }
            ready = left;
            rounds += 1;
        }
        if !rounds.is_multiple_of(2) {
            ready.reverse(); // as they came: parents before their children
        }
        let interrupted = (rounds < ROUNDS).then_some(rounds);
        for step in ready {
            let subject = step.subject();
            let mut progress = |now| tell(News::Progress(&subject, now));
            let row = self.finish(step, device, interrupted, &mut progress);
            tell(News::Row(Box::new(row)));
            if self.device_is_lost {
                return;
            }
        }
    }

    /// Verifies a step once more and makes its row; `interrupted` says after how many rounds it was.
    pub(super) fn finish(
        &mut self,
        mut ready: Ready,
        device: &mut dyn Device,
        interrupted: Option<u32>,
        progress: &mut dyn FnMut(Progress),
    ) -> Row {
        let chip = match device.gpu() {
            Some(gpu) => Some(Chip::Gpu(Box::new(gpu))),
            None => self.cpu(&ready.row),
        };
        match ready.finish(device, &mut *self.open, chip.as_ref(), progress) {
            Ok(timed) => {
                let mut row = row::fill(ready.row, &ready.points, timed, interrupted);
                row.cpu_limits = self.cpu_limits(&ready.step, &row);
                row
            }
            Err(failure) => {
                let (stop, variant) = (failure.into(), ready.row.variant());
                let cause = self.diagnose(&ready.step, &variant, &stop, device, progress);
                self.stopped(ready.row, stop, (None, cause))
            }
        }
    }
}

impl Ready {
    /// Takes a sample of each of its points.
    fn sample(
        &mut self,
        device: &mut dyn Device,
        open: &mut dyn OpenProblem,
        round: u32,
        tell: &mut dyn FnMut(News),
    ) -> Result<(), Failure> {
        let subject = self.subject();
        for point in &mut self.points {
            let (n, expected_seconds) = (point.n(), point.expected_seconds());
            let now = Progress::Round { round: round + 1, rounds: ROUNDS, n, expected_seconds };
            tell(News::Progress(&subject, now));
            point.sample(device, open, &self.step, &mut self.module, round)?;
        }
        if let Some(Original { module, point }) = &mut self.original {
            point.sample(device, open, &self.step, module, round)?;
        }
        Ok(())
    }

    /// What was timed at each of its points that has samples.
    fn finish(
        &mut self,
        device: &mut dyn Device,
        open: &mut dyn OpenProblem,
        chip: Option<&Chip>,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Vec<Timed>, Failure> {
        let mut timed = Vec::new();
        for point in &self.points {
            let n = point.n();
            // To judge large results may take as long as to compute the reference.
            let expected_seconds = point.expected_seconds() + open.case_seconds(n);
            progress(Progress::Finish { n, expected_seconds });
            timed.extend(point.finish(device, open, &self.step, &mut self.module, chip)?);
        }
        if let Some(Original { module, point }) = &mut self.original {
            let original = point.finish(device, open, &self.step, module, chip)?;
            let ratio = timed
                .first()
                .zip(original)
                .map(|(own, it)| compare(&it, own, Sampling::SameRounds));
            self.row.times_original = ratio;
        }
        Ok(timed)
    }
}
