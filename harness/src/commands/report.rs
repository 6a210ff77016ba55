//! `report`: draws a report anew, or prints it.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use report::Report;
use ladder::workspace;

use super::compare::read;
use crate::against::{self, Against};
use crate::cli::reports::{ReportArgs, Shape};
use crate::names::Usage;
use crate::output::{explain, print, say, wrote};
use crate::plot::Plot;
use crate::{export, html, plot, published, summary, table};

/// The name under which the tutorial's figures can be asked for.
const PUBLISHED: &str = "published";

/// Draws or prints the report.
pub fn run(args: &ReportArgs) -> Result<ExitCode> {
    let path = match &args.report {
        Some(path) => path.clone(),
        None => workspace::root()?.join("reports").join("local"),
    };
    let report = read(&path)?;
    match args.format {
        Some(Shape::Csv) if args.samples => print(&export::samples_csv(&report)?)?,
        Some(_) if args.samples => bail!(Usage(
            "--samples is for --format csv; --format json has all samples too".to_owned()
        )),
        Some(shape) => print(&text(&report, folder(&path), shape)?)?,
        None => {
            let more = beside(&report, &args.with)?;
            let against = against(&report, folder(&path));
            let written = html::write_with(&report, against.as_ref(), more, folder(&path))?;
            print(&format!("{}\n", table::layout::wrap(&wrote(&written), table::width())))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The folder of a report that was named by it or by its file.
fn folder(path: &Path) -> &Path {
    match path.parent() {
        _ if path.is_dir() => path,
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// The report in `folder` against a CPU's below it. One that cannot be read costs only that.
fn against(report: &Report, folder: &Path) -> Option<Against> {
    against::folder::below(report, folder).unwrap_or_else(|error| {
        say(&format!("not compared with a CPU: {}", explain(&error)));
        None
    })
}

fn text(report: &Report, folder: &Path, shape: Shape) -> Result<String> {
    Ok(match shape {
        Shape::Table => {
            let table = table::terminal(&report.rows, table::width());
            let against = against(report, folder);
            let against = against.map(|it| summary::against(&it, table::width()));
            let summary = summary::summary(report, table::width());
            format!("{table}\n{summary}{}", against.unwrap_or_default())
        }
        Shape::Json => report.to_json(),
        Shape::Csv => export::csv(report)?,
        Shape::Markdown => {
            let against = against(report, folder).map(|against| {
                let table = against::table::markdown(&against, &|_| None);
                format!("\n## Against a CPU\n\n{table}")
            });
            format!("{}{}", export::markdown(report), against.unwrap_or_default())
        }
    })
}

/// The picture of several machines, where others are asked for.
fn beside(report: &Report, with: &[PathBuf]) -> Result<Option<Plot>> {
    if with.is_empty() {
        return Ok(None);
    }
    let is_published = |path: &&PathBuf| path.as_os_str() == PUBLISHED;
    let lines = if with.iter().any(|path| is_published(&path)) {
        published::committed()?
    } else {
        Vec::new()
    };
    let others = with.iter().filter(|path| !is_published(path));
    let others: Vec<(String, Report)> = others
        .map(|path| Ok((path.display().to_string(), read(path)?)))
        .collect::<Result<_, Usage>>()?;
    let plot = plot::machines(report, &others, &lines);
    plot.context("the machines cannot be drawn over each other").map(Some)
}
