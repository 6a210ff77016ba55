//! `compare`: what is faster or slower in one report than in another.

use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;
use report::Report;
use show::compare::{self, Comparison};

use crate::cli::reports::{CompareArgs, Shape};
use crate::names::Usage;
use crate::output::print;
use show::table::terminal;

/// Compares the reports and says with the exit code whether the second is worse.
pub fn run(args: &CompareArgs) -> Result<ExitCode> {
    let (a, b) = (read(&args.a)?, read(&args.b)?);
    let names = [&args.a, &args.b].map(|path| path.display().to_string());
    let comparison = Comparison::of((&names[0], &a), (&names[1], &b), args.effect.0);
    if comparison.rows.is_empty() && !comparison.regression {
        let why = comparison
            .left
            .first()
            .map_or("there are no rows".to_owned(), |left| format!("{}: {}", left.step, left.why));
        let problem = format!(
            "{} and {} have no time in common ({why}); compare runs of the same steps at the same \
             sizes",
            names[0], names[1]
        );
        return Err(Usage(problem).into());
    }
    print(&match args.format {
        Shape::Table => compare::text::terminal(&comparison, terminal::width()),
        Shape::Json => compare::text::json(&comparison),
        Shape::Csv => compare::text::csv(&comparison),
        Shape::Markdown => compare::text::markdown(&comparison),
    })?;
    Ok(ExitCode::from(u8::from(comparison.regression)))
}

/// A report by its file or its folder. One that cannot be read is a mistake in the command: nothing
/// was found to be slower.
pub(super) fn read(path: &Path) -> Result<Report, Usage> {
    let file = if path.is_dir() { path.join("report.json") } else { path.to_path_buf() };
    Report::read(&file).map_err(|error| Usage(error.to_string()))
}
