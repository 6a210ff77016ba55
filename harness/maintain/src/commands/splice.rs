//! `splice`: brings the tables in Markdown files up to date with the committed reports they are
//! drawn from.
//!
//! A table stands between two comments, which Markdown does not show:
//!
//! ```text
//! <!-- report: reports/h200 table -->
//! …
//! <!-- end -->
//! ```
//!
//! | asked for | is |
//! |---|---|
//! | `table` | the steps with their times |
//! | `ladder` | the ladder as a run's last screen has it, 80 columns wide |
//! | `limits` | how near each step comes to what the chip could do |
//! | `accuracy` | speed and error of the steps that were timed with the same number of bodies |
//! | `sizes` | the rates of all steps, a column for each size |
//! | `sizes 05` | a step at each size, against its parent |

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use ladder::workspace;
use report::accuracy::Accuracies;
use report::files::{read_text, write_whole};
use report::{Report, Row, split};
use show::rungs::{Detours, rungs};
use show::{accuracy, limits, steps};

use clap::Args;
use harness::drawing;
use std::path::PathBuf;
use ui::output::{mention, plain, say};

pub(crate) const SPLICE_EXAMPLES: &str = "\
Examples (`maintain` is short for `cargo run -p maintain --`):
  maintain splice README.md              update its tables
  maintain splice --check README.md      as .ci/run does";

/// Which files hold tables, and whether to write them.
#[derive(Debug, Args)]
pub struct SpliceArgs {
    /// Markdown files with tables between `<!-- report: reports/h200 table -->` and `<!-- end -->`; besides
    /// `table` there are `ladder`, `limits`, `sizes`, and `sizes STEP`
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Write nothing; exit with 1 if a table differs from its report
    #[arg(long)]
    pub check: bool,
}

const BEGIN: &str = "<!-- report: ";
const END: &str = "<!-- end -->";

/// Rewrites the files, or with `--check` says which ones would change.
pub fn run(args: &SpliceArgs) -> Result<ExitCode> {
    let root = workspace::root()?;
    // All are read before one is written: a mistake in the second leaves the first as it was.
    let mut changed = Vec::new();
    for file in &args.files {
        let text = read_text(file).with_context(|| format!("cannot read {}", file.display()))?;
        let spliced =
            splice(&text, &root, &up(file, &root)).with_context(|| file.display().to_string())?;
        if spliced != text {
            changed.push((file, spliced));
        }
    }
    for (file, spliced) in &changed {
        if args.check {
            let name = file.display();
            say(&format!(
                "{name} differs from its reports; update it: cargo run -p maintain -- splice {name}"
            ));
        } else {
            write_whole(file, |out| out.write_all(spliced.as_bytes()))?;
            mention(&format!("wrote {}", file.display()));
        }
    }
    Ok(ExitCode::from(u8::from(args.check && !changed.is_empty())))
}

/// The way from a file's folder up to the workspace's root, as a link begins: `../` for each folder
/// between.
fn up(file: &Path, root: &Path) -> String {
    let absolute = |path: &Path| path.canonicalize().ok();
    let depth = absolute(file).zip(absolute(root)).and_then(|(file, root)| {
        Some(file.parent()?.strip_prefix(root).ok()?.components().count())
    });
    "../".repeat(depth.unwrap_or(0))
}

/// The text with every part between markers drawn anew; `root` is where the reports' paths begin,
/// and `up` leads there in links.
fn splice(text: &str, root: &Path, up: &str) -> Result<String> {
    let mut spliced = String::with_capacity(text.len());
    let mut lines = text.split_inclusive('\n').enumerate();
    while let Some((number, line)) = lines.next() {
        spliced += line;
        let Some(marker) = line.trim().strip_prefix(BEGIN) else { continue };
        let place = || format!("line {}", number + 1);
        let (folder, what) = marker
            .strip_suffix(" -->")
            .and_then(|asked| asked.trim().split_once(' '))
            .with_context(|| {
                format!("{}: write the marker as `{BEGIN}reports/h200 table -->`", place())
            })?;
        let report = Report::read(&root.join(folder).join("report.json")).with_context(place)?;
        let drawn = drawn(&report, what.trim(), up).with_context(place)?;
        let end = lines
            .find(|(_, line)| line.trim() == END)
            .with_context(|| format!("{}: the part is not closed by `{END}`", place()))?;
        spliced += &drawn;
        spliced += end.1;
    }
    Ok(spliced)
}

/// What is asked for of a report.
fn drawn(report: &Report, what: &str, up: &str) -> Result<String> {
    let link = |ladder: &str, step: &str| Some(format!("{up}steps/{ladder}/{step}"));
    let words: Vec<&str> = what.split_whitespace().collect();
    Ok(match words.as_slice() {
        ["table"] => steps::linked(report, &link).markdown(),
        ["ladder"] => {
            format!("```text\n{}```\n", plain(&rungs(report, 80, Detours::Counted)))
        }
        ["limits"] => {
            let note = limits::note(report)
                .context("the report has no limits: it predates them; run again")?;
            format!("{}\n{note}\n", limits::markdown(report, &link))
        }
        ["accuracy"] => {
            let published = drawing::published(report)?;
            let accuracies = Accuracies::of(report, &published)
                .context("no step of the report was verified and timed")?;
            let table = accuracy::table(&accuracies, &link).markdown();
            format!("{table}\nSpeed and error {}\n", accuracy::sentence(&accuracies))
        }
        ["sizes"] => steps::rates(report, &link).markdown(),
        ["sizes", step] => steps::one(report, row(report, step)?).markdown(),
        _ => bail!(
            "a report has no `{what}`; there are: table, ladder, limits, accuracy, sizes, and sizes of one step, as \
             `sizes 05`"
        ),
    })
}

/// The row of a step, which is called by its number, its name or its folder.
fn row<'r>(report: &'r Report, step: &str) -> Result<&'r Row> {
    let is_called = |row: &&Row| {
        let (number, slug) = split(&row.step);
        row.is_own() && [number, slug, row.step.as_str()].contains(&step)
    };
    report.rows.iter().find(is_called).with_context(|| {
        let known: Vec<&str> = report.rows.iter().map(|row| row.step.as_str()).collect();
        format!("the report has no step `{step}`; it has: {}", known.join(", "))
    })
}
