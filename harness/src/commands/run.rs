//! `run`: climbs a ladder, or all of them.

use std::process::ExitCode;

use anyhow::Result;
use device::{Choice, CodeRoute, Scheduling};
use ladder::files::check_writable;
use ladder::{Ladder, Request, workspace};

use crate::cli::Format;
use crate::cli::run::{How, RunArgs};
use crate::ladders::LADDERS;
use crate::names;
use crate::session::{Session, check_size, climb_all, request};

/// Does the run that `args` describe.
pub fn run(args: &RunArgs) -> Result<ExitCode> {
    let ladders = match &args.what.ladder {
        Some(name) => std::slice::from_ref(names::ladder(LADDERS, name)?),
        None if is_for_one(args) => &LADDERS[..1],
        None => LADDERS,
    };
    // What would otherwise be found out after the run.
    args.size.map(check_size).transpose()?;
    if let Some(file) = &args.bodies {
        ladder::nbody::read(file)?;
    }
    if let Some(file) = &args.save {
        check_writable(file)?;
    }
    let several = ladders.len() > 1;
    let sessions: Result<Vec<Session>> =
        ladders.iter().map(|ladder| session(args, ladder, several)).collect();
    climb_all(sessions?, &|_| String::new())
}

/// Whether what is asked for makes sense for one ladder only: the first, if none is named.
fn is_for_one(args: &RunArgs) -> bool {
    let RunArgs { what, bodies, save, how, .. } = args;
    let names_code = what.steps.is_some() || what.kernel.is_some();
    names_code || bodies.is_some() || save.is_some() || how.format == Format::Json
}

/// The session on one ladder. Beside the first ladder's report, the others' are in folders of their
/// own, and each ladder of several gets the options that are for it.
fn session<'l>(args: &RunArgs, ladder: &'l Ladder, several: bool) -> Result<Session<'l>> {
    let how = match several {
        true => options(&args.how, ladder),
        false => args.how.clone(),
    };
    let request = Request {
        size: args.size,
        time_steps: args.time_steps,
        bodies: args.bodies.clone(),
        save: args.save.clone(),
        ..request(ladder, &args.what, &how)?
    };
    let own = if ladder.is_for_cpu() { ladder.name } else { "" };
    let out = match &args.out {
        None => workspace::root()?.join("reports").join("local").join(own),
        Some(folder) if several => folder.join(own),
        Some(folder) => folder.clone(),
    };
    Ok(Session { ladder, request, out, how })
}

/// The options of a run of several ladders that are for this one.
fn options(how: &How, ladder: &Ladder) -> How {
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
