// SPDX-License-Identifier: MIT OR Apache-2.0
//! Draws tables and plots of committed reports: the book's only source of measured numbers.

use std::fmt::Write;
use std::path::Path;

use anyhow::{Context, Result, anyhow, ensure};
use harness::table::{self, figures};
use ladder::report::{Outcome, Report, Row, TimeSource, Timed};
use ladder::{Ladder, Step};

/// The rows of a step and of its parent, with what else was measured of them. `above` leads from the
/// page up to `book/src`.
pub fn row(root: &Path, machine: &str, of: (&Ladder, &Step), above: &str) -> Result<String> {
    let (ladder, step) = of;
    let mut report = read(root, machine)?;
    let own = |row: &Row| row.ladder == ladder.name && row.step == step.name;
    report.rows.retain(|row| {
        own(row) || row.ladder == ladder.name && step.after == Some(row.step.as_str())
    });
    let row = report.rows.iter().find(|row| own(row)).with_context(|| {
        format!("reports/{machine}/report.json has no row of {}/{}", ladder.name, step.name)
    })?;
    let mut out = format!("{}\n\n{}\n", caption(&report), rows(&report, above));
    // Writing to a String cannot fail.
    if let (Some(at), Some(n)) = (row.parent().map(|(n, _)| n), row.n())
        && at != n
    {
        let _ = writeln!(out, "\n× parent is taken at n = {at}, where both were measured.");
    }
    if !row.outcome.is_verified() {
        let reason = row.reason.as_deref().unwrap_or("without a reason");
        let _ = writeln!(out, "\nThis step is **{}**: {reason}", row.outcome);
    }
    // The step after which such launches are looked at has them too, but nothing to compare them with.
    if report.rows.len() > 1 && report.rows.iter().all(|row| row.timed.iter().any(is_short)) {
        out.push_str(&short_launches(&report));
    }
    Ok(out)
}

/// Every row of a report.
pub fn table(root: &Path, machine: &str, above: &str) -> Result<String> {
    let report = read(root, machine)?;
    Ok(format!("{}\n\n{}\n", caption(&report), rows(&report, above)))
}

/// The plot of a report, as SVG in the page itself.
pub fn plot(root: &Path, machine: &str) -> Result<String> {
    let report = read(root, machine)?;
    let svg = harness::plot::ladder_svg(&report)?;
    Ok(figure(&svg))
}

/// A plot as a figure of a page.
pub fn figure(svg: &str) -> String {
    format!("<figure class=\"plot\">\n{}\n</figure>", inline(svg))
}

/// The committed report of a machine.
pub fn read(root: &Path, machine: &str) -> Result<Report> {
    let path = format!("reports/{machine}/report.json");
    let file = root.join(&path);
    ensure!(
        file.is_file(),
        "{path} does not exist; `cargo run -p harness -- run --out reports/{machine}` makes it, on that machine"
    );
    // The error's own text says all that its source does.
    Report::read(&file).map_err(|error| anyhow!("{error}"))
}

/// The rows as a table, each linked to its step's page.
fn rows(report: &Report, above: &str) -> String {
    let page = |row: &Row| Some(format!("{above}{}/{}.md", row.ladder, row.step));
    table::linked(report, &page).trim_end().to_owned()
}

/// Where the times come from, and of what.
pub fn caption(report: &Report) -> String {
    let sources: Vec<_> = report.rows.iter().filter_map(|row| row.time_source).collect();
    let word = match sources.as_slice() {
        [] => "NOT TIMED",
        all if all.iter().all(|source| *source == TimeSource::Model) => "MODELLED",
        all if all.contains(&TimeSource::Model) => "MEASURED AND MODELLED",
        _ => "MEASURED",
    };
    let mut out = format!("**{word}**");
    if let Some(device) = &report.device {
        let _ = write!(out, " on {}", device.name);
        for (name, value) in [
            ("driver", &device.driver_version),
            ("CUDA", &device.cuda_version),
            ("times of", &device.modelled),
        ] {
            if let Some(value) = value {
                let _ = write!(out, ", {name} {value}");
            }
        }
    }
    let _ = write!(out, ", {}", report.date);
    if report.rows.iter().any(|row| row.outcome == Outcome::Simulated) {
        out.push_str("; executed and verified on the simulator");
    }
    out.push('.');
    out
}

/// Whether a measurement is one of few bodies over many time steps.
fn is_short(timed: &Timed) -> bool {
    timed.time_steps > 1
}

/// The measurements of few bodies over many time steps.
fn short_launches(report: &Report) -> String {
    let mut lines = String::new();
    for row in &report.rows {
        for timed in row.timed.iter().filter(|timed| is_short(timed)) {
            let _ = writeln!(
                lines,
                "| {} | {} | {} | {} |",
                row.title,
                timed.n,
                timed.time_steps,
                figures::time(Some(timed.step_seconds))
            );
        }
    }
    format!(
        "\nWith few bodies over many time steps:\n\n| step | n | time steps | time of one step |\n|---|--:|--:|--:|\n{lines}"
    )
}

/// An SVG document as an element of a page: without its XML declaration, and without empty lines, at
/// which Markdown would end the HTML block.
fn inline(svg: &str) -> String {
    let start = svg.find("<svg").unwrap_or(0);
    svg[start..].lines().filter(|line| !line.trim().is_empty()).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_svg_document_becomes_an_element() {
        let svg = "<?xml version=\"1.0\"?>\n<svg viewBox=\"0 0 1 1\">\n\n  <g/>\n</svg>\n";
        assert_eq!(inline(svg), "<svg viewBox=\"0 0 1 1\">\n  <g/>\n</svg>");
    }

    #[test]
    fn a_missing_report_is_named() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let message = format!("{:#}", table(folder.path(), "h200", "").unwrap_err());
        assert!(message.starts_with("reports/h200/report.json does not exist"), "{message}");
    }
}
