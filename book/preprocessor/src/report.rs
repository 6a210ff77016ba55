// SPDX-License-Identifier: MIT OR Apache-2.0
//! Draws tables and plots of committed reports: the book's only source of measured numbers.

use std::fmt::Write;
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail, ensure};
use harness::scaling::data::Scaling;
use harness::table::{self, by_size, figures};
use ladder::report::{Outcome, Report, Row, TimeSource, Timed};
use ladder::{Ladder, Step};

/// The rows of a step and of the parent that it was measured against, with what else was measured of them. `above` leads
/// from the page up to `book/src`.
pub fn row(root: &Path, machine: &str, of: (&Ladder, &Step), above: &str) -> Result<String> {
    let (ladder, step) = of;
    let mut report = read(root, machine)?;
    let own = |row: &Row| row.ladder == ladder.name && row.step == step.name;
    // A report may be older than a step that has come between.
    let parent = report.rows.iter().find(|row| own(row)).and_then(|row| row.after.clone());
    report
        .rows
        .retain(|row| own(row) || row.ladder == ladder.name && parent.as_ref() == Some(&row.step));
    let row =
        report.rows.iter().find(|row| own(row)).with_context(|| missing(machine, ladder, step))?;
    let mut out = format!(
        "{} [How]({above}how-it-is-measured.md)\n\n{}\n",
        caption(&report),
        rows(&report, above)
    );
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

/// A picture of a report, by the name of its file, as SVG in the page itself.
pub fn plot(root: &Path, machine: &str, stem: &str) -> Result<String> {
    if stem == "scaling" {
        // Not of a run, but of `scale`.
        let found = Scaling::read(&root.join("reports").join(machine))?;
        let svg = harness::plot::scaling_svg(&found)?;
        return Ok(figure(&svg.with_context(|| format!("reports/{machine} is of one GPU"))?));
    }
    let plots = harness::plot::of(&read(root, machine)?);
    let Some(plot) = plots.iter().find(|plot| plot.stem == stem) else {
        let known: Vec<&str> = plots.iter().map(|plot| plot.stem).collect();
        bail!("reports/{machine} has no data for a picture `{stem}`; it has: {}", known.join(", "));
    };
    Ok(figure(&plot.svg()?))
}

/// The rates of a report's steps at all its sizes.
pub fn rates(root: &Path, machine: &str, above: &str) -> Result<String> {
    let report = read(root, machine)?;
    let table = by_size::rates(&report, &|row| Some(page(row, above)));
    Ok(format!("{} In 10⁹ interactions per second:\n\n{table}", caption(&report)))
}

/// How long whole time steps of a report's steps take at all its sizes.
pub fn time_steps(root: &Path, machine: &str, above: &str) -> Result<String> {
    let report = read(root, machine)?;
    let table = by_size::time_steps(&report, &|row| Some(page(row, above)));
    Ok(format!("{} A whole time step:\n\n{table}", caption(&report)))
}

/// A step at each of its sizes in a report.
pub fn sizes(root: &Path, machine: &str, of: (&Ladder, &Step)) -> Result<String> {
    let (ladder, step) = of;
    let report = read(root, machine)?;
    let own = |row: &&Row| row.ladder == ladder.name && row.step == step.name;
    let row = report.rows.iter().find(own).with_context(|| missing(machine, ladder, step))?;
    ensure!(
        !row.timed.is_empty(),
        "reports/{machine}/report.json has no time of {}/{}: it is {}",
        ladder.name,
        step.name,
        row.outcome
    );
    Ok(format!("{}\n\n{}", caption(&report), by_size::step(row)))
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
    table::linked(report, &|row| Some(page(row, above))).trim_end().to_owned()
}

/// The page of a row's step.
fn page(row: &Row, above: &str) -> String {
    format!("{above}{}/{}.md", row.ladder, row.step)
}

fn missing(machine: &str, ladder: &Ladder, step: &Step) -> String {
    format!("reports/{machine}/report.json has no row of {}/{}", ladder.name, step.name)
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
    fn only_pictures_that_there_are_data_for_are_drawn() {
        let root = ladder::workspace::root().expect("the workspace");
        assert!(plot(&root, "h200-n4096", "ladder").expect("a plot").contains("<svg"));
        let message = plot(&root, "h200-n4096", "blocks").unwrap_err().to_string();
        assert!(message.contains("`blocks`") && message.contains("it has: ladder"), "{message}");
    }

    #[test]
    fn sizes_are_of_one_step_or_of_all() {
        let root = ladder::workspace::root().expect("the workspace");
        let ladder = &harness::ladders::LADDERS[0];
        let step = ladder.step("05-rsqrt").expect("a step");
        let own = sizes(&root, "h200-n4096", (ladder, step)).expect("a table");
        assert!(own.starts_with("**MEASURED**") && own.contains("\n| 4096 |"), "{own}");
        let steps = time_steps(&root, "h200-launches", "").expect("a table");
        assert!(steps.contains("A whole time step") && steps.contains("(nbody/13x-graph.md)"));
        let all = rates(&root, "h200-n4096", "../").expect("a table");
        assert!(all.contains("| [rsqrt](../nbody/05-rsqrt.md) |"), "{all}");
    }

    #[test]
    fn a_missing_report_is_named() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let message = format!("{:#}", table(folder.path(), "h200", "").unwrap_err());
        assert!(message.starts_with("reports/h200/report.json does not exist"), "{message}");
    }
}
