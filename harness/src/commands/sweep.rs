//! `sweep`: runs steps at many sizes, with blocks of many sizes, or compiled with many values of their kernels' parameters.

use std::process::ExitCode;

use anyhow::{Result, bail};
use device::CodeRoute;
use report::Report;
use ladder::workspace;
use report::{Defines, Request};

use crate::cli::run::SweepArgs;
use crate::count::Counts;
use crate::ladders::LADDERS;
use crate::names::{self, Usage};
use crate::session::{Session, climb_all, request};
use show::table::terminal;
use show::{heuristics, steps, tuning};

/// The most threads that a block can have (CUDA C++ Programming Guide, technical specifications).
const MOST_THREADS: u64 = 1024;

/// Does the sweep that `args` describe.
pub fn run(args: &SweepArgs) -> Result<ExitCode> {
    let name = args.what.ladder.as_deref().unwrap_or(LADDERS[0].name());
    let ladder = match (&args.block, args.define.as_slice()) {
        (None, []) => names::ladder(name)?,
        (Some(_), _) => names::ladder_of_kernels(name, "--block")?,
        (None, _) => names::ladder_of_kernels(name, "--define")?,
    };
    check_defines(args)?;
    let list = |counts: &Option<Counts>| counts.as_ref().map_or(Vec::new(), |list| list.0.clone());
    let sizes = list(&args.size);
    let request = Request {
        sweep_sizes: sizes,
        sweep_blocks: list(&args.block).into_iter().map(block).collect::<Result<_>>()?,
        sweep_defines: args.define.clone(),
        ..request(ladder, &args.what, &args.how)?
    };
    let out = match &args.out {
        Some(folder) => folder.clone(),
        None => workspace::root()?.join("reports/local").join(ladder.name()).join("sweep"),
    };
    climb_all(vec![Session { ladder, request, out, how: args.how.clone() }], &more)
}

/// The times at all sizes, where there are several; those of all variants, and the rules for blocks,
/// where these have several.
fn more(report: &Report) -> String {
    let sizes = match report.options.sweep_sizes.is_empty() {
        true => String::new(),
        false => format!("\n{}", steps::sizes(report).terminal(terminal::width())),
    };
    let width = terminal::width();
    sizes + &tuning::text(report, width) + &heuristics::text(report, width)
}

/// Refuses parameters that cannot be swept over.
fn check_defines(args: &SweepArgs) -> Result<(), Usage> {
    for (place, Defines { name, .. }) in args.define.iter().enumerate() {
        let wrong = if args.define[..place].iter().any(|other| other.name == *name) {
            "it is given twice; give all its values at once"
        } else if name == "THREADS" {
            "the launches must follow the size of a block; write --block"
        } else if args.how.code == CodeRoute::Committed {
            "the kernels must be compiled for it, and --code committed forbids that; leave it out"
        } else {
            continue;
        };
        return Err(Usage(format!("--define {name}: {wrong}")));
    }
    Ok(())
}

/// Threads that a block can have.
fn block(threads: u64) -> Result<u32> {
    match u32::try_from(threads) {
        Ok(block) if threads <= MOST_THREADS => Ok(block),
        _ => bail!(Usage(format!("--block {threads}: a block has at most {MOST_THREADS} threads"))),
    }
}
