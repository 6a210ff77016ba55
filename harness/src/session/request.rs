//! What the command line asks for, in the words of a worker.

use anyhow::{Result, bail};
use ladder::{Ladder, Replacement, Request};

use crate::cli::run::{How, What};
use crate::names::{self, Usage};

/// A kernel counts bodies with an `int`, and the last block's threads count past the last body.
const MOST_BODIES: u64 = i32::MAX as u64 - 1024;

/// The request for this code, run in this way.
///
/// # Errors
/// [`Usage`]: no such step, or a kernel whose step is not among those to run. A file that is no
/// kernel.
pub fn request(ladder: &Ladder, what: &What, how: &How) -> Result<Request> {
    let replacement = match (&what.kernel, &what.stands_for) {
        (Some(file), Some(step)) => Some(Replacement {
            file: file.clone(),
            step: names::step(ladder, step)?.name.to_owned(),
        }),
        _ => None,
    };
    let steps: Vec<String> = match (&what.steps, &replacement) {
        (Some(list), _) => {
            names::steps(ladder, list)?.iter().map(|step| step.name.to_owned()).collect()
        }
        (None, Some(replacement)) => vec![replacement.step.clone()],
        (None, None) => ladder.steps.iter().map(|step| step.name.to_owned()).collect(),
    };
    if let Some(Replacement { step, .. }) = &replacement
        && !steps.contains(step)
    {
        bail!(Usage(format!("--kernel stands for {step}, which --steps leaves out; add it there")));
    }
    if let Some(file) = &what.kernel {
        device::Source::from_file(file, &[])?;
    }
    Ok(Request {
        ladder: ladder.name.to_owned(),
        steps,
        device: how.device.to_string(),
        code: how.code.to_string(),
        model: how.gpu.clone(),
        scheduling: how.scheduling.to_string(),
        replacement,
        deadline_seconds: how.deadline,
        ..Request::default()
    })
}

/// Refuses a number of bodies that no kernel can count.
///
/// # Errors
/// [`Usage`].
pub fn check_size(size: u64) -> Result<(), Usage> {
    if size <= MOST_BODIES {
        return Ok(());
    }
    Err(Usage(format!("--size {size} is more than a kernel can count; the most is {MOST_BODIES}")))
}
