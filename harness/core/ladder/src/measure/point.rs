//! A step at one size: verified, sampled, verified again.

use std::time::Instant;

use device::{Conditions, Device, Module, TimeSource, Timing};
use report::{EndToEnd, Extra, Timed};

use super::plan::Plan;
use super::sample::{Sample, take};
use super::size::is_modelled;
use super::{floor, renewed, timed};
use crate::Step;
use crate::ladder::OpenProblem;
use crate::limits::Chip;
use crate::problem::{Checked, Input, Pass, Size};
use crate::verify::{Evaluation, Failure, evaluate, judge_repetition, run};

/// A look at a pass that lasts longer tells enough; a shorter one is looked at again, since the
/// first launch of a kernel also loads it, which takes some milliseconds.
const TELLING_SECONDS: f64 = 0.1;

/// A step at one size.
pub struct Point {
    n: u64,
    /// The size of what was verified: less than `n` where the simulator did not run all of that.
    verified: u64,
    work: f64,
    has_whole: bool,
    /// What the first pass left.
    first: Checked,
    plan: Plan,
    /// What one pass is expected to last, s.
    expected: f64,
    source: TimeSource,
    rounds: Vec<u32>,
    samples: Vec<Sample>,
    conditions: Vec<Conditions>,
}

impl Point {
    /// Verifies the results at a size and makes a plan. Where time is modelled this takes the only
    /// sample; `counted` is the time of a pass of `n` elements if fewer are simulated.
    ///
    /// # Errors
    /// [`Failure`]: the results are wrong, or the device failed.
    pub fn verify(
        device: &mut dyn Device,
        open: &mut dyn OpenProblem,
        step: &Step,
        module: &mut Module,
        Size { n, wholes }: Size,
        counted: Option<f64>,
    ) -> Result<Point, Failure> {
        let has_whole = open.figure().whole.is_some();
        let verified = counted.map_or(n, |_| open.simulated_size(step, n));
        let mut pass = open.place(device, step, module, Input::timed(verified, open.seed()))?;
        let Evaluation { checked: first, timing } = match counted {
            None => evaluate(device, &mut *pass)?,
            Some(seconds) => {
                let timing = Timing { seconds, source: TimeSource::Model };
                Evaluation { checked: run(device, &mut *pass)?, timing }
            }
        };
        let modelled = is_modelled(device.info());
        let mut expected = timing.seconds;
        if !modelled && timing.seconds < TELLING_SECONDS {
            expected = device.time(&mut |device| pass.run(device))?.seconds;
        }
        let plan = match modelled {
            true => Plan { passes: 1, wholes: wholes.unwrap_or(0), ..Plan::new(expected, wholes) },
            false => Plan::new(expected, wholes),
        };
        let whole_seconds = match has_whole {
            true => Some(verify_wholes(device, &mut *pass, plan.wholes, timing.seconds)?),
            false => None,
        };
        drop(pass);
        let sample = match counted {
            None => Sample { seconds: timing.seconds, whole_seconds },
            Some(seconds) => {
                let rest = has_whole.then(|| rest(device, open, step, module, n)).transpose()?;
                Sample { seconds, whole_seconds: rest.map(|rest| seconds + rest) }
            }
        };
        let mut point = Point {
            n,
            verified,
            work: open.work(n),
            has_whole,
            first,
            plan,
            source: timing.source,
            expected,
            rounds: Vec::new(),
            samples: Vec::new(),
            conditions: Vec::new(),
        };
        if modelled {
            point.rounds.push(0);
            point.samples.push(sample);
        }
        Ok(point)
    }

    /// The problem size `n`.
    pub fn n(&self) -> u64 {
        self.n
    }

    /// What the problem says of the results at this size.
    pub fn extras(&self) -> &[Extra] {
        &self.first.extras
    }

    /// What a sample is expected to last, with all that belongs to it, s.
    pub fn expected_seconds(&self) -> f64 {
        let Plan { warm_ups, passes, wholes, .. } = self.plan;
        self.expected * f64::from(warm_ups + passes + wholes.max(1))
    }

    /// Takes a sample if the point has one in this round.
    ///
    /// # Errors
    /// The device's; or a time that no clock can have shown.
    pub fn sample(
        &mut self,
        device: &mut dyn Device,
        open: &mut dyn OpenProblem,
        step: &Step,
        module: &mut Module,
        round: u32,
    ) -> Result<(), Failure> {
        if !self.plan.takes_part(round) {
            return Ok(());
        }
        let mut pass = open.place(device, step, module, Input::timed(self.n, open.seed()))?;
        pass.restore(device)?;
        let (sample, conditions) = take(device, &*pass, self.plan, self.has_whole)?;
        self.rounds.push(round);
        self.samples.push(sample);
        self.conditions.extend(conditions);
        Ok(())
    }

    /// Verifies once more that the step computes what it was timed for, and says how long it took:
    /// longer than the least that is possible on `chip`. None of a point that was never sampled.
    ///
    /// # Errors
    /// [`Failure`]: the results are wrong, the device failed, or the time is impossible.
    pub fn finish(
        &self,
        device: &mut dyn Device,
        open: &mut dyn OpenProblem,
        step: &Step,
        module: &mut Module,
        chip: Option<&Chip>,
    ) -> Result<Option<Timed>, Failure> {
        if self.samples.is_empty() {
            return Ok(None);
        }
        if !is_modelled(device.info()) {
            if step.reproducible {
                let input = Input::timed(self.n, open.seed());
                let mut pass = open.place(device, step, module, input)?;
                let last = evaluate(device, &mut *pass)?.checked;
                judge_repetition(self.n, &self.first, &last)?;
            }
            let mut pass = open.place(device, step, module, Input::renewed(self.n, open.seed()))?;
            renewed::check(device, &mut *pass, self.n, self.plan, &self.samples)?;
        }
        floor::check(chip, open, self.n, &self.samples)?;
        let Checked { errors, tolerance, .. } = &self.first;
        let timed = timed::of(
            (self.n, self.work),
            errors.accuracy(self.verified, *tolerance),
            self.plan,
            &self.rounds,
            &self.samples,
            &self.conditions,
        );
        Ok(Some(Timed { sizes: open.sizes(self.n), ..timed }))
    }

    /// Where its times come from.
    pub fn source(&self) -> TimeSource {
        self.source
    }
}

/// Wholes whose results follow from the inputs: beyond the second they are judged by their own last one.
const FOLLOWED: u32 = 2;

/// Verifies wholes as they are to be timed: `count` started together, and few, or the rest after the
/// pass that was verified just now and took `pass_seconds`. How long one took, s.
fn verify_wholes(
    device: &mut dyn Device,
    pass: &mut dyn Pass,
    count: u32,
    pass_seconds: f64,
) -> Result<f64, Failure> {
    if count == 0 {
        let rest = device.time(&mut |device| pass.rest(device))?;
        pass.check_wholes(device, 1)?;
        return Ok(pass_seconds + rest.seconds);
    }
    let few = FOLLOWED.min(count);
    let mut seconds = 0.0;
    for count in (few..=few).chain((count > few).then_some(count)) {
        pass.upload(device)?;
        let mut work = pass.wholes(device, count)?;
        let all = device.time(&mut |device| work.as_mut().map_or(Ok(()), |it| it(device)))?;
        drop(work);
        pass.check_wholes(device, count)?;
        seconds = all.seconds / f64::from(count);
    }
    Ok(seconds)
}

/// The modelled time of what a whole of `n` elements consists of beyond the pass, s.
fn rest(
    device: &mut dyn Device,
    open: &mut dyn OpenProblem,
    step: &Step,
    module: &mut Module,
    n: u64,
) -> Result<f64, Failure> {
    let mut pass = open.place(device, step, module, Input::trial(n))?;
    pass.upload(device)?;
    Ok(device.time(&mut |device| pass.rest(device))?.seconds)
}

/// What a pass costs from allocation to results on the host, by the host's clock. `code_seconds` is
/// what its code cost.
///
/// # Errors
/// The device's.
pub fn end_to_end(
    device: &mut dyn Device,
    open: &mut dyn OpenProblem,
    step: &Step,
    module: &mut Module,
    n: u64,
    code_seconds: f64,
) -> Result<EndToEnd, device::Error> {
    let mut last = Instant::now();
    let mut lap = || {
        let now = Instant::now();
        (now - std::mem::replace(&mut last, now)).as_secs_f64()
    };
    let mut pass = open.place(device, step, module, Input::timed(n, open.seed()))?;
    device.synchronize()?;
    let allocate_seconds = lap();
    pass.upload(device)?;
    device.synchronize()?;
    let upload_seconds = lap();
    pass.run(device)?;
    device.synchronize()?;
    let pass_seconds = lap();
    pass.download(device)?;
    let (upload_bytes, download_bytes) = pass.bytes();
    Ok(EndToEnd {
        code_seconds,
        allocate_seconds,
        upload_seconds,
        upload_bytes,
        pass_seconds,
        download_seconds: lap(),
        download_bytes,
    })
}
