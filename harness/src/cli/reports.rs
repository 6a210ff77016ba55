//! What the commands that read reports can be told.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use show::compare::EFFECT;

pub(super) const COMPARE_EXAMPLES: &str = "\
Examples (`harness` is short for `cargo run -p harness --`):
  harness run --out before               a run;
  git switch mine                        the same with other code,
  harness run --out after                another driver or another GPU;
  harness compare before after           what that made faster or slower
  harness compare --effect 10% before after
                                         only great differences count
  harness compare --format json before after > differences.json
  harness compare before after || echo worse
                                         in a script: 1 is a regression

A and B are folders of reports, or report.json files. A step is compared with
itself at every size that both reports have (and at each block size of a
sweep). The interval is of the ratio of medians of all samples: all intervals
of a table hold together with 95%, so that one look at many rows is no more
likely to find a difference by chance than one look at one row.
  faster, slower   the whole interval lies beyond the effect
  no difference    it does not: the two are equal, or the samples cannot tell
Modelled times have no interval and are never compared with measured ones.
What else differs between the runs (machine, driver, compiler, seed, options)
is warned of: then it is not the code alone that made them differ.
Exit codes: 0 nothing is slower; 1 a step of B is slower beyond the effect, or
            is wrong or failed where A's was right; 2 usage, no such report";

pub(super) const REPORT_EXAMPLES: &str = "\
Examples (`harness` is short for `cargo run -p harness --`):
  harness report                         draw reports/local anew: its pictures
                                         and its page, report.html
  harness report reports/h200            the same of another report
  harness report --with published        beside the tutorial's three GPUs too
  harness report mine --with reports/h200 --with published
                                         beside several machines
  harness report --format markdown       its table for a page of text, and
  harness report --format csv > run.csv  every size for a spreadsheet, or
  harness report --format csv --samples  every sample

With --format it prints, and draws nothing. What is drawn depends on what was
run: `sweep --size` gives rates by number of bodies, `sweep --block` by threads
a block; limits and samples are drawn where the report has them. Where DIR has
a GPU's report and DIR/cpu a CPU's, they are drawn against each other. Every file
is written whole or not at all; pictures that are out of date are taken away.";

pub(super) const SCHEMA_HELP: &str = "\
Every field with its meaning and unit is described in it, as in the committed
reports/report.schema.json. It is made from the types in
harness/ladder/src/report/; after a change there:
  cargo run -p harness -- schema > reports/report.schema.json";

/// Which reports to compare, and how.
#[derive(Debug, Args)]
pub struct CompareArgs {
    /// The report to compare with: its folder or its report.json
    #[arg(value_name = "A")]
    pub a: PathBuf,
    /// The report that is judged
    #[arg(value_name = "B")]
    pub b: PathBuf,
    /// The least difference of speed that counts
    #[arg(long, value_name = "PERCENT", default_value_t = Percent(EFFECT), value_parser = percent, allow_negative_numbers = true)]
    pub effect: Percent,
    /// What to print
    #[arg(long, value_enum, default_value_t = Shape::Table)]
    pub format: Shape,
}

/// Which report, beside which others, and what to do with it.
#[derive(Debug, Args)]
pub struct ReportArgs {
    /// The report's folder, or its report.json [default: reports/local]
    #[arg(value_name = "DIR")]
    pub report: Option<PathBuf>,
    /// Draw its ladder over that of another report, or of `published`, the tutorial's figures for
    /// its three GPUs; can be given several times
    #[arg(long, value_name = "DIR|published", conflicts_with = "format")]
    pub with: Vec<PathBuf>,
    /// Print the report and draw nothing
    #[arg(long, value_enum)]
    pub format: Option<Shape>,
    /// With `--format csv`: a line for each sample
    #[arg(long, requires = "format")]
    pub samples: bool,
}

/// What is printed of reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Shape {
    /// Tables to read
    Table,
    /// All of it as data
    Json,
    /// A line for each step and size, for spreadsheets
    Csv,
    /// A table for a page
    Markdown,
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
fn percent(text: &str) -> Result<Percent, String> {
    let (digits, unit) = match text.strip_suffix('%') {
        Some(digits) => (digits, 100.0),
        None => (text, 1.0),
    };
    let number = digits.trim().parse::<f64>().map(|number| number / unit);
    match number {
        Ok(number) if (0.0..=1.0).contains(&number) => Ok(Percent(number)),
        Ok(_) => Err("must be from 0% to 100%; write it as 3% or 0.03".to_owned()),
        Err(_) => Err("not a part; write it as 3%, 0.5% or 0.03".to_owned()),
    }
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
            assert!(percent(text).is_err_and(|message| message.contains("0.03")), "{text}");
        }
        assert_eq!(Percent(EFFECT).to_string(), "3%");
    }
}

/// Which format is shown.
#[derive(Debug, Args)]
pub struct SchemaArgs {
    /// That of scaling.json, which `scale` writes
    #[arg(long)]
    pub scaling: bool,
}
