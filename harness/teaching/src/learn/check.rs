//! The verdict on a reader's file: compiler first, then results, hazards, and the goals. It is the same on every
//! machine: time is no part of it.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use device::{
    CodeRoute, Device, Error, Module, Profile, Simulation, SimulatorDevice, Source, launch_limit,
};
use ladder::problem::Input;
use ladder::verify::{Failure, Inputs, Verification, run, verify};
use launches::explain::running::{self, Task};
use report::files;
use simt::model::Gpu;
use simt::{FaultKind, TraceRequest};
use toolchain::sass;
use ui::called;

use super::case::Case;
use super::code::{Files, Refusal};
use super::exercise::{Exercise, OfStep};
use super::findings::{Checked, Findings, Part, Verdict};
use super::measure::Measure;
use super::parallel::Seen;
use super::plan::Plan;
use super::results::compare;
use super::trial::{Results, Stop, Trial, Trials};
use super::{answer, program};

/// The largest file of a reader: a hundred times the largest solution.
const MOST_BYTES: u64 = 1 << 20;

/// In how many orders blocks run that communicate.
const ORDERS: u64 = 8;

/// The event that the compiler knows, and not the simulator; and the architecture for which it is asked: the oldest that
/// every NVRTC in use compiles for.
const REGISTERS: &str = "machine.registers";
const REGISTERS_OF: &str = "sm_80";

/// Checks `file` as a solution of `exercise`, with data drawn from `seed`.
///
/// # Errors
/// The exercise itself is not in order.
pub fn check(exercise: &Exercise, file: &Path, seed: u64) -> Result<Verdict> {
    let plan = Plan::for_reader(exercise, seed);
    Ok(match examine(&mut Measure::new(exercise), file, &plan, &mut || Ok(()))? {
        Checked::Done(findings, reached) => findings.verdict(reached),
        Checked::Impossible(why) => Verdict::Impossible(why),
    })
}

/// Checks `file` as `plan` says against `measure`. `ready` is called once all files are read that a check needs, before anything of the
/// reader's is compiled.
///
/// # Errors
/// The exercise itself is not in order, or the plan does not suit it; or what `ready` says.
pub fn examine(
    measure: &mut Measure,
    file: &Path,
    plan: &Plan,
    ready: &mut dyn FnMut() -> Result<()>,
) -> Result<Checked> {
    let exercise = measure.exercise;
    if let Some(why) = unreadable(exercise, file) {
        let why = format!("error: {}: {why}", file.display());
        return Ok(Checked::Done(Findings::wrong(Part::Compiles, why), Vec::new()));
    }
    let gpu = device::described(device::DEFAULT_GPU)?;
    if let Some(predict) = &exercise.predict {
        return Ok(match answer::check(exercise, predict, file)? {
            Verdict::Passed(reached) => Checked::Done(Findings::right(), reached),
            Verdict::Wrong(why) => Checked::Done(Findings::wrong(Part::Results, why), Vec::new()),
            Verdict::Impossible(why) => Checked::Impossible(why),
        });
    }
    if exercise.is_program() {
        return program::check(exercise, file, plan);
    }
    let mut findings = Findings::default();
    let files = match Files::read(exercise, file) {
        Ok(files) => files,
        Err(Refusal::Exercise(error)) => return Err(error),
        Err(refusal) => {
            let why = format!("error: {}", refusal.plain());
            return Ok(Checked::Done(Findings::wrong(Part::Compiles, why), Vec::new()));
        }
    };
    let mut trial =
        Examination { exercise, files: &files, gpu: &gpu, plan, findings: &mut findings, measure };
    let seen = match &exercise.step {
        Some(step) => trial.of_step(step, ready),
        None => trial.of_launches(ready),
    };
    let seen = match seen {
        Ok(seen) => seen,
        Err(Refusal::Kernel(error)) if error.is_skipped() => {
            return Ok(Checked::Impossible(error.to_string()));
        }
        Err(Refusal::Exercise(error)) => return Err(error),
        Err(refusal) => {
            let is_first = findings.is_open(Part::Compiles);
            let part = if is_first { Part::Compiles } else { Part::Results };
            findings.fail(part, files.said(refusal));
            None
        }
    };
    let Some(mut seen) = seen else { return Ok(Checked::Done(findings, Vec::new())) };
    findings.pass(Part::Results);
    findings.pass(Part::Hazards);
    if exercise.limits.iter().any(|limit| limit.event == REGISTERS) {
        let known = sass::registers(&files.readers, REGISTERS_OF)?;
        seen.facts.machine.registers = known.iter().map(|(_, registers)| *registers).max();
    }
    Ok(match seen.reached(exercise)? {
        Ok(reached) => {
            findings.pass(Part::Goals);
            Checked::Done(findings, reached)
        }
        Err(missed) => {
            findings.is_undivided = missed.is_of_division;
            findings.fail(Part::Goals, missed.in_kernel(&seen.facts, &files.readers));
            Checked::Done(findings, Vec::new())
        }
    })
}

/// Launches of an exercise, recorded.
pub enum Recorded {
    /// What each of them did.
    Launches(Vec<Profile>),
    /// They cannot be run; why, in words for the learner.
    Refused(String),
}

/// What the launches of an exercise do with `file` at its smallest size, with the steps that `trace` asks for. Steps of ladders
/// have no launches of their own.
///
/// # Errors
/// The exercise itself is not in order.
pub fn record(
    exercise: &Exercise,
    file: &Path,
    seed: u64,
    trace: TraceRequest,
) -> Result<Recorded> {
    let files = match Files::read(exercise, file) {
        Ok(files) => files,
        Err(Refusal::Exercise(error)) => return Err(error),
        Err(refusal) => return Ok(Recorded::Refused(format!("error: {}", refusal.plain()))),
    };
    let cases = Case::all(exercise, &Plan { seeds: vec![seed], ..Plan::default() });
    let smallest = cases.iter().min_by_key(|case| case.n);
    let case = smallest.with_context(|| format!("{} has no launches", exercise.name))?;
    let gpu = device::described(device::DEFAULT_GPU)?;
    let run = || {
        let (code, numbers) = (files.readers.clone(), files.numbers.clone());
        let mut trials = Trials::load(exercise, code, &gpu, numbers)?;
        trials.record(trace)?;
        trials.run(case)
    };
    Ok(match run() {
        Ok(trial) => Recorded::Launches(trial.profiles),
        Err(stop) => Recorded::Refused(files.said(stop.into())),
    })
}

/// Why a reader's file is not even looked into, if so.
fn unreadable(exercise: &Exercise, file: &Path) -> Option<String> {
    let again = format!("`{} learn reset {}` brings its beginning back", called(), exercise.name);
    let known = match fs::metadata(file) {
        Ok(known) => known,
        Err(error) => return Some(format!("{error}; {again}")),
    };
    if !known.is_file() {
        return Some(format!("it is no ordinary file; {again}"));
    }
    if known.len() > MOST_BYTES {
        return Some(format!("file too large (limit {} KiB); {again}", MOST_BYTES >> 10));
    }
    match files::read(file).and_then(files::text_of) {
        Ok(text) if text.trim().is_empty() => Some(format!("it is empty; {again}")),
        Ok(_) => None,
        Err(error) => Some(format!("{error}; {again}")),
    }
}

/// A check that goes on.
struct Examination<'e, 'm> {
    exercise: &'e Exercise,
    files: &'e Files,
    gpu: &'e Gpu,
    plan: &'e Plan,
    findings: &'e mut Findings,
    measure: &'e mut Measure<'m>,
}

impl Examination<'_, '_> {
    /// Whether there is nothing more to look for.
    fn is_over(&self) -> bool {
        let is_wrong = |part| self.findings.why(part).is_some();
        is_wrong(Part::Results) || is_wrong(Part::Hazards) && !self.plan.thorough
    }

    /// Verifies the kernel in the place of a step's own; what a pass does.
    fn of_step(
        &mut self,
        of: &OfStep,
        ready: &mut dyn FnMut() -> Result<()>,
    ) -> Result<Option<Seen>, Refusal> {
        let Examination { exercise, files, gpu, plan, .. } = *self;
        let ladder = ladders::ladder(&of.ladder).map_err(anyhow::Error::from)?;
        let step = &ladders::step(ladder, &of.to).map_err(anyhow::Error::from)?;
        let kernels = &*ladder.kernels()?;
        let size = match exercise.sizes.last() {
            Some(size) => *size,
            None => running::little_size(ladder, step, gpu)?,
        };
        let solution = step.source(kernels).map_err(Refusal::Kernel)?;
        let solution = toolchain::comparable(&solution)?.as_ptx();
        ready()?;
        let mut device = SimulatorDevice::open(CodeRoute::Auto, gpu.clone());
        device.leave_machine_code_out();
        let mut module = device.load(&files.readers).map_err(Refusal::Kernel)?;
        self.findings.pass(Part::Compiles);
        let task =
            Task { ladder, step, file: None, kernels, size, gpu, timeline: false, whole: true };
        let counted = self.at_goals(&mut device, &mut module, &task, &solution);
        match &counted {
            // All other sizes would take long too.
            Ok(seen)
                if !plan.thorough
                    && let Some(missed) = seen.undivided() =>
            {
                self.findings.is_undivided = true;
                let why = missed.in_kernel(&seen.facts, &files.readers);
                self.findings.fail(Part::Goals, why);
                return Ok(None);
            }
            Err(Refusal::Failure(Failure::Device(error), _)) if is_timeout(error) => {
                return counted.map(Some);
            }
            _ => {}
        }
        for &seed in &plan.seeds {
            let request = report::Request { seed, ..report::Request::default() };
            let mut open = ladder.open(&request).map_err(anyhow::Error::from)?;
            let inputs = if plan.thorough { Inputs::All } else { Inputs::InTurns };
            let usual = Verification::of_readers(step)?;
            let mut verified = |device: &mut SimulatorDevice, hazards| {
                let mut doing = String::new();
                let how = Verification { inputs, hazards, coverage: false, ..usual };
                verify(device, &mut *open, step, &mut module, &how, &mut |progress| {
                    doing = progress.to_string();
                })
                .map_err(|failure| (failure, doing))
            };
            let Err((failure, doing)) = verified(&mut device, true) else { continue };
            let has_hazard = matches!(&failure, Failure::Device(error) if is_hazard(error));
            if !plan.thorough || !has_hazard {
                return Err(Refusal::Failure(failure, doing));
            }
            self.findings.fail(Part::Hazards, files.explain(&failure, &doing));
            verified(&mut device, false)
                .map_err(|(failure, doing)| Refusal::Failure(failure, doing))?;
        }
        counted.map(Some)
    }

    /// What a pass does at the size of the goals, which is known to everybody: nothing may be left out there.
    fn at_goals(
        &mut self,
        device: &mut SimulatorDevice,
        module: &mut Module,
        task: &Task,
        solution: &Source,
    ) -> Result<Seen, Refusal> {
        let Examination { files, plan, .. } = *self;
        let request = report::Request { seed: plan.seeds[0], ..report::Request::default() };
        let mut open = task.ladder.open(&request).map_err(anyhow::Error::from)?;
        let input = Input::timed(task.size, request.seed);
        device.simulate(Simulation { limit: Some(launch_limit()?), ..Simulation::default() });
        let placed = open.place(device, task.step, module, input);
        let checked = placed.map_err(Failure::from).and_then(|mut pass| run(device, &mut *pass));
        checked.map_err(|failure| Refusal::Failure(failure, String::new()))?;
        // It is compiled once: what a pass does is counted of the same PTX.
        let compiled = Source { ptx: vec![device.ptx(module)?.clone()], ..files.readers.as_ptx() };
        let facts = match running::run_source(task, &files.readers, &compiled) {
            Ok(side) => side.facts,
            Err(error) => {
                return Err(error.downcast().map_or_else(Refusal::Exercise, Refusal::Kernel));
            }
        };
        Ok(Seen { facts, solution: self.measure.of_step(task, solution)? })
    }

    /// Runs the launches at every size, and holds what they leave behind against the solution's; what they do at the
    /// last one.
    fn of_launches(
        &mut self,
        ready: &mut dyn FnMut() -> Result<()>,
    ) -> Result<Option<Seen>, Refusal> {
        let Examination { exercise, files, gpu, plan, .. } = *self;
        self.measure.load(&files.readers.name, gpu)?;
        ready()?;
        let mut readers =
            Trials::load(exercise, files.readers.clone(), gpu, files.numbers.clone())?;
        self.findings.pass(Part::Compiles);
        let mut last = None;
        for case in Case::all(exercise, plan) {
            let expected = self.measure.run(&case)?;
            let trial = readers.run(&case)?;
            self.judge(&case, &trial.results, &expected);
            // Of wrong results it is why, more often than not.
            if let Err(error) = trial.hazards() {
                self.findings.fail(Part::Hazards, self.files.explain(&error.into(), ""));
            }
            for order in 0..ORDERS {
                match readers.run_in_order(&case, case.n + order) {
                    Ok(None) => break,
                    _ if self.is_over() => break,
                    Ok(Some(results)) => self.judge(&case, &results, &expected),
                    Err(Stop::Kernel(error)) if is_hazard(&error) => {
                        self.findings.fail(Part::Hazards, self.files.explain(&error.into(), ""));
                    }
                    Err(stop) => return Err(stop.into()),
                }
            }
            if self.is_over() {
                return Ok(None);
            }
            let solution = exercise.is_parallel().then(|| expected.facts.clone());
            last = Some(Seen { facts: trial.facts, solution });
        }
        Ok(Some(last.with_context(|| format!("{} has no sizes", exercise.name))?))
    }

    /// Enters what is wrong with results.
    fn judge(&mut self, case: &Case, results: &Results, expected: &Trial) {
        let wrong = self.exercise.results.iter().find_map(|(name, &tolerance)| {
            let (contents, got) = &results[name];
            compare(case, name, contents, (got, &expected.results[name].1), tolerance)
        });
        if let Some(wrong) = wrong {
            self.findings.fail(Part::Results, self.files.explain(&wrong.into(), ""));
        }
    }
}

fn is_timeout(error: &Error) -> bool {
    let is_one =
        |kind: &_| matches!(kind, FaultKind::BlockTimeout(_) | FaultKind::LaunchTimeout(_));
    matches!(error, Error::Kernel { fault, .. } if is_one(&fault.kind))
}

fn is_hazard(error: &Error) -> bool {
    matches!(error, Error::Kernel { fault, .. } if fault.is_hazard())
}
