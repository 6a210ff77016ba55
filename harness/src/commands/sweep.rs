//! `sweep`: runs steps at many sizes, with blocks of many sizes, compiled with many values of their kernels' parameters, or with
//! many values of an option of their problem.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::{ArgGroup, Args};
use device::CodeRoute;
use ladder::Ladder;
use ladders::LADDERS;
use processes::Interrupt;
use report::files::write_whole;
use report::tradeoff::Tradeoff;
use report::{Defines, Report, Request};
use show::table::terminal;
use show::{heuristics, steps, tuning};
use ui::Usage;
use ui::count::{self, Counts, Values};
use ui::output::{note, print, say, wrote};

use crate::options::{Format, How, What};
use crate::session::{Session, climb_all, request};

/// At most 78 columns wide.
pub(crate) const SWEEP_EXAMPLES: &str = "\
Examples (`harness` is short for `cargo run -p harness --`):
  harness sweep --size 1k..1M            all steps at 1000, 2000, 4000 … 1000000
  harness sweep --steps 06,10 --size 1024..131072
                                         two steps at powers of two
  harness sweep --steps 05 --block 32..1024
                                         blocks of 32, 64 … 1024 threads
  harness sweep --steps 06 --block 64,128,256 --size 65536
                                         these blocks, all at one size
  harness sweep --steps 14 --define UNROLL=1,2,4,8,16
                                         step 14 compiled with each -DUNROLL=…
  harness sweep --steps 14 --define UNROLL=1..16 --block 64,128,256
                                         all combinations; also with --define
                                         given twice
  harness sweep --kernel my.cu --as 14 --define UNROLL=1,2,4
                                         your kernel in place of step 14
  harness sweep cpu --size 1k..32k       the CPU ladder
  harness sweep barnes-hut --steps 10,16 --option theta=0.25,0.5,1 --out DIR
                                         time against error: a report for each
                                         value in a folder of DIR

A step stops at the largest size that it can run in reasonable time. --define
needs NVRTC (see `harness doctor`); so does --block where a tile is as large as
a block. --define sets names that the kernel lets you set:
#ifndef UNROLL, #define UNROLL 4, #endif.
With --block, rules of thumb for block sizes are checked against the times.
Exit codes: those of `run`";

/// The options of `sweep`.
#[derive(Debug, Args)]
#[group(skip)]
#[command(group(ArgGroup::new("over").args(["size", "block", "define", "option"]).required(true).multiple(true)))]
pub struct SweepArgs {
    /// What to run
    #[command(flatten)]
    pub what: What,
    /// Sizes: a range that doubles (`1k..1M`), a list (`4096,10k`), or both
    #[arg(short = 'n', long, value_name = "LIST", value_parser = count::parse_list)]
    pub size: Option<Counts>,
    /// Threads per block, 1 to 1024, as a range or list
    #[arg(long, value_name = "LIST", value_parser = count::parse_list)]
    pub block: Option<Counts>,
    /// Compile the kernel with each value of a macro: `UNROLL=1,2,4`, `UNROLL=1..16`; several
    /// --define run all combinations
    #[arg(long, value_name = "NAME=LIST", value_parser = count::parse_defines)]
    pub define: Vec<Defines>,
    /// Run each value of one of the ladder's own options, such as an error limit: `theta=0.25,0.5,1`; each value gets a
    /// report in a subfolder of --out, which shows time against error
    #[arg(long, value_name = "NAME=LIST", value_parser = count::parse_values, requires = "out", conflicts_with_all = ["block", "define"])]
    pub option: Option<Values>,
    /// Where and how to run it
    #[command(flatten)]
    pub how: How,
    /// Folder for the report and its pictures [default: reports/local/LADDER/TIME-sweep-WHAT; the last 20
    /// runs are kept]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// The most threads that a block can have (CUDA C++ Programming Guide, technical specifications).
const MOST_THREADS: u64 = 1024;

/// Does the sweep that `args` describe.
pub fn run(args: &SweepArgs) -> Result<ExitCode> {
    args.how.launches.set();
    let name = args.what.ladder.as_deref().unwrap_or(LADDERS[0].name());
    let ladder = match (&args.block, args.define.as_slice()) {
        (None, []) => ladders::ladder(name)?,
        (Some(_), _) => ladders::ladder_of_kernels(name, "--block")?,
        (None, _) => ladders::ladder_of_kernels(name, "--define")?,
    };
    check_defines(args)?;
    let list = |counts: &Option<Counts>| counts.as_ref().map_or(Vec::new(), |list| list.0.clone());
    let sizes = list(&args.size);
    let mut request = Request {
        sweep_sizes: sizes,
        sweep_blocks: list(&args.block).into_iter().map(block).collect::<Result<_>>()?,
        sweep_defines: args.define.clone(),
        ..request(ladder, &args.what, &args.how)?
    };
    if args.what.steps.is_none() && (args.block.is_some() || !args.define.is_empty()) {
        // A library's functions have no such variants.
        request.steps.retain(|name| ladder.libraries().iter().all(|library| library.name != name));
    }
    let (out, how) = (args.out.clone(), args.how.clone());
    match (&args.option, &out) {
        (Some(option), Some(out)) => options(ladder, request, option, (out, how)),
        _ => {
            let sessions = vec![Session { ladder, request, out, how }];
            climb_all(sessions, &Interrupt::from_user()?, &more).map(ExitCode::from)
        }
    }
}

/// A run for each value of an option, in folders of `out`; there, time against error is drawn.
fn options(
    ladder: &'static dyn Ladder,
    request: Request,
    Values { name, values }: &Values,
    (out, how): (&Path, How),
) -> Result<ExitCode> {
    let session = |value: &String| {
        let problem = [(name.clone(), value.clone())].into();
        let request = Request { problem, ..request.clone() };
        if ladder.options().iter().all(|option| option.name != *name) {
            let ladder = ladder.name();
            bail!(Usage(format!("--option {name}: the ladder {ladder} has no such option")));
        }
        // What would otherwise be found out after the worker has begun.
        ladder.open(&request).map_err(Usage::of)?;
        let out = Some(out.join(format!("{name}-{value}")));
        Ok(Session { ladder, request, out, how: how.clone() })
    };
    let sessions = values.iter().map(session).collect::<Result<_>>()?;
    let code = climb_all(sessions, &Interrupt::from_user()?, &more)?;
    let reports = Report::read_below(out)?;
    match Tradeoff::of(&reports, &[], None) {
        Ok(found) if how.format == Format::Table => {
            let table = show::tradeoff::tradeoff(&found, show::NO_LINK);
            print(&format!("\n{}", table.terminal(terminal::width())))?;
            let picture = pictures::tradeoff(&found, &reports[0]);
            let file = out.join(format!("{}.svg", picture.name));
            write_whole(&file, |to| to.write_all(picture.svg.as_bytes()))?;
            note(&format!("\n{}\n", wrote(&[file])))?;
        }
        Ok(_) => {}
        Err(problem) => say(&format!("time and error were not compared: {problem}")),
    }
    Ok(code.into())
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
