//! Why a step's results are wrong on a GPU: its kernel, a race, or the GPU itself.
//!
//! The failing case is repeated on the GPU, and run on the simulator with its warps in several orders and a search for
//! hazards. The kernel is wrong if the simulator's results are too. There is a race if the simulator sees a hazard, or
//! if the order of the warps decides. What is left is the GPU, or what the compiler and the driver made of the kernel.

use std::fmt;
use std::time::{Duration, Instant};

use device::{Device, Error, Module, Simulation};

use crate::judge::Mismatch;
use crate::ladder::OpenProblem;
use crate::problem::{Copied, Failed, Input, Purpose};
use crate::verify::Verification;
use crate::{Step, measure, problem};

/// How often the case is repeated on the GPU.
const REPETITIONS: u64 = 8;

/// In how many orders of the warps the simulator runs it at most, and how long it may go on beginning another.
const ORDERS: u64 = 4;
const PATIENCE: Duration = Duration::from_secs(30);

/// The most work that the simulator is asked for: so many times that of the size it would choose itself.
const MOST_WORK: f64 = 20.0;

/// How long a diagnosis may take beyond its passes, in seconds. A watchdog must allow for it.
pub const EXPECTED_SECONDS: f64 = 120.0;

/// What made results wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// The simulator is wrong as well.
    Kernel,
    /// The simulator sees a hazard, or the order of the warps decides.
    Race,
    /// The simulator is right in every order, and sees no hazard.
    Chip,
    /// The simulator cannot run the case, or no repetition was wrong.
    Unknown,
}

/// What made results wrong, and how that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Diagnosis {
    /// The cause.
    pub cause: Cause,
    /// What was seen, in sentences.
    pub evidence: String,
    /// Whether the GPU failed meanwhile in a way that its process cannot go on from.
    pub is_lost: bool,
}

impl fmt::Display for Diagnosis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cause = match self.cause {
            Cause::Kernel => "the kernel is wrong",
            Cause::Race => "the kernel has a race",
            Cause::Chip => "the GPU is wrong, or what its compiler and driver made of the kernel",
            Cause::Unknown => "why is not known",
        };
        write!(f, "{cause}: {}", self.evidence)
    }
}

/// A device with a step's code.
pub type Loaded<'l> = (&'l mut dyn Device, &'l mut Module);

/// Repeats a case that was wrong on a GPU, there and on the simulator, and says why.
pub fn diagnose(
    gpu: Loaded,
    simulator: Result<Loaded, String>,
    open: &mut dyn OpenProblem,
    step: &Step,
    input: Input,
) -> Diagnosis {
    let input =
        input.planned_for(input.multiprocessors.unwrap_or_else(|| problem::multiprocessors(gpu.0)));
    let name = gpu.0.uuid().map_or_else(String::new, |uuid| format!(" ({uuid})"));
    let again = repeat(gpu, open, step, input, &Verification::default(), REPETITIONS);
    let simulated = simulator.map_err(Trouble::Other).and_then(|(device, module)| {
        let largest = open.simulated_size(step, open.default_size(step, device.info()));
        if open.work(input.n) > MOST_WORK * open.work(largest) {
            return Err(Trouble::TooLarge);
        }
        simulate((device, module), open, step, input)
    });
    let has_wholes = input.purpose == Purpose::Timed && open.figure().whole.is_some();
    let seen = match &again {
        Ok(again) => again.words(step, &name),
        Err(error) => format!("repeated on the GPU{name} it failed: {error}"),
    };
    let (cause, said) = match simulated {
        Ok(runs) => runs.judge(step),
        Err(Trouble::Hazard(what)) => (Cause::Race, format!("the simulator sees a hazard: {what}")),
        Err(Trouble::Fault(what)) => (Cause::Kernel, format!("the simulator stops: {what}")),
        Err(Trouble::TooLarge) => {
            let n = input.n;
            (
                Cause::Unknown,
                format!("n = {n} is too large for the simulator; try a smaller --size"),
            )
        }
        Err(Trouble::Other(why)) => (Cause::Unknown, format!("the simulator cannot run it: {why}")),
    };
    let is_gone =
        again.as_ref().is_ok_and(|again| again.wrong.is_empty() && again.answers.len() == 1);
    // What was wrong may have been whole time steps or the like, which are not repeated.
    let cause = if cause == Cause::Chip && is_gone && has_wholes { Cause::Unknown } else { cause };
    let advice = match cause {
        Cause::Chip => "; `harness doctor --gpu-check` looks for more of this",
        _ => "",
    };
    let is_lost = again.is_err_and(|error| error.is_fatal());
    Diagnosis { cause, evidence: format!("{said}; {seen}{advice}"), is_lost }
}

/// Why the simulator could not repeat a case.
enum Trouble {
    Hazard(String),
    Fault(String),
    TooLarge,
    Other(String),
}

impl From<Error> for Trouble {
    fn from(error: Error) -> Trouble {
        match is_fault(&error) {
            true => Trouble::Fault(error.to_string()),
            false => Trouble::Other(error.to_string()),
        }
    }
}

/// Whether the kernel is at fault, and not what runs it.
fn is_fault(error: &Error) -> bool {
    matches!(error, Error::Kernel { .. } | Error::Fault(_))
}

/// How repetitions of one case ended.
struct Runs {
    /// What each wrong one was.
    wrong: Vec<Mismatch>,
    /// The different results, bit by bit, and how often each came.
    answers: Vec<(Vec<Copied>, u64)>,
    count: u64,
}

/// Runs a case in several orders of the warps, with a search for hazards.
fn simulate(
    (device, module): Loaded,
    open: &mut dyn OpenProblem,
    step: &Step,
    input: Input,
) -> Result<Runs, Trouble> {
    let how = Verification::default();
    let runs = repeat((&mut *device, &mut *module), open, step, input, &how, ORDERS);
    runs.map_err(|error| {
        if !is_fault(&error) {
            return error.into();
        }
        // A fault that remains without the search is none of its findings.
        let without = Verification { hazards: false, ..Verification::default() };
        match repeat((device, module), open, step, input, &without, 1) {
            Err(other) if is_fault(&other) => other.into(),
            _ => Trouble::Hazard(error.to_string()),
        }
    })
}

/// Runs a case up to `most` times over the same memory; where time is of the simulator, no longer than is reasonable.
fn repeat(
    (device, module): Loaded,
    open: &mut dyn OpenProblem,
    step: &Step,
    input: Input,
    how: &Verification,
    most: u64,
) -> Result<Runs, Error> {
    let began = Instant::now();
    let is_simulated = measure::is_modelled(device.info());
    let mut runs = Runs { wrong: Vec::new(), answers: Vec::new(), count: 0 };
    let mut pass = open.place(device, step, module, input)?;
    let verified = how.simulation(input);
    while runs.count < most && !(is_simulated && runs.count > 0 && began.elapsed() > PATIENCE) {
        // The order in which the case was verified comes first, then others, and the usual one.
        let order = match runs.count {
            0 => verified.order,
            1 => !verified.order,
            2 => 0,
            other => other,
        };
        device.simulate(Simulation { order, ..verified.clone() });
        pass.upload(device)?;
        pass.run(device)?;
        match pass.check(device) {
            Ok(_) => {}
            Err(Failed::Wrong(wrong)) => runs.wrong.push(wrong),
            Err(Failed::Device(error)) => return Err(error),
        }
        let copied = pass.download(device)?;
        match runs.answers.iter_mut().find(|(known, _)| *known == copied) {
            Some((_, count)) => *count += 1,
            None => runs.answers.push((copied, 1)),
        }
        runs.count += 1;
    }
    device.simulate(Simulation::default());
    Ok(runs)
}

impl Runs {
    /// What the simulator's runs say.
    fn judge(&self, step: &Step) -> (Cause, String) {
        let count = self.count;
        let wrong = self.wrong.len() as u64;
        match self.wrong.first() {
            Some(first) if wrong == count => {
                (Cause::Kernel, format!("the simulator finds it wrong as well: {first}"))
            }
            Some(first) => {
                let orders = format!("{wrong} of {count} orders of the warps");
                (Cause::Race, format!("the simulator finds it wrong in {orders}: {first}"))
            }
            None => match difference(&self.answers).filter(|_| step.reproducible) {
                Some(where_) => (
                    Cause::Race,
                    format!("on the simulator the order of the warps decides: {where_}"),
                ),
                None => {
                    let orders = if count == 1 { "one order" } else { &format!("{count} orders") };
                    let right = "the simulator computes it right, with the warps in";
                    (Cause::Chip, format!("{right} {orders}, and sees no hazard"))
                }
            },
        }
    }

    /// What was seen when the case was repeated on a GPU.
    fn words(&self, step: &Step, name: &str) -> String {
        let (count, wrong, answers) = (self.count, self.wrong.len() as u64, self.answers.len());
        let mut words = match wrong {
            0 => format!("none of {count} repetitions on the GPU{name} is wrong"),
            wrong => format!("{wrong} of {count} repetitions on the GPU{name} are wrong"),
        };
        if (1..count).contains(&wrong) {
            words += ": this GPU gave two answers to one question";
        } else if answers == 1 {
            words += ", all with the same bits";
        }
        match difference(&self.answers) {
            Some(where_) if step.reproducible => format!("{words}; their bits differ: {where_}"),
            Some(_) => format!("{words}; {answers} differ in bits, as the order of sums lets them"),
            None => words,
        }
    }
}

/// Where the first two of several answers differ.
fn difference(answers: &[(Vec<Copied>, u64)]) -> Option<String> {
    let [(one, often), (other, seldom), ..] = answers else { return None };
    let difference = first_difference(one, other)?;
    Some(format!("{difference} ({often} and {seldom} times)"))
}

/// The first difference between two copies of the same results.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// How many words of 32 bits differ.
    pub words: usize,
    /// The buffer with the first difference.
    pub buffer: String,
    /// The index of the differing word in that buffer.
    pub at: usize,
    /// How many words the buffer has.
    pub of: usize,
    /// The word in each of the two copies.
    pub values: [u32; 2],
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.words {
            1 => write!(f, "1 word differs")?,
            words => write!(f, "{words} words differ")?,
        }
        let (at, [one, other]) = (self.at, self.values);
        write!(f, ": word {at} of `{}` is {one:#010x} or {other:#010x}", self.buffer)
    }
}

/// The first word in which two copies of the same results differ. `None` if they are equal.
pub fn first_difference(one: &[Copied], other: &[Copied]) -> Option<Difference> {
    let mut words = one.iter().zip(other).flat_map(|(a, b)| {
        let pairs = a.words.iter().zip(&b.words).enumerate();
        pairs.filter(|(_, (x, y))| x != y).map(move |(at, (x, y))| (a, at, [*x, *y]))
    });
    let (copied, at, values) = words.next()?;
    let (buffer, of) = (copied.name.clone(), copied.words.len());
    Some(Difference { words: 1 + words.count(), buffer, at, of, values })
}

#[cfg(test)]
mod tests;
