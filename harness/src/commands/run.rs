//! `run`: climbs a ladder.

use std::process::ExitCode;

use anyhow::{Result, bail};
use ladder::files::check_writable;
use ladder::{Ladder, Replacement, Request};

use crate::cli::RunArgs;
use crate::ladders::LADDERS;
use crate::names::{self, Usage};
use crate::session::Session;

/// A kernel counts bodies with an `int`, and the last block's threads count past the last body.
pub const MOST_BODIES: u64 = i32::MAX as u64 - 1024;

/// Does the run that `args` describe.
pub fn run(args: &RunArgs) -> Result<ExitCode> {
    let ladder = names::ladder(LADDERS, &args.ladder)?;
    let request = request(args, ladder)?;
    check_files(args)?;
    let (out, resume, format) = (args.out.clone(), args.resume, args.format);
    Session { ladder, request, out, resume, format }.run(&|_| String::new())
}

/// What the command line asks for, in the words of a worker.
fn request(args: &RunArgs, ladder: &Ladder) -> Result<Request> {
    let replacement = match (&args.kernel, &args.stands_for) {
        (Some(file), Some(step)) => Some(Replacement {
            file: file.clone(),
            step: names::step(ladder, step)?.name.to_owned(),
        }),
        _ => None,
    };
    let steps: Vec<String> = match (&args.steps, &replacement) {
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
    if let Some(size) = args.size.filter(|size| *size > MOST_BODIES) {
        bail!(Usage(format!(
            "--size {size} is more than a kernel can count; the most is {MOST_BODIES}"
        )));
    }
    Ok(Request {
        ladder: ladder.name.to_owned(),
        steps,
        device: args.device.to_string(),
        code: args.code.to_string(),
        model: args.gpu.clone(),
        scheduling: args.scheduling.to_string(),
        size: args.size,
        time_steps: args.time_steps,
        bodies: args.bodies.clone(),
        save: args.save.clone(),
        replacement,
        deadline_seconds: args.deadline,
        ..Request::default()
    })
}

/// Finds out before the run what would otherwise be found out after it.
fn check_files(args: &RunArgs) -> Result<()> {
    if let Some(file) = &args.kernel {
        device::Source::from_file(file, &[])?;
    }
    if let Some(file) = &args.bodies {
        ladder::nbody::read(file)?;
    }
    if let Some(file) = &args.save {
        check_writable(file)?;
    }
    Ok(())
}
