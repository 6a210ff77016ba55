//! Kernels in the place of a step's: the verdict of `harness watch`.

use anyhow::{Context, Result};
use device::{Device, Watching, launch_limit};
use ladder::message::{self, Versions};
use ladder::verify::Failure;
use launches::readers::against::Subject;
use launches::readers::{Event, Judge};
use report::Request;
use show::message::painted;
use show::table::terminal;

use crate::answer::{Answer, RECORDED, write};

/// From this size on a launch has more than one warp.
const TWO_WARPS: u64 = 33;

/// What is to be said of a kernel in the place of that of `name`, a ladder and a step.
///
/// # Errors
/// There is no such step, or it is not in order.
pub fn judge(name: &str, text: &str, seed: u64) -> Result<Answer> {
    let mut said = String::new();
    let last = Judge::new(subject(name, text)?, seed)?.verdict(&mut |event| {
        if let Event::Right { gaps, .. } = event {
            said += "✓ correct at every size, no hazards\n";
            said.extend(gaps.iter().map(|gap| format!("not verified: {gap}\n")));
        }
        Ok(())
    })?;
    Ok(match last {
        Event::Impossible(why) => Answer::impossible(why),
        Event::Wrong(why) => Answer::wrong(painted(&why, terminal::width())),
        Event::Compared(text) => Answer::right(said + &text),
        Event::Doing(_) | Event::Right { .. } => Answer::right(said),
    })
}

/// What the first warps do at the smallest size that is verified and has more than one.
///
/// # Errors
/// As of [`judge`].
pub fn steps(name: &str, text: &str, seed: u64) -> Result<Answer> {
    let subject = subject(name, text)?;
    let source = subject.readers()?;
    let mut open = subject.ladder.open(&Request { seed, ..Request::default() })?;
    let inputs = open.verification(&subject.step, false);
    let input = inputs.iter().min_by_key(|input| (input.n < TWO_WARPS, input.n));
    let input = *input.with_context(|| format!("{name} is verified at no size"))?;
    let mut device = subject.device();
    let (trace, limit) = (Some(RECORDED), Some(launch_limit()?));
    device.watch(Watching { trace, limit, ..Watching::default() });
    let mut run = || {
        let mut module = device.load(&source)?;
        let mut pass = open.place(&mut device, &subject.step, &mut module, input)?;
        pass.upload(&mut device)?;
        Ok::<_, Failure>(pass.run(&mut device)?)
    };
    if let Err(failure) = run() {
        let (original, doing) = (subject.original()?, format!("stepping through n = {}", input.n));
        let versions = Versions { source: &source, original: Some(&original) };
        let why = message::explain(&failure, versions, &doing);
        return Ok(Answer::wrong(painted(&why, terminal::width())));
    }
    Answer::steps(&device.take_profiles())
}

/// A step, and the text in the place of its kernel.
fn subject(name: &str, text: &str) -> Result<Subject> {
    let (ladder, step) = name.split_once('/').context("write a step as LADDER/STEP")?;
    let ladder = ladders::ladder(ladder)?;
    Ok(Subject {
        ladder,
        step: ladders::step(ladder, step)?,
        file: write(step, "cu", text)?,
        kernels: ladder.kernels()?,
        gpu: device::described(device::DEFAULT_GPU)?,
    })
}
