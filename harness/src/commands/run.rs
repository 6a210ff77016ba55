//! `run`: climbs a ladder.

use std::process::ExitCode;

use anyhow::Result;
use ladder::Request;
use ladder::files::check_writable;

use crate::cli::run::RunArgs;
use crate::ladders::LADDERS;
use crate::names;
use crate::session::{Session, check_size, request};

/// Does the run that `args` describe.
pub fn run(args: &RunArgs) -> Result<ExitCode> {
    let ladder = names::ladder(LADDERS, args.what.ladder.as_deref().unwrap_or("nbody"))?;
    let request = Request {
        size: args.size,
        time_steps: args.time_steps,
        bodies: args.bodies.clone(),
        save: args.save.clone(),
        ..request(ladder, &args.what, &args.how)?
    };
    // What would otherwise be found out after the run.
    args.size.map(check_size).transpose()?;
    if let Some(file) = &args.bodies {
        ladder::nbody::read(file)?;
    }
    if let Some(file) = &args.save {
        check_writable(file)?;
    }
    Session { ladder, request, out: args.out.clone(), how: &args.how }.run(&|_| String::new())
}
