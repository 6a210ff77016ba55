//! The verdict on a reader's file: compiler first, then results, hazards, and the goals. It is the same on every
//! machine: time is no part of it.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use device::{CodeRoute, Device, Error, SimulatorDevice, Source};
use ladder::message::{self, Versions};
use ladder::verify::{Failure, verify_readers};
use serde::{Deserialize, Serialize};
use simt::model::Gpu;

use super::exercise::{Exercise, OfStep};
use super::results::compare;
use super::trial::{Numbers, Stop, Trial, Trials};
use super::{answer, goals};
use crate::explain::running::{self, Task};
use crate::facts::Facts;
use crate::output::shown;
use crate::{ladders, names};

/// Decides what is random where nobody asks for anything else.
pub const SEED: u64 = 1;

/// The largest file of a reader: a hundred times the largest solution.
const MOST_BYTES: u64 = 1 << 20;

/// What is said of a reader's file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Verdict {
    /// It passes. What its events are, for each goal.
    Passed(Vec<String>),
    /// It does not; why, as compilers write it.
    Wrong(String),
    /// It cannot be checked on this machine; why, and what to do.
    Impossible(String),
}

/// Checks `file` as a solution of `exercise`, with data drawn from `seed`.
///
/// # Errors
/// The exercise itself is not in order.
pub fn check(exercise: &Exercise, file: &Path, seed: u64) -> Result<Verdict> {
    if let Some(why) = unreadable(exercise, file) {
        return Ok(Verdict::Wrong(format!("error: {}: {why}", file.display())));
    }
    let gpu = names::gpu(crate::options::GPU)?;
    if let Some(predict) = &exercise.predict {
        return answer::check(exercise, predict, file);
    }
    let files = match Files::read(exercise, file) {
        Ok(files) => files,
        Err(Refusal::Reader(why)) => return Ok(Verdict::Wrong(format!("error: {why}"))),
        Err(Refusal::Exercise(error)) => return Err(error),
        Err(Refusal::Kernel(error)) => return Ok(Verdict::Wrong(format!("error: {error}"))),
        Err(Refusal::Failure(failure, _)) => {
            return Ok(Verdict::Wrong(format!("error: {failure}")));
        }
    };
    let checked = match &exercise.step {
        Some(step) => files.check_step(exercise, step, &gpu, seed),
        None => files.check_launches(exercise, &gpu, seed),
    };
    let facts = match checked {
        Ok(facts) => facts,
        Err(Refusal::Kernel(error)) if error.is_skipped() => {
            return Ok(Verdict::Impossible(error.to_string()));
        }
        Err(Refusal::Kernel(error)) => return Ok(Verdict::Wrong(files.explain(&error.into(), ""))),
        Err(Refusal::Failure(failure, doing)) => {
            return Ok(Verdict::Wrong(files.explain(&failure, &doing)));
        }
        Err(Refusal::Reader(why)) => return Ok(Verdict::Wrong(format!("error: {why}"))),
        Err(Refusal::Exercise(error)) => return Err(error),
    };
    Ok(match goals::judge(&exercise.limits, &facts, &files.readers)? {
        Ok(reached) => Verdict::Passed(reached),
        Err(missed) => Verdict::Wrong(missed),
    })
}

/// Why a reader's file is not even looked into, if so.
fn unreadable(exercise: &Exercise, file: &Path) -> Option<String> {
    let again = format!("`harness learn reset {}` brings its beginning back", exercise.name);
    let known = match fs::metadata(file) {
        Ok(known) => known,
        Err(error) => return Some(format!("{error}; {again}")),
    };
    if !known.is_file() {
        return Some(format!("it is no ordinary file; {again}"));
    }
    if known.len() > MOST_BYTES {
        return Some(format!(
            "it is larger than {} KiB: no solution is; {again}",
            MOST_BYTES >> 10
        ));
    }
    match report::files::read_text(file) {
        Ok(text) if text.trim().is_empty() => Some(format!("it is empty; {again}")),
        Ok(text) if text.contains('\0') => Some(format!("it is no text; {again}")),
        Ok(_) => None,
        Err(error) => Some(format!("{error}; {again}")),
    }
}

/// The code of the reader.
struct Files {
    readers: Source,
    /// What of the reader's file decides the launches.
    numbers: Numbers,
}

enum Refusal {
    Kernel(Error),
    Failure(Failure, String),
    /// The reader's file, in words.
    Reader(String),
    Exercise(anyhow::Error),
}

impl From<Stop> for Refusal {
    fn from(stop: Stop) -> Refusal {
        match stop {
            Stop::Kernel(error) => Refusal::Kernel(error),
            Stop::Launch(why) => Refusal::Reader(why),
            Stop::Exercise(error) => Refusal::Exercise(error),
        }
    }
}

impl From<anyhow::Error> for Refusal {
    fn from(error: anyhow::Error) -> Refusal {
        Refusal::Exercise(error)
    }
}

impl Files {
    fn read(exercise: &Exercise, file: &Path) -> Result<Files, Refusal> {
        if exercise.is_answered() {
            let number =
                answer::chosen(file).map_err(|error| Refusal::Reader(format!("{error:#}")))?;
            let committed = PathBuf::from(shown(&exercise.committed()?));
            let readers = Source::from_file(&committed, &[]).map_err(Refusal::Kernel)?;
            return Ok(Files { readers, numbers: Numbers::answer(number) });
        }
        let readers = read(exercise, file)?;
        let numbers = Numbers::defined(readers.cuda.as_deref().unwrap_or_default());
        Ok(Files { readers, numbers })
    }

    fn explain(&self, failure: &Failure, doing: &str) -> String {
        // What the reader began with is wrong: a difference from it says nothing.
        let versions = Versions { source: &self.readers, original: None };
        message::explain(failure, versions, doing)
    }

    /// Verifies the kernel in the place of a step's own; what a pass does.
    fn check_step(
        &self,
        exercise: &Exercise,
        of: &OfStep,
        gpu: &Gpu,
        seed: u64,
    ) -> Result<Facts, Refusal> {
        let ladder = names::ladder(&of.ladder).map_err(anyhow::Error::from)?;
        let step = &names::step(ladder, &of.to).map_err(anyhow::Error::from)?;
        let request = report::Request { seed, ..report::Request::default() };
        let mut open = ladder.open(&request).map_err(anyhow::Error::msg)?;
        let mut device = SimulatorDevice::open(CodeRoute::Auto, gpu.clone());
        let mut module = device.load(&self.readers).map_err(Refusal::Kernel)?;
        let mut doing = String::new();
        let verified =
            verify_readers(&mut device, &mut *open, step, &mut module, &mut |progress| {
                doing = progress.to_string();
            });
        verified.map_err(|failure| Refusal::Failure(failure, doing))?;
        let kernels = &*ladders::kernels(ladder)?;
        let size = match exercise.sizes.last() {
            Some(size) => *size,
            None => running::little_size(ladder, step, gpu)?,
        };
        let task = Task { ladder, step, file: None, kernels, size, gpu, timeline: false };
        Ok(running::run_source(&task, &self.readers, &self.readers)?.facts)
    }

    /// Runs the launches at every size, and holds what they leave behind against the solution's; what they do at the
    /// last one.
    fn check_launches(&self, exercise: &Exercise, gpu: &Gpu, seed: u64) -> Result<Facts, Refusal> {
        let mut readers = Trials::load(exercise, &self.readers, gpu, self.numbers.clone())?;
        let solution = Files::read(exercise, &exercise.solution()?)?;
        let mut solution_trials =
            Trials::load(exercise, &solution.readers, gpu, solution.numbers.clone())?;
        let mut last = None;
        for &n in &exercise.sizes {
            let trial = readers.run(n, seed)?;
            let expected = solution_trials.run(n, seed)?;
            let hazards = hazards(&trial);
            let wrong = exercise.results.iter().find_map(|(name, &tolerance)| {
                let (contents, got) = &trial.results[name];
                compare(n, name, contents, (got, &expected.results[name].1), tolerance)
            });
            match (wrong, hazards) {
                // The hazard is why, more often than not.
                (Some(wrong), Err(error)) => {
                    let (wrong, hazard) = (wrong.into(), error.into());
                    let said = [self.explain(&wrong, ""), self.explain(&hazard, "")];
                    let said = said.join("\n");
                    return Err(Refusal::Reader(said.trim_start_matches("error: ").to_owned()));
                }
                (Some(wrong), Ok(())) => {
                    return Err(Refusal::Failure(wrong.into(), String::new()));
                }
                (None, hazards) => hazards.map_err(Refusal::Kernel)?,
            }
            last = Some(trial.facts);
        }
        Ok(last.with_context(|| format!("{} has no sizes", exercise.name))?)
    }
}

/// The code in a file for an exercise.
fn read(exercise: &Exercise, file: &Path) -> Result<Source, Refusal> {
    let Some(OfStep { ladder, to, .. }) = &exercise.step else {
        return Source::from_file(file, &[]).map_err(Refusal::Kernel);
    };
    let ladder = names::ladder(ladder).map_err(anyhow::Error::from)?;
    let step = names::step(ladder, to).map_err(anyhow::Error::from)?;
    step.replaced(file, &ladders::kernels(ladder)?).map_err(Refusal::Kernel)
}

/// What is wrong with the hazards of a trial, the first of them.
fn hazards(trial: &Trial) -> Result<(), Error> {
    let mut all = trial.profiles.iter().flat_map(|profile| &profile.events.hazards);
    let Some(first) = all.next() else { return Ok(()) };
    Err(Error::Kernel { fault: Box::new(first.clone()), others: all.count() })
}
