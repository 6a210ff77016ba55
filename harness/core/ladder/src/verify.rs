//! Whether a step computes what the reference says.
//!
//! Nothing is timed before it: the problem names the inputs ([`Problem::verification`]), each is
//! placed, run and checked, in several orders of the warps and with a search for hazards where the
//! device can. Then, in [`crate::measure`], the results at the timed size itself.
//!
//! [`Problem::verification`]: crate::Problem::verification

mod failure;
mod inputs;

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use device::{Device, Group, Module, Simulation, Timing};
use report::Extra;
use simt::Gaps;

use crate::judge::Mismatch;
use crate::ladder::OpenProblem;
use crate::problem::{Checked, Input, Pass, Purpose};
use crate::{Progress, Step, Threads};

pub use failure::Failure;
pub use inputs::Inputs;

/// How a kernel is verified. The default is how a step's own is: with all inputs, and hazards count.
#[derive(Debug, Clone, Copy)]
pub struct Verification {
    /// With which inputs.
    pub inputs: Inputs,
    /// Whether hazards count, and not only results.
    pub hazards: bool,
    /// Whether it is noted which code never runs, if the device can.
    pub coverage: bool,
    /// A launch is stopped where it spins if for so long none of its blocks ends; `None`: never.
    pub limit: Option<Duration>,
}

impl Default for Verification {
    fn default() -> Verification {
        Verification { inputs: Inputs::All, hazards: true, coverage: false, limit: None }
    }
}

impl Verification {
    /// How a step's own kernel is verified where it is noted which code never runs.
    pub fn covered() -> Verification {
        Verification { coverage: true, ..Verification::default() }
    }

    /// How a reader's kernel in the place of a step is verified: an infinite loop is stopped, and code that never runs is noted.
    ///
    /// # Errors
    /// The limit that the environment sets is none.
    pub fn of_readers(step: &Step) -> Result<Verification, device::Error> {
        Ok(Verification { limit: Some(limit(step)?), ..Verification::covered() })
    }

    /// How launches with an input are simulated.
    pub(crate) fn simulation(&self, input: Input) -> Simulation {
        Simulation {
            order: order(input),
            staggered: input.staggered,
            blocks: None,
            hazards: self.hazards && !input.results_alone,
            // With 0 no work is divided, on as many as there are.
            multiprocessors: input.multiprocessors.filter(|&few| few > 0),
            limit: self.limit,
            coverage: self.coverage,
        }
    }
}

/// What verification found of a kernel.
#[derive(Debug)]
pub struct Verified {
    /// What the problem says of the results.
    pub extras: Vec<Extra>,
    /// Which of its code never ran, if that was noted: there a mistake shows in no result.
    pub gaps: Vec<Gaps>,
}

/// Verifies a kernel in the place of a step with inputs that the step's problem names.
///
/// # Errors
/// The first [`Failure`].
pub fn verify(
    device: &mut dyn Device,
    open: &mut dyn OpenProblem,
    step: &Step,
    module: &mut Module,
    how: &Verification,
    progress: &mut dyn FnMut(Progress),
) -> Result<Verified, Failure> {
    let inputs = how.inputs.of(open, step);
    let extras = inputs.into_iter().try_fold(Vec::new(), |extras, input| -> Result<_, Failure> {
        progress(doing(input));
        let verified = verify_input(device, open, step, module, how, input);
        let found = verified.map_err(|failure| explain_plan(failure, input))?.extras;
        // What is said of the results is of launches as they are timed.
        let is_as_timed = !found.is_empty() && input.multiprocessors.is_none();
        Ok(if is_as_timed { found } else { extras })
    });
    device.simulate(Simulation::default());
    let ran = if how.coverage { device.coverage(module) } else { None };
    let gaps = ran.map_or_else(Vec::new, |ran| ran.gaps());
    Ok(Verified { extras: extras?, gaps })
}

/// Verifies the results of a step with one input of each size up to `most` that its problem names, at least with the
/// smallest: for where a launch takes a hundred times as long as usual.
///
/// # Errors
/// The first [`Failure`].
pub fn verify_small(
    device: &mut dyn Device,
    open: &mut dyn OpenProblem,
    step: &Step,
    module: &mut Module,
    most: u64,
    progress: &mut dyn FnMut(Progress),
) -> Result<(), Failure> {
    let mut inputs = open.verification(step, false);
    inputs.sort_by_key(|input| input.n);
    inputs.dedup_by_key(|input| input.n);
    let results = Verification { hazards: false, ..Verification::default() };
    for (place, input) in inputs.into_iter().enumerate() {
        if place > 0 && input.n > most {
            break;
        }
        progress(doing(input));
        verify_input(device, open, step, module, &results, input)
            .map_err(|failure| explain_plan(failure, input))?;
    }
    Ok(())
}

/// How long a launch of a reader's kernel may take.
fn limit(step: &Step) -> Result<Duration, device::Error> {
    match step.threads {
        Threads::One => device::long_launch_limit(),
        _ => device::launch_limit(),
    }
}

fn verify_input(
    device: &mut dyn Device,
    open: &mut dyn OpenProblem,
    step: &Step,
    module: &mut Module,
    how: &Verification,
    input: Input,
) -> Result<Checked, Failure> {
    let simulation = how.simulation(input);
    device.simulate(simulation.clone());
    let mut pass = open.place(device, step, module, input)?;
    let first = run(device, &mut *pass)?;
    if step.reproducible && matches!(input.purpose, Purpose::Repeated(_)) {
        device.simulate(Simulation { order: !simulation.order, ..simulation });
        let second = run(device, &mut *pass)?;
        judge_repetition(input.n, &first, &second)?;
    }
    Ok(first)
}

/// The seed of the order in which an input's blocks and warps take turns: another one for each seed of a run, and for two numbers
/// of multiprocessors at one size.
fn order(input: Input) -> u64 {
    let few = input.multiprocessors.map_or(0, u64::from);
    let mut random = ChaCha8Rng::seed_from_u64(input.seed);
    random.set_stream(input.n + few);
    random.next_u64().max(1)
}

/// Verifies what a few blocks of a launch of size `n` compute, which is too large to be run as a whole, if its blocks
/// need nothing of each other: a mistake that only later blocks make shows in no smaller launch. Why they were not
/// verified, where a kernel's blocks need something after all.
///
/// # Errors
/// [`Failure`]: the results are wrong, or the device failed.
pub fn verify_blocks(
    device: &mut dyn Device,
    open: &mut dyn OpenProblem,
    step: &Step,
    module: &mut Module,
    (n, whose): (u64, Whose),
    progress: &mut dyn FnMut(Progress),
) -> Result<Option<String>, Failure> {
    let Some((input, all)) = open.sampled_blocks(step, n) else { return Ok(None) };
    let blocks = drawn(whose, all, input.seed);
    progress(doing(input));
    let mut pass = open.place(device, step, module, input)?;
    pass.upload(device)?;
    let limit = Some(device::long_launch_limit()?);
    device.simulate(Simulation { blocks: Some(blocks.clone()), limit, ..Simulation::default() });
    let ran = pass.run(device);
    device.simulate(Simulation::default());
    match ran {
        Err(error) if error.is_skipped() => return Ok(Some(error.to_string())),
        ran => ran?,
    }
    pass.check_blocks(device, &blocks)?;
    Ok(None)
}

/// Whose kernel it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whose {
    /// A step's own.
    Ours,
    /// A reader's.
    Readers,
}

/// Which of `all` blocks are verified: one that the seed draws, as a block takes the simulator a quarter of a second and a
/// ladder has many steps; of a reader's kernel also the first, the last and another one.
fn drawn(whose: Whose, all: u64, seed: u64) -> Vec<u64> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut draw = || random.next_u64() % all.max(1);
    let mut blocks = BTreeSet::from([draw()]);
    if whose == Whose::Readers {
        blocks.extend([0, all.saturating_sub(1), draw()]);
    }
    blocks.into_iter().collect()
}

/// Runs a pass and judges its results. No clock goes meanwhile, as to model its time costs more than to run it.
///
/// # Errors
/// [`Failure`]: the results are wrong, or the device failed.
pub fn run(device: &mut dyn Device, pass: &mut dyn Pass) -> Result<Checked, Failure> {
    pass.upload(device)?;
    pass.run(device)?;
    device.synchronize()?;
    Ok(pass.check(device)?)
}

/// Says for which GPU the launches were planned, where that was not the device.
fn explain_plan(failure: Failure, input: Input) -> Failure {
    match (failure, input.multiprocessors) {
        (Failure::Wrong(wrong), Some(count)) => Failure::Wrong(wrong.planned_for(count)),
        (failure, _) => failure,
    }
}

/// Verifies a step on this GPU of a group, whose others do the same, and says what the problem says of
/// the results.
///
/// # Errors
/// The first [`Failure`].
pub fn verify_shared(
    device: &mut dyn Device,
    group: &mut dyn Group,
    open: &Mutex<Box<dyn OpenProblem>>,
    step: &Step,
    module: &mut Module,
    how: &Verification,
    progress: &mut dyn FnMut(Progress),
) -> Result<Vec<Extra>, Failure> {
    // Another's failure leaves nothing half done in it.
    let open = || open.lock().unwrap_or_else(PoisonError::into_inner);
    let inputs = open().verification(step, true);
    let verified = inputs.into_iter().try_fold(Vec::new(), |extras, input| {
        progress(doing(input));
        device.simulate(how.simulation(input));
        let mut pass = open().place_shared(device, group, step, module, input)?;
        pass.upload(device)?;
        pass.run(device, group)?;
        let checked = pass.check(device, group).map_err(Failure::from);
        let found = checked.map_err(|failure| explain_plan(failure, input))?.extras;
        Ok(if found.is_empty() { extras } else { found })
    });
    device.simulate(Simulation::default());
    verified
}

fn doing(input: Input) -> Progress {
    match input.purpose {
        Purpose::Verified(what) | Purpose::Repeated(what) => Progress::Verify { n: input.n, what },
        _ => Progress::Verify { n: input.n, what: "results" },
    }
}

/// A pass whose results are right.
#[derive(Debug)]
pub struct Evaluation {
    /// What they are.
    pub checked: Checked,
    /// How long it took.
    pub timing: Timing,
}

/// Places the inputs, runs a pass over them and checks its results. A GPU copies the inputs from its own memory where it
/// has had them before; the simulator keeps no second copy.
///
/// # Errors
/// [`Failure`]: the results are wrong, or the device failed.
pub fn evaluate(device: &mut dyn Device, pass: &mut dyn Pass) -> Result<Evaluation, Failure> {
    match device.info().modelled.is_some() {
        true => pass.upload(device)?,
        false => pass.restore(device)?,
    }
    let timing = device.time(&mut |device| pass.run(device))?;
    Ok(Evaluation { checked: pass.check(device)?, timing })
}

/// Judges whether two runs with the same inputs gave the same bits.
///
/// # Errors
/// [`Mismatch::Other`] with the first result that differs.
pub fn judge_repetition(n: u64, first: &Checked, second: &Checked) -> Result<(), Mismatch> {
    let ((one, width), (other, _)) = (&first.bits, &second.bits);
    if one == other {
        return Ok(());
    }
    let differs = (0..one.len().max(other.len())).find(|&i| one.get(i) != other.get(i));
    let Some(at) = differs else { return Ok(()) };
    let bits = |all: &[u64]| all.get(at).map_or_else(|| "nothing".into(), |it| format!("{it:#x}"));
    let what = format!(
        "the step promises the same bits in every run, and number {} of result {} was {} in one and \
         {} in another: does it depend on which warp comes first?",
        at % width,
        at / width,
        bits(one),
        bits(other)
    );
    Err(Mismatch::Other { n, what })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_readers_kernel_is_verified_at_both_ends_and_between() {
        for seed in 0..100 {
            let (ours, readers) = (drawn(Whose::Ours, 512, seed), drawn(Whose::Readers, 512, seed));
            assert!(ours.len() == 1 && readers.contains(&ours[0]) && readers.len() <= 4);
            assert_eq!((readers[0], readers[readers.len() - 1]), (0, 511));
        }
        assert_eq!(drawn(Whose::Readers, 1, 7), [0]);
    }
}
