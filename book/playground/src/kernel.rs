//! Kernels in the place of a step's: the verdict of `harness watch`.

use anyhow::{Context, Result};
use launches::readers::against::Subject;
use launches::readers::{Event, Judge};
use show::message::painted;
use show::table::terminal;

use crate::answer::{Answer, write};

/// What is to be said of a kernel in the place of that of `name`, a ladder and a step.
///
/// # Errors
/// There is no such step, or it is not in order.
pub fn judge(name: &str, text: &str, seed: u64) -> Result<Answer> {
    let (ladder, step) = name.split_once('/').context("write a step as LADDER/STEP")?;
    let ladder = ladders::ladder(ladder)?;
    let subject = Subject {
        ladder,
        step: ladders::step(ladder, step)?,
        file: write(step, "cu", text)?,
        kernels: ladder.kernels()?,
        gpu: device::described(device::DEFAULT_GPU)?,
    };
    let mut said = String::new();
    let last = Judge::new(subject, seed)?.verdict(&mut |event| {
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
