//! `report`: draws a report anew, or prints it.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::Args;
use pictures::Picture;
use report::Report;
use report::against::Against;
use report::published::Published;
use show::table::terminal::{self, wrap};
use show::{NO_LINK, against, export, steps, summary};
use ui::Usage;
use ui::output::{explain, note, print, print_data, say, wrote};

use super::compare::read;
use crate::drawing;
use crate::options::Shape;
use crate::runs::find;

pub(crate) const REPORT_EXAMPLES: &str = "\
Examples (`harness` is short for `cargo run -p harness --`):
  harness report                         redraw the latest run: its pictures
                                         and its page, report.html
  harness report cpu/latest              the latest run of a ladder, or
  harness report previous                the one before it that shares a step
  harness report reports/h200            another report
  harness report --with published        with the tutorial's three GPUs too
  harness report mine --with reports/h200 --with published
                                         with several machines
  harness report --format markdown       print its table for a text,
  harness report --format csv > run.csv  every size for a spreadsheet,
  harness report --format csv --samples  or every sample

With --format it prints, and draws nothing. The pictures depend on the report:
`sweep --size` gives rates by size, `sweep --block` by threads per block. A
GPU's report in DIR is compared with the CPU's in DIR/cpu, and the latest run of
a whole GPU ladder with that of the CPU ladder. Files are written completely or
not at all; outdated pictures are removed.";

/// Which report, with which others, and what to do with it.
#[derive(Debug, Args)]
pub struct ReportArgs {
    /// The report's folder, or its report.json; `latest` and `previous` are runs in reports/local,
    /// `cpu/latest` a ladder's
    #[arg(value_name = "DIR", default_value = "latest")]
    pub report: PathBuf,
    /// Also draw the ladder of another report, or of `published`, the tutorial's figures for its
    /// three GPUs; can be given several times
    #[arg(long, value_name = "DIR|published", conflicts_with = "format")]
    pub with: Vec<PathBuf>,
    /// Print the report instead of drawing it
    #[arg(long, value_enum)]
    pub format: Option<Shape>,
    /// With `--format csv`: a line for each sample
    #[arg(long, requires = "format")]
    pub samples: bool,
}

/// The name under which published figures can be asked for.
const PUBLISHED: &str = "published";

/// Draws or prints the report.
pub fn run(args: &ReportArgs) -> Result<ExitCode> {
    let path = find(&args.report)?;
    let report = read(&path)?;
    match args.format {
        Some(Shape::Csv) if args.samples => print_data(&export::samples_csv(&report))?,
        Some(_) if args.samples => bail!(Usage(
            "--samples is for --format csv; --format json has all samples too".to_owned()
        )),
        Some(Shape::Table) => print(&text(&report, folder(&path), Shape::Table)?)?,
        Some(shape) => print_data(&text(&report, folder(&path), shape)?)?,
        None => draw(&report, &path, &args.with)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Draws the pictures and the page of the report at `path`, over the ladders of other machines.
///
/// # Errors
/// Another report cannot be read, or a file cannot be written.
pub fn draw(report: &Report, path: &Path, with: &[PathBuf]) -> Result<()> {
    let more = machines(report, with)?;
    let against = compared(report, folder(path));
    let written = drawing::write(report, against.as_ref(), more, folder(path))?;
    note(&format!("{}\n", wrap(&wrote(&written), terminal::width())))
}

/// The folder of a report that was named by it or by its file.
fn folder(path: &Path) -> &Path {
    match path.parent() {
        _ if path.is_dir() => path,
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// The report in `folder` against a CPU's. One that cannot be read costs only that.
fn compared(report: &Report, folder: &Path) -> Option<(Against, String)> {
    drawing::against_cpu(report, folder).unwrap_or_else(|error| {
        say(&format!("not compared with a CPU: {}", explain(&error)));
        None
    })
}

fn text(report: &Report, folder: &Path, shape: Shape) -> Result<String> {
    let published = drawing::published(report)?;
    Ok(match shape {
        Shape::Table => {
            let width = terminal::width();
            let table = steps::table(report).terminal(width);
            let picture = format!("{}.svg", pictures::AGAINST);
            let against = compared(report, folder)
                .map(|(found, _)| summary::against(&found, &picture, width));
            let summary = summary::summary(report, &published, width);
            format!("{table}\n{summary}{}", against.unwrap_or_default())
        }
        Shape::Json => report.to_json(),
        Shape::Csv => export::csv(report),
        Shape::Markdown => {
            let against = compared(report, folder).map(|(found, _)| {
                format!("\n## Against a CPU\n\n{}", against::markdown(&found, NO_LINK))
            });
            format!("{}{}", export::markdown(report, &published), against.unwrap_or_default())
        }
    })
}

/// The picture of several machines, where others are asked for.
fn machines(report: &Report, with: &[PathBuf]) -> Result<Option<Picture>> {
    if with.is_empty() {
        return Ok(None);
    }
    let is_published = |path: &&PathBuf| path.as_os_str() == PUBLISHED;
    let published = match with.iter().any(|path| is_published(&path)) {
        true => drawing::published(report)?,
        false => Published::default(),
    };
    let others = with.iter().filter(|path| !is_published(path));
    let others: Vec<(String, Report)> = others
        .map(|path| Ok((path.display().to_string(), read(&find(path)?)?)))
        .collect::<Result<_, Usage>>()?;
    let picture = pictures::machines(report, &others, &published);
    picture.context("cannot compare the machines").map(Some)
}
