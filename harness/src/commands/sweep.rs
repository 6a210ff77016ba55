//! `sweep`: runs steps at many sizes, or with blocks of many sizes.

use std::process::ExitCode;

use anyhow::{Result, bail};
use ladder::report::Report;
use ladder::{Request, workspace};

use crate::cli::run::SweepArgs;
use crate::count::Counts;
use crate::heuristics;
use crate::ladders::LADDERS;
use crate::names::{self, Usage};
use crate::session::{Session, check_size, climb_all, request};
use crate::table;

/// The most threads that a block can have (CUDA C++ Programming Guide, technical specifications).
const MOST_THREADS: u64 = 1024;

/// Does the sweep that `args` describe.
pub fn run(args: &SweepArgs) -> Result<ExitCode> {
    let name = args.what.ladder.as_deref().unwrap_or(LADDERS[0].name);
    let ladder = match args.block {
        None => names::ladder(LADDERS, name)?,
        Some(_) => names::ladder_of_kernels(LADDERS, name, "--block")?,
    };
    let list = |counts: &Option<Counts>| counts.as_ref().map_or(Vec::new(), |list| list.0.clone());
    let sizes = list(&args.size);
    sizes.iter().copied().try_for_each(check_size)?;
    let request = Request {
        sweep_sizes: sizes,
        sweep_blocks: list(&args.block).into_iter().map(block).collect::<Result<_>>()?,
        ..request(ladder, &args.what, &args.how)?
    };
    let out = match &args.out {
        Some(folder) => folder.clone(),
        None if ladder.is_for_cpu() => workspace::root()?.join("reports/local/cpu/sweep"),
        None => workspace::root()?.join("reports/local/sweep"),
    };
    climb_all(vec![Session { ladder, request, out, how: args.how.clone() }], &more)
}

/// The times at all sizes, where there are several; the rules for blocks, where they have several.
fn more(report: &Report) -> String {
    let sizes = match report.options.sweep_sizes.is_empty() {
        true => String::new(),
        false => format!("\n{}", table::sizes(&report.rows, table::width())),
    };
    sizes + &heuristics::text(report, table::width())
}

/// Threads that a block can have.
fn block(threads: u64) -> Result<u32> {
    match u32::try_from(threads) {
        Ok(block) if threads <= MOST_THREADS => Ok(block),
        _ => bail!(Usage(format!("--block {threads}: a block has at most {MOST_THREADS} threads"))),
    }
}
