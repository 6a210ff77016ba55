//! The verdict on a reader's file: compiler first, then results, hazards, and the goals. It is the same on every
//! machine: time is no part of it.

use std::path::Path;

use anyhow::{Context, Result};
use device::{CodeRoute, Device, Error, SimulatorDevice, Source};
use ladder::judge::{Errors, Mismatch, Tolerance, Wrong};
use ladder::message::{self, Versions};
use ladder::verify::{Failure, verify_readers};
use report::files;
use simt::model::Gpu;

use super::exercise::{Exercise, Limit, OfStep, Predict};
use super::trial::{self, Stop, Trial};
use crate::events::value::Contents;
use crate::explain::running::{self, Task};
use crate::facts::Facts;
use crate::{ladders, names};

/// What is said of a reader's file.
#[derive(Debug)]
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
    let gpu = names::gpu(crate::options::GPU)?;
    if let Some(predict) = &exercise.predict {
        return check_prediction(exercise, predict, file, &gpu, seed);
    }
    let versions = Files::read(exercise, file);
    let files = match versions {
        Ok(files) => files,
        Err(error) => return Ok(Verdict::Wrong(format!("error: {error}"))),
    };
    let checked = match &exercise.step {
        Some(step) => files.check_step(step, &gpu, seed),
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
        Err(Refusal::Exercise(error)) => return Err(error),
    };
    files.judge(&exercise.limits, &facts)
}

/// The number of an event by its path in the JSON of [`Facts`]; none where there is no such event.
pub fn event(facts: &Facts, path: &str) -> Option<f64> {
    let all = serde_json::to_value(facts).ok()?;
    path.split('.').try_fold(&all, |value, part| value.get(part))?.as_f64()
}

/// The file of the reader and that with which the reader began.
struct Files {
    readers: Source,
    beginning: Option<Source>,
}

enum Refusal {
    Kernel(Error),
    Failure(Failure, String),
    Exercise(anyhow::Error),
}

impl From<Stop> for Refusal {
    fn from(stop: Stop) -> Refusal {
        match stop {
            Stop::Kernel(error) => Refusal::Kernel(error),
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
    fn read(exercise: &Exercise, file: &Path) -> Result<Files, Error> {
        let of = |file: &Path| match &exercise.step {
            None => Source::from_file(file, &[]),
            Some(OfStep { ladder, to, .. }) => {
                let found =
                    names::ladder(ladder).and_then(|ladder| Ok((names::step(ladder, to)?, ladder)));
                let (step, ladder) = found.map_err(|error| Error::Fault(error.to_string()))?;
                let kernels =
                    ladders::kernels(ladder).map_err(|error| Error::Fault(error.to_string()))?;
                step.replaced(file, &kernels)
            }
        };
        let beginning = exercise.beginning_text().ok().zip(exercise.beginning().ok());
        let beginning = beginning.and_then(|(text, path)| {
            let file = "the exercise".to_owned();
            of(&path).ok().map(|source| Source {
                file,
                cuda: source.cuda.and(Some(text)),
                ..source
            })
        });
        Ok(Files { readers: of(file)?, beginning })
    }

    fn explain(&self, failure: &Failure, doing: &str) -> String {
        let versions = Versions { source: &self.readers, original: self.beginning.as_ref() };
        message::explain(failure, versions, doing)
    }

    /// Verifies the kernel in the place of a step's own; what a pass does.
    fn check_step(&self, of: &OfStep, gpu: &Gpu, seed: u64) -> Result<Facts, Refusal> {
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
        let size = running::little_size(ladder, step, gpu)?;
        let task = Task { ladder, step, file: None, kernels, size, gpu, timeline: false };
        Ok(running::run_source(&task, &self.readers, &self.readers)?.facts)
    }

    /// Runs the launches at every size, and holds what they leave behind against the solution's; what they do at the
    /// last one.
    fn check_launches(&self, exercise: &Exercise, gpu: &Gpu, seed: u64) -> Result<Facts, Refusal> {
        let solution =
            Source::from_file(&exercise.solution()?, &[]).map_err(anyhow::Error::from)?;
        let mut last = None;
        for &n in &exercise.sizes {
            let trial = trial::run(exercise, &self.readers, gpu, n, seed)?;
            let expected = trial::run(exercise, &solution, gpu, n, seed)?;
            let wrong = exercise.results.iter().find_map(|(name, &tolerance)| {
                let (contents, got) = &trial.results[name];
                compare(n, name, contents, (got, &expected.results[name].1), tolerance)
            });
            if let Some(wrong) = wrong {
                return Err(Refusal::Failure(wrong.into(), String::new()));
            }
            hazards(&trial).map_err(Refusal::Kernel)?;
            last = Some(trial.facts);
        }
        Ok(last.with_context(|| format!("{} has no sizes", exercise.name))?)
    }

    /// Whether the events keep within the limits.
    fn judge(&self, limits: &[Limit], facts: &Facts) -> Result<Verdict> {
        let mut reached = Vec::new();
        for limit in limits {
            let name = words(&limit.event);
            let value = event(facts, &limit.event)
                .with_context(|| format!("there is no event {}", limit.event))?;
            let (wanted, is_within) = match (limit.most, limit.least) {
                (Some(most), _) => (format!("at most {}", number(most)), value <= most),
                (None, Some(least)) => (format!("at least {}", number(least)), value >= least),
                (None, None) => (String::new(), true),
            };
            if !is_within {
                let head = format!("{name}: {}, {wanted} wanted", number(value));
                let place = costliest(facts, &limit.event)
                    .map(|line| (line, "most of them are here".to_owned()));
                let facts = vec![("think", limit.ask.clone())];
                return Ok(Verdict::Wrong(message::remark(head, &self.readers, place, facts)));
            }
            reached.push(format!("{name}: {}, {wanted} wanted", number(value)));
        }
        Ok(Verdict::Passed(reached))
    }
}

/// What is wrong with the hazards of a trial, the first of them.
fn hazards(trial: &Trial) -> Result<(), Error> {
    let mut all = trial.profiles.iter().flat_map(|profile| &profile.events.hazards);
    let Some(first) = all.next() else { return Ok(()) };
    Err(Error::Kernel { fault: Box::new(first.clone()), others: all.count() })
}

/// What is wrong with the elements of a result, if anything.
fn compare(
    n: u64,
    name: &str,
    contents: &Contents,
    (got, expected): (&[u8], &[u8]),
    tolerance: f64,
) -> Option<Wrong> {
    let element = contents.element;
    let numbers = |bytes: &[u8]| -> Vec<[f64; 1]> {
        bytes.chunks_exact(element.bytes as usize).map(|one| [element.decode(one)]).collect()
    };
    let (all, wanted) = (numbers(got), numbers(expected));
    let errors = Errors::between(&all, &wanted);
    let tolerance = Tolerance { rms: tolerance, worst: tolerance };
    if errors.within(tolerance) {
        return None;
    }
    let typical = (wanted.iter().map(|[it]| it * it).sum::<f64>() / wanted.len() as f64).sqrt();
    let is_off = |place: &usize| {
        let ([got], [expected]) = (all[*place], wanted[*place]);
        let is_near = (got - expected).abs() <= tolerance.worst * expected.abs().max(typical);
        !is_near // nor is NaN
    };
    let off: Vec<usize> = (0..all.len()).filter(is_off).collect();
    let at = *off.first().unwrap_or(&errors.worst_index);
    let place = match off.len() {
        0 | 1 => format!("{name}[{at}]"),
        more => format!("{name}[{at}], and {} more of {}", more - 1, all.len()),
    };
    let show = |[value]: [f64; 1]| match value.is_nan() {
        true => "NaN".to_owned(),
        false => number(value),
    };
    Some(Wrong::Mismatch(Box::new(Mismatch {
        quantity: format!("`{name}`"),
        n,
        place,
        got: show(all[at]),
        expected: show(wanted[at]),
        errors,
        tolerance,
    })))
}

/// The line that has most of an event.
fn costliest(facts: &Facts, path: &str) -> Option<u32> {
    let last = path.rsplit('.').next()?;
    let count = match last {
        "sectors_per_request" | "bytes_used_percent" => "global_sectors",
        "wavefronts_per_request" => "shared_wavefronts",
        "divergent_percent" | "active_lanes_percent" => "divergent",
        other => other,
    };
    let of = |line: &crate::facts::LineFacts| {
        serde_json::to_value(line.counts).ok()?.get(count)?.as_u64()
    };
    let lines = facts.lines.iter().filter_map(|line| Some((line.line, of(line)?)));
    lines.filter(|(_, count)| *count > 0).max_by_key(|(_, count)| *count).map(|(line, _)| line)
}

/// An event's name in words.
fn words(path: &str) -> String {
    path.rsplit('.').next().unwrap_or(path).replace('_', " ")
}

/// A number as short as it is exact to a reader.
fn number(value: f64) -> String {
    if value.fract() == 0.0 && value.abs() < 1e15 {
        format!("{value:.0}")
    } else {
        format!("{value}")
    }
}

/// Holds a prediction against what the simulator counts.
fn check_prediction(
    exercise: &Exercise,
    predict: &Predict,
    file: &Path,
    gpu: &Gpu,
    seed: u64,
) -> Result<Verdict> {
    let answer = match answer(file) {
        Ok(answer) => answer,
        Err(error) => return Ok(Verdict::Wrong(format!("error: {error:#}"))),
    };
    let right = answer_of(exercise, predict, gpu, seed)?;
    let name = words(&predict.event);
    if (answer - right).abs() <= predict.within * right.abs() {
        return Ok(Verdict::Passed(vec![format!("{name}: {}", number(right))]));
    }
    let much = if answer > right { "less" } else { "more" };
    let head = format!("{}: the simulator counts {much} than {}", file.display(), number(answer));
    Ok(Verdict::Wrong(format!("error: {head}\n   = think: {}", predict.ask)))
}

/// The number that is right.
pub fn answer_of(exercise: &Exercise, predict: &Predict, gpu: &Gpu, seed: u64) -> Result<f64> {
    let root = ladder::workspace::root()?;
    let source = Source::from_file(&root.join("kernels").join(&predict.kernel), &[])?;
    let n = *exercise.sizes.last().with_context(|| format!("{} has no sizes", exercise.name))?;
    let trial = trial::run(exercise, &source, gpu, n, seed).map_err(|stop| match stop {
        Stop::Kernel(error) => error.into(),
        Stop::Exercise(error) => error,
    })?;
    event(&trial.facts, &predict.event)
        .with_context(|| format!("there is no event {}", predict.event))
}

/// The number that a reader wrote.
fn answer(file: &Path) -> Result<f64> {
    let name = file.display();
    let text = files::read_text(file).with_context(|| format!("cannot read {name}"))?;
    let lines =
        text.lines().enumerate().filter(|(_, line)| line.trim_start().starts_with("answer"));
    let (at, line) =
        lines.last().with_context(|| format!("{name} has no line `answer = NUMBER`"))?;
    let number =
        line.split_once('=').map(|(_, number)| number.split('#').next().unwrap_or("").trim());
    let number = number.filter(|number| !number.is_empty());
    let number =
        number.with_context(|| format!("{name}:{}: write your number after `answer =`", at + 1))?;
    number
        .replace('_', "")
        .parse()
        .with_context(|| format!("{name}:{}: `{number}` is no number", at + 1))
}
