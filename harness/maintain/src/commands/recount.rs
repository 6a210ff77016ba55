//! `recount`: counts again what limits the steps of a report, and draws it.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use harness::commands::compare::read;
use harness::commands::report::draw;
use harness::drawing;
use harness::runs::find;
use ui::output::{note, say};

use crate::recount::recount;

pub(crate) const RECOUNT_EXAMPLES: &str = "\
Examples (`maintain` is short for `cargo run -p maintain --`):
  maintain recount reports/h200          after the simulator counts better
  maintain recount reports/h100 --kernels-of v1.2
                                         where the report names no revision

It is refused where the kernels are no longer those that were timed: run the
ladder again.";

/// Which report.
#[derive(Debug, Args)]
pub struct RecountArgs {
    /// The report's folder, or its report.json
    #[arg(value_name = "DIR")]
    pub report: PathBuf,
    /// The revision that has the kernels that were timed, where the report names none of this clone
    #[arg(long, value_name = "REVISION")]
    pub kernels_of: Option<String>,
}

/// Writes the report with the new limits, its page and its pictures.
pub fn run(args: &RecountArgs) -> Result<ExitCode> {
    let path = find(&args.report)?;
    let mut report = read(&path)?;
    recount(&mut report, args.kernels_of.as_deref(), &mut |step| say(step))?;
    let file = if path.is_dir() { path.join(drawing::REPORT) } else { path.clone() };
    report.write(&file)?;
    note(&format!("wrote {}\n", file.display()))?;
    draw(&report, &path, &[])?;
    Ok(ExitCode::SUCCESS)
}
