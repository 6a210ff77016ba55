//! `run`: climbs a ladder, or those that a bare run climbs.

use std::process::ExitCode;

use anyhow::Result;
use device::{Choice, CodeRoute, Scheduling};
use ladder::{Ladder, workspace};
use report::Request;

use crate::cli::Format;
use crate::cli::run::{How, RunArgs};
use crate::ladders::{CLIMBED_BY_DEFAULT, LADDERS};
use crate::names;
use crate::session::{Session, climb_all, request};

/// Does the run that `args` describe.
pub fn run(args: &RunArgs) -> Result<ExitCode> {
    let ladders = match args.what.ladder.as_deref() {
        Some("all") => LADDERS.to_vec(),
        Some(name) => vec![names::ladder(name)?],
        None if is_for_one(args) => vec![LADDERS[0]],
        None => LADDERS[..CLIMBED_BY_DEFAULT].to_vec(),
    };
    let several = ladders.len() > 1;
    let sessions: Result<Vec<Session>> =
        ladders.iter().map(|ladder| session(args, *ladder, several)).collect();
    climb_all(sessions?, &|_| String::new())
}

/// Whether what is asked for makes sense for one ladder only: the first, if none is named.
fn is_for_one(args: &RunArgs) -> bool {
    let RunArgs { what, problem, how, .. } = args;
    let names_code = what.steps.is_some() || what.kernel.is_some();
    names_code || !problem.is_empty() || how.format == Format::Json
}

/// The session on one ladder: each of several gets the options that are for it.
fn session(
    args: &RunArgs,
    ladder: &'static dyn Ladder,
    several: bool,
) -> Result<Session<'static>> {
    let how = match several {
        true => options(&args.how, ladder),
        false => args.how.clone(),
    };
    check_options(args, ladder)?;
    let request = Request {
        size: args.size,
        problem: args.problem.clone(),
        ..request(ladder, &args.what, &how)?
    };
    // What would otherwise be found out after the worker has begun.
    ladder.open(&request).map_err(names::Usage)?;
    let out = match &args.out {
        None => workspace::root()?.join("reports/local").join(ladder.name()),
        Some(folder) if several => folder.join(ladder.name()),
        Some(folder) => folder.clone(),
    };
    Ok(Session { ladder, request, out, how })
}

/// Refuses options of another ladder's problem.
fn check_options(args: &RunArgs, ladder: &dyn Ladder) -> Result<(), names::Usage> {
    let has = |name: &String| ladder.options().iter().any(|option| option.name == name);
    match args.problem.keys().find(|name| !has(name)) {
        Some(name) => Err(names::Usage(format!(
            "--{name}: the ladder {} has no such option; see `harness run --help`",
            ladder.name()
        ))),
        None => Ok(()),
    }
}

/// The options of a run of several ladders that are for this one.
fn options(how: &How, ladder: &dyn Ladder) -> How {
    match ladder.is_for_cpu() {
        true => How {
            device: Choice::Cpu,
            code: CodeRoute::Auto,
            scheduling: Scheduling::default(),
            ..how.clone()
        },
        false => How { threads: None, vectors: None, ..how.clone() },
    }
}
