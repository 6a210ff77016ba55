//! `compare`: what is faster or slower in one report than in another.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use report::Report;
use show::compare::{self, Comparison, EFFECT};
use show::table::terminal;
use ui::Usage;
use ui::output::{print, shown};

use crate::options::Shape;
use crate::runs::find;

pub(crate) const COMPARE_EXAMPLES: &str = "\
Examples (`harness` is short for `cargo run -p harness --`):
  harness run --out before               run one version;
  git switch mine                        run another: other code,
  harness run --out after                driver or GPU;
  harness compare before after           what became faster or slower
  harness compare previous latest        the last two runs that share a step
  harness compare --effect 10% before after
                                         only large differences count
  harness compare --format json before after > differences.json
  harness compare before after || echo worse
                                         in a script: 1 is a regression

A and B are folders of reports, or report.json files. `latest` is the latest run
in reports/local, `previous` the one before it that timed one of its steps,
`cpu/latest` the latest of one ladder. Each step is compared at every size, and
block size of a sweep, that both reports have. Intervals are of the ratio of
medians, and hold for all rows of the table together with 95% confidence.
  faster, slower   the whole interval lies beyond --effect
  no difference    it does not: equal, or too few samples to tell
  modelled         the ratio of two modelled times, which has no interval
Modelled times are never compared with measured ones. A warning lists what else
differs between the runs: machine, driver, compiler, seed, options.
Exit codes: 0 nothing is slower; 1 a step of B is slower, or wrong or failed
            where A's was right; 2 usage, no such report";

/// Which reports to compare, and how.
#[derive(Debug, Args)]
pub struct CompareArgs {
    /// The baseline: a report's folder or its report.json
    #[arg(value_name = "A")]
    pub a: PathBuf,
    /// The report to judge
    #[arg(value_name = "B")]
    pub b: PathBuf,
    /// Smallest difference in speed that counts
    #[arg(long, value_name = "PERCENT", default_value_t = Percent(EFFECT), value_parser = percent, allow_negative_numbers = true)]
    pub effect: Percent,
    /// What to print
    #[arg(short, long, value_enum, default_value_t = Shape::Table)]
    pub format: Shape,
}

/// A part of something: 0.03 is written as 3%.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Percent(pub f64);

impl std::fmt::Display for Percent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", report::format::percent(self.0))
    }
}

/// Reads `3%`, `0.5%` or `0.03`.
fn percent(text: &str) -> Result<Percent, Usage> {
    let (digits, unit) = match text.strip_suffix('%') {
        Some(digits) => (digits, 100.0),
        None => (text, 1.0),
    };
    let number = digits.trim().parse::<f64>().map(|number| number / unit);
    match number {
        Ok(number) if (0.0..=1.0).contains(&number) => Ok(Percent(number)),
        Ok(_) => Err("must be from 0% to 100%; write it as 3% or 0.03".into()),
        Err(_) => Err("not a part; write it as 3%, 0.5% or 0.03".into()),
    }
}

/// Compares the reports and says with the exit code whether the second is worse.
pub fn run(args: &CompareArgs) -> Result<ExitCode> {
    let (a, b) = (find(&args.a)?, find(&args.b)?);
    let names = [&a, &b].map(|path| shown(path));
    let (a, b) = (read(&a)?, read(&b)?);
    let comparison = Comparison::of((&names[0], &a), (&names[1], &b), args.effect.0);
    if comparison.rows.is_empty() && !comparison.regression {
        let why = comparison.left.first().map_or("there are no rows".to_owned(), |left| {
            format!("{}: {}", left.step(), left.why)
        });
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
pub fn read(path: &Path) -> Result<Report, Usage> {
    let file = if path.is_dir() { path.join("report.json") } else { path.to_path_buf() };
    Report::read(&file).map_err(|error| Usage(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_written_in_percent_or_not() {
        for (text, part) in [("3%", 0.03), ("0.5%", 0.005), ("0.03", 0.03), ("0", 0.0), ("1", 1.0)]
        {
            assert_eq!(percent(text), Ok(Percent(part)), "{text}");
        }
        for text in ["", "%", "3", "-1%", "101%", "many", "NaN", "inf", "1e400"] {
            assert!(percent(text).is_err_and(|message| message.0.contains("0.03")), "{text}");
        }
        assert_eq!(Percent(EFFECT).to_string(), "1%");
    }
}
