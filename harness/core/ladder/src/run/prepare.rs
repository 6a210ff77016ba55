//! A step before it is timed: loaded, verified, its sizes chosen.

use std::cell::RefCell;
use std::time::Instant;

use device::{Device, Info, Module, TimeSource};
use report::{Outcome, Row, Subject, Variant};

use super::{LadderRun, RunError, Stop, row};
use crate::gaps;
use crate::measure::{self, Pilot, Point, Target};
use crate::message::{self, Versions};
use crate::problem::{Conclusion, Input, Size, multiprocessors};
use crate::verify::{Failure, Verification, Whose, run, verify, verify_blocks};
use crate::{Launch, Progress, Step, Threads, residency, variant};

/// What it takes to compile host code that calls a library, on a machine that does nothing else, s.
const LIBRARY_SECONDS: f64 = 30.0;

/// The result of preparing a step.
pub enum Prepared {
    /// It has its row: it did not verify, or its time is the model's.
    Row(Box<Row>),
    /// It verified and is to be timed.
    Ready(Box<Ready>),
}

/// A verified step, to be timed.
pub struct Ready {
    pub(super) step: Step,
    pub(super) row: Row,
    pub(super) module: Module,
    /// The step's own size first.
    pub(super) points: Vec<Point>,
    pub(super) original: Option<Original>,
}

/// The kernel whose place a reader's took, timed next to it at the step's own size.
pub(super) struct Original {
    pub(super) module: Module,
    pub(super) point: Point,
}

impl LadderRun<'_> {
    /// Verifies a variant of a step and finds out how it can be timed. Whatever goes wrong is said
    /// in its row.
    pub fn prepare(
        &mut self,
        step: &Step,
        variant: &Variant,
        device: &mut dyn Device,
        progress: &mut dyn FnMut(Progress),
    ) -> Prepared {
        let mut row = step.row(self.ladder.name(), Outcome::Failed, None);
        row.device = Some(device.info().name.clone());
        (row.block, row.defines) = (variant.block, variant.defines.clone());
        row.session = self.request.session;
        if let Some(reader) = self.replacement(step) {
            let file = reader.file.file_name().unwrap_or_default().to_string_lossy().into_owned();
            row.title = format!("{file} in its place");
            row.changes = format!("your kernel in the place of {}", step.name);
            row.kernel = Some(file);
        }
        let step = match variant::of(variant, &*self.open, step) {
            Ok(step) => step,
            Err(why) => {
                row::skip(&mut row, why.to_string());
                return Prepared::Row(Box::new(row));
            }
        };
        let doing = RefCell::new(String::new());
        let mut progress = |now: Progress| {
            *doing.borrow_mut() = now.to_string();
            progress(now);
        };
        let progress: &mut dyn FnMut(Progress) = &mut progress;
        let prepared = self.try_prepare(&step, &mut row, device, progress);
        match prepared.map_err(|stop| self.of_a_small_gpu(&step, stop)) {
            Ok(_) if row.not_modelled.is_some() => {
                row.outcome = Outcome::Simulated;
                row.time_source = Some(TimeSource::Model);
                Prepared::Row(Box::new(row))
            }
            Ok((module, points)) => {
                let original = self.original(&step, variant, device, &points, progress);
                let ready = Ready { step, row, module, points, original };
                match measure::is_modelled(device.info()) {
                    true => Prepared::Row(Box::new(self.finish(ready, device, None, progress))),
                    false => Prepared::Ready(Box::new(ready)),
                }
            }
            Err(stop) => {
                let message = self.message(&step, variant, &stop, &doing.borrow());
                let cause = self.diagnose(&step, &row.variant(), &stop, device, progress);
                Prepared::Row(Box::new(self.stopped(row, stop, (message, cause))))
            }
        }
    }

    /// A step's own kernel is not at fault if its blocks are too large for this GPU.
    fn of_a_small_gpu(&self, step: &Step, stop: Stop) -> Stop {
        match stop {
            Stop::Failure(Failure::Device(error))
                if error.is_of_a_small_gpu() && self.replacement(step).is_none() =>
            {
                Stop::Skip(error.to_string())
            }
            other => other,
        }
    }

    /// What a reader's kernel did wrong, as compilers write it; none of what is not its fault.
    fn message(&self, step: &Step, variant: &Variant, stop: &Stop, doing: &str) -> Option<String> {
        self.replacement(step)?;
        let Stop::Failure(failure) = stop else { return None };
        if matches!(failure, Failure::Device(error) if error.is_skipped()) {
            return None;
        }
        let source = self.source(step, variant).ok()?;
        let original = step.source(&self.kernels).ok();
        let versions = Versions { source: &source, original: original.as_ref() };
        Some(message::explain(failure, versions, doing))
    }

    fn try_prepare(
        &mut self,
        step: &Step,
        row: &mut Row,
        device: &mut dyn Device,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<(Module, Vec<Point>), Stop> {
        if let Some(reason) = step.elsewhere.filter(|_| self.replacement(step).is_none()) {
            return Err(Stop::Skip(reason.to_owned()));
        }
        let mut target = self.target(step, device)?;
        if measure::is_modelled(device.info()) && self.replacement(step).is_none() {
            row.not_modelled = self.ladder.not_modelled(step.name).map(str::to_owned);
        }
        if row.not_modelled.is_some() {
            // It is verified all the same.
            target = self.open.simulated_size(step, target);
        }
        let expected_seconds = if step.is_library() { LIBRARY_SECONDS } else { 0.0 };
        progress(Progress::Load { expected_seconds });
        let began = Instant::now();
        let mut module = self.load(device, step, &row.variant())?;
        let loading_seconds = began.elapsed().as_secs_f64();
        let code_seconds = loading_seconds.max(module.code_seconds());
        row.code = Some(module.code().to_owned());
        let threads = super::threads(step, device);
        row.threads = threads.and_then(|threads| u32::try_from(threads).ok());
        let modelled = measure::is_modelled(device.info());
        let gpu = device.gpu().filter(|_| modelled);
        let subject = super::subject(row);
        if row.not_modelled.is_none() {
            self.count_ahead(step, &subject, device);
        }
        self.verify(step, row, device, &mut module, progress)?;
        let parent = step.after.and_then(|after| self.request.sizes.get(after).copied());
        let simulated = if modelled { self.open.simulated_size(step, target) } else { target };
        let tried = Target { n: simulated, asked: self.asked().is_some(), parent };
        let open = &mut *self.open;
        let (n, pilot) = measure::choose_size(device, open, step, &mut module, tried, progress)?;
        // What is simulated in time stands for all that was asked for.
        let n = if n == simulated { target } else { n };
        if row.not_modelled.is_some() {
            progress(Progress::Prepare {
                n,
                expected_seconds: self.expected(pilot, Size { n, wholes: None }),
            });
            let input = Input::timed(n, self.open.seed());
            let mut pass = self.open.place(device, step, &mut module, input)?;
            let checked = run(device, &mut *pass)?;
            drop(pass);
            row::add_extras(row, &checked.extras);
            self.conclude(step, device, &mut module, (n, target, pilot), progress)?;
            return Ok((module, Vec::new()));
        }
        let sizes = self.sizes(step, device, n)?;
        let own = sizes[0].n;
        if own < target {
            row::note(
                row,
                format!(
                    "timed at n = {own} instead of {target}: a single launch would take too long"
                ),
            );
        }
        if let Some(idle) = self.idle(step, device, own) {
            row::note(row, idle);
        }
        let mut points = Vec::new();
        for size in sizes {
            let counted = self.counted_seconds(step, &subject, gpu.as_ref(), size.n, progress)?;
            let n = counted.map_or(size.n, |_| self.open.simulated_size(step, size.n));
            let expected_seconds = self.expected(pilot, Size { n, ..size });
            progress(Progress::Prepare { n, expected_seconds });
            let open = &mut *self.open;
            points.push(Point::verify(device, open, step, &mut module, size, counted)?);
        }
        row::add_extras(row, points[0].extras());
        if modelled && self.open.simulated_size(step, own) < own {
            let whose = self.replacement(step).map_or(Whose::Ours, |_| Whose::Readers);
            let open = &mut *self.open;
            let how = (own, whose);
            if let Some(why) = verify_blocks(device, open, step, &mut module, how, progress)? {
                row::note(row, why);
            }
        }
        if !modelled {
            let open = &mut *self.open;
            let costs = measure::end_to_end(device, open, step, &mut module, own, code_seconds)?;
            row.end_to_end = Some(costs);
            if self.open.watches_residency() {
                let source = (step, self.source(step, &row.variant())?);
                let open = &mut *self.open;
                let found = residency::resident_blocks(device, open, source, &module, own)?;
                row::add_extras(row, &found);
            }
        }
        self.request.sizes.insert(step.name.to_owned(), own);
        self.conclude(step, device, &mut module, (own, target, pilot), progress)?;
        Ok((module, points))
    }

    /// The step's own kernel at the size at which a reader's in its place is timed; none where that is modelled, or where
    /// it cannot be timed.
    fn original(
        &mut self,
        step: &Step,
        variant: &Variant,
        device: &mut dyn Device,
        points: &[Point],
        progress: &mut dyn FnMut(Progress),
    ) -> Option<Original> {
        self.replacement(step)?;
        let first = points.first().filter(|_| !measure::is_modelled(device.info()))?;
        let mut source = step.source(&self.kernels).ok()?;
        variant::apply(variant, step, &mut source).ok()?;
        let (n, expected_seconds) = (first.n(), first.expected_seconds());
        progress(Progress::Prepare { n, expected_seconds });
        let mut module = device.load(&source).ok()?;
        let size = Size { n, wholes: None };
        let point = Point::verify(device, &mut *self.open, step, &mut module, size, None).ok()?;
        Some(Original { module, point })
    }

    /// Verifies a step that was loaded.
    fn verify(
        &mut self,
        step: &Step,
        row: &mut Row,
        device: &mut dyn Device,
        module: &mut Module,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<(), Stop> {
        let is_readers = self.replacement(step).is_some();
        let open = &mut *self.open;
        row.extras = match &mut self.gaps {
            _ if is_readers => {
                let how = Verification::of_readers(step)?;
                let verified = verify(device, open, step, module, &how, progress)?;
                let own = step.source(&self.kernels)?;
                let gaps = gaps::of_readers(device, open, (step, &own), verified.gaps, progress)?;
                row::note_gaps(row, &gaps);
                verified.extras
            }
            Some(gaps) => {
                let how = Verification::covered();
                let verified = verify(device, open, step, module, &how, progress)?;
                *gaps = verified.gaps;
                verified.extras
            }
            None => {
                let how = Verification { inputs: self.inputs, ..Verification::default() };
                verify(device, open, step, module, &how, progress)?.extras
            }
        };
        if step.elsewhere.is_some() {
            let verified = self.verify_on_several(step, &row.variant(), progress)?;
            row::note(row, verified);
        }
        Ok(())
    }

    /// The size that is to be timed, if the device has room for it.
    pub(super) fn target(&self, step: &Step, device: &dyn Device) -> Result<u64, Stop> {
        let info = device.info();
        let target = self.asked().unwrap_or_else(|| self.open.default_size(step, info));
        self.too_much(step, target, info).map_or(Ok(target), |why| Err(Stop::Reason(why)))
    }

    /// Why a device has not the memory that a step needs for a size; none where it has.
    fn too_much(&self, step: &Step, n: u64, info: &Info) -> Option<String> {
        let needed = self.open.bytes(step, n);
        (needed > info.memory_bytes).then(|| {
            format!(
                "{n} {} need {} MiB and {} has {}; choose a smaller --size",
                self.open.figure().size,
                needed >> 20,
                info.name,
                info.memory_bytes >> 20
            )
        })
    }

    /// Whether the device has the memory that at least one of the steps needs for the size that was
    /// asked for.
    ///
    /// # Errors
    /// [`RunError::Request`].
    pub fn check_memory(&self, info: &Info) -> Result<(), RunError> {
        let Some(n) = self.asked() else { return Ok(()) };
        let steps = self.request.steps.iter().filter_map(|name| self.ladder.step(name));
        let here = steps.filter(|step| step.elsewhere.is_none());
        let least = here.min_by_key(|step| self.open.bytes(step, n));
        let why = least.and_then(|step| self.too_much(&step, n, info));
        why.map_or(Ok(()), |why| Err(RunError::Request(why)))
    }

    /// The size that was asked for: at most in a sweep, by number, or by a file of inputs.
    fn asked(&self) -> Option<u64> {
        let largest = self.request.sweep_sizes.last().copied();
        largest.or(self.request.size).or(self.open.implied_size())
    }

    /// Sizes at which a step is timed, its own first: `n`, its parent's, and further ones; or those
    /// of a sweep up to `n`.
    fn sizes(&self, step: &Step, device: &dyn Device, n: u64) -> Result<Vec<Size>, Stop> {
        let of = |n: u64| Size { n, wholes: None };
        if !self.request.sweep_sizes.is_empty() {
            let up_to = self.request.sweep_sizes.iter().rev().filter(|&&size| size <= n);
            let sizes: Vec<Size> = up_to.map(|&size| of(size)).collect();
            if sizes.is_empty() {
                let smallest = self.request.sweep_sizes[0];
                return Err(Stop::Skip(format!(
                    "already at n = {smallest} a single launch would take too long"
                )));
            }
            return Ok(sizes);
        }
        let mut sizes = vec![of(n)];
        let parents = step.after.and_then(|after| self.request.sizes.get(after).copied());
        sizes.extend(parents.map(of).filter(|size| size.n < n));
        for further in self.open.further_sizes(step, device.info()) {
            if sizes.iter().all(|size| size.n != further.n) {
                sizes.push(further);
            }
        }
        Ok(sizes)
    }

    /// How little of a GPU works on a size that does not fill it.
    fn idle(&self, step: &Step, device: &dyn Device, n: u64) -> Option<String> {
        let all = u64::from(device.gpu().map(|_| multiprocessors(device))?);
        if step.threads == Threads::One {
            return None;
        }
        let launches = self.open.launches(step, n, all as u32);
        let blocks = launches.iter().map(Launch::blocks).max().filter(|&blocks| blocks < all)?;
        let share = 100.0 * blocks as f64 / all as f64;
        Some(format!("at n = {n} the blocks fill {share:.0} % of the GPU's {all} multiprocessors"))
    }

    /// What some passes and their reference are expected to take, s.
    fn expected(&self, pilot: Pilot, Size { n, wholes }: Size) -> f64 {
        let passes = 2.0 + f64::from(wholes.unwrap_or(1));
        passes * pilot.expected(&*self.open, n) + self.open.case_seconds(n)
    }

    /// Does what the problem's options ask of the last step.
    fn conclude(
        &mut self,
        step: &Step,
        device: &mut dyn Device,
        module: &mut Module,
        (n, target, pilot): (u64, u64, Pilot),
        progress: &mut dyn FnMut(Progress),
    ) -> Result<(), Stop> {
        let is_last = self.request.steps.last().is_none_or(|last| last == step.name);
        if !is_last || self.request.problem.is_empty() {
            return Ok(());
        }
        let expected_seconds = self.expected(pilot, Size { n, wholes: Some(1000) });
        progress(Progress::Conclude { n, expected_seconds });
        match self.open.conclude(device, step, module, (n, target)) {
            Ok(()) => Ok(()),
            Err(Conclusion::Device(error)) => Err(error.into()),
            Err(Conclusion::Wrong(wrong)) => Err(wrong.into()),
            Err(Conclusion::Reason(reason)) => Err(Stop::Reason(reason)),
        }
    }
}

impl Ready {
    /// Which step, as which variant.
    pub fn subject(&self) -> Subject {
        super::subject(&self.row)
    }
}
