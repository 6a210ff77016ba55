//! Draws tables and plots of committed reports: the book's only source of measured numbers.

use std::fmt::Write;
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail, ensure};
use ladder::{Ladder, Step};
use pictures::{Context as Drawing, Picture};
use report::published::Published;
use report::scaling::Scaling;
use report::{Outcome, Report, Row, TimeSource, format};
use show::steps;

/// A step of a ladder.
pub type Of<'o> = (&'o dyn Ladder, &'o Step);

/// The rows of a step and of the parent that it was measured against, with what else was measured of them. `above` leads
/// from the page up to `book/src`.
pub fn row(root: &Path, machine: &str, of: Of, above: &str) -> Result<String> {
    let mut report = read(root, machine)?;
    let row = own(&report, machine, of)?.clone();
    // A report may be older than a step that has come between.
    report.rows.retain(|other| {
        other.ladder == row.ladder
            && (other.step == row.step || row.after.as_ref() == Some(&other.step))
    });
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
    if report.rows.len() > 1 && report.rows.iter().all(|row| short(row).next().is_some()) {
        out.push_str(&short_launches(&report));
    }
    Ok(out)
}

/// Every row of a report.
pub fn table(root: &Path, machine: &str, above: &str) -> Result<String> {
    let report = read(root, machine)?;
    Ok(format!("{}\n\n{}\n", caption(&report), rows(&report, above)))
}

/// The rows of a report whose steps have the numbers `first..last`, both included, without detours.
pub fn some(root: &Path, machine: &str, steps: &str, above: &str) -> Result<String> {
    let (first, last) = steps
        .split_once("..")
        .with_context(|| format!("`{steps}` is no range of steps: write 01..10"))?;
    let mut report = read(root, machine)?;
    let is_within = |row: &Row| {
        let number = row.step.split('-').next().unwrap_or_default();
        !row.detour && (first..=last).contains(&number)
    };
    report.rows.retain(is_within);
    ensure!(!report.rows.is_empty(), "reports/{machine} has no steps {steps}");
    Ok(format!("{}\n\n{}\n", caption(&report), rows(&report, above)))
}

/// A picture of a report, by the name of its file, as SVG in the page itself.
pub fn plot(root: &Path, machine: &str, stem: &str) -> Result<String> {
    if stem == "scaling" {
        // Not of a run, but of `scale`.
        let found = Scaling::read(&root.join("reports").join(machine))?;
        let picture = pictures::scaling(&found);
        return Ok(figure(&picture.with_context(|| format!("reports/{machine} is of one GPU"))?));
    }
    let report = read(root, machine)?;
    let context = Drawing { published: &published(root, &report)?, against: None };
    let pictures = pictures::of_report(&report, &context);
    let Some(picture) = pictures.iter().find(|picture| picture.name == stem) else {
        let known: Vec<&str> = pictures.iter().map(|picture| picture.name).collect();
        bail!("reports/{machine} has no data for a picture `{stem}`; it has: {}", known.join(", "));
    };
    Ok(figure(picture))
}

/// What a document published for a report's ladder.
pub fn published(root: &Path, report: &Report) -> Result<Published> {
    Ok(Published::of_ladder(&root.join("reports"), &report.options.ladder)?)
}

/// The rates of a report's steps at all its sizes.
pub fn rates(root: &Path, machine: &str, above: &str) -> Result<String> {
    let report = read(root, machine)?;
    let unit = show::words::figure(&report).map_or("", |figure| &figure.unit);
    let table = steps::rates(&report, &pages(above)).markdown();
    Ok(format!("{} In {unit}:\n\n{table}", caption(&report)))
}

/// How long what consists of a pass and more takes with a report's steps at all its sizes: a whole time step.
pub fn wholes(root: &Path, machine: &str, above: &str) -> Result<String> {
    let report = read(root, machine)?;
    let whole = show::words::figure(&report).and_then(|figure| figure.whole.as_ref());
    let whole = whole.with_context(|| format!("reports/{machine} has times of passes only"))?;
    let table = steps::wholes(&report, &pages(above)).markdown();
    Ok(format!("{} A whole {whole}:\n\n{table}", caption(&report)))
}

/// A step at each of its sizes in a report.
pub fn sizes(root: &Path, machine: &str, of: Of) -> Result<String> {
    let report = read(root, machine)?;
    let row = own(&report, machine, of)?;
    ensure!(
        !row.timed.is_empty(),
        "reports/{machine}/report.json has no time of {}/{}: it is {}",
        row.ladder,
        row.step,
        row.outcome
    );
    Ok(format!("{}\n\n{}", caption(&report), steps::one(&report, row).markdown()))
}

/// A picture as a figure of a page: for a wide screen, and for a phone where there is such a drawing.
pub fn figure(picture: &Picture) -> String {
    let classed =
        |svg: &str, class| inline(svg).replacen("<svg", &format!("<svg class=\"{class}\""), 1);
    let drawings =
        [Some((&picture.svg, "wide")), picture.narrow.as_ref().map(|svg| (svg, "narrow"))];
    let drawings = drawings.into_iter().flatten().map(|(svg, class)| classed(svg, class));
    let drawings = drawings.collect::<Vec<_>>().join("\n");
    format!("<figure class=\"plot\">\n{drawings}\n</figure>")
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
pub fn rows(report: &Report, above: &str) -> String {
    steps::linked(report, &pages(above)).markdown().trim_end().to_owned()
}

/// Where the steps' pages are.
pub fn pages(above: &str) -> impl Fn(&str, &str) -> Option<String> {
    move |ladder, step| Some(format!("{above}{ladder}/{step}.md"))
}

/// The row of a step in a report.
pub fn own<'r>(report: &'r Report, machine: &str, (ladder, step): Of) -> Result<&'r Row> {
    let is_own = |row: &&Row| row.ladder == ladder.name() && row.step == step.name;
    report.rows.iter().find(is_own).with_context(|| {
        format!("reports/{machine}/report.json has no row of {}/{}", ladder.name(), step.name)
    })
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

/// A size and what was timed there of many wholes started one after another: how many, and the time of one.
fn short(row: &Row) -> impl Iterator<Item = (u64, u32, f64)> {
    row.timed.iter().filter_map(|timed| {
        let whole = timed.whole.filter(|whole| whole.count > 1)?;
        Some((timed.n, whole.count, whole.seconds))
    })
}

/// What was timed with few of what the size counts, over many wholes.
fn short_launches(report: &Report) -> String {
    let Some(figure) = show::words::figure(report) else { return String::new() };
    let whole = figure.whole.as_deref().unwrap_or(&figure.pass);
    let mut out = format!(
        "\nWith few {} over many {whole}s:\n\n| step | n | {whole}s | time of one |\n|---|--:|--:|--:|\n",
        figure.size
    );
    for row in &report.rows {
        for (n, count, seconds) in short(row) {
            let time = format::time(Some(seconds));
            let _ = writeln!(out, "| {} | {n} | {count} | {time} |", row.title);
        }
    }
    out
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

    /// A colour without one would stay as it is on a white ground.
    #[test]
    fn every_colour_of_a_plot_has_one_for_a_dark_page() {
        let root = ladder::workspace::root().expect("the workspace");
        let style = std::fs::read_to_string(root.join("book/theme/ladder.css")).expect("a style");
        let mut known = 0;
        for machine in ["h200", "h200-sizes", "h200-blocks", "h200-tuning", "h200/cpu"] {
            let report = read(&root, machine).expect(machine);
            let context =
                Drawing { published: &published(&root, &report).expect(machine), against: None };
            for picture in pictures::of_report(&report, &context) {
                let parts = picture.svg.split(['"', ' ']).filter(|it| it.starts_with('#'));
                for colour in parts.filter(|it| it.len() == 7) {
                    let rule = format!("=\"{colour}\"]");
                    assert!(style.contains(&rule), "{machine}, {}: {colour}", picture.name);
                    known += 1;
                }
            }
        }
        assert!(known > 1000, "only {known} colours were found");
    }

    #[test]
    fn only_pictures_that_there_are_data_for_are_drawn() {
        let root = ladder::workspace::root().expect("the workspace");
        assert!(plot(&root, "h200-n4096", "ladder").expect("a plot").contains("<svg"));
        for picture in ["ladder", "accuracy", "spread"] {
            let figure = plot(&root, "h200-n4096", picture).expect(picture);
            let classes = [r#"<svg class="wide""#, r#"<svg class="narrow""#];
            assert_eq!(classes.map(|class| figure.matches(class).count()), [1, 1], "{picture}");
        }
        let message = plot(&root, "h200-n4096", "blocks").unwrap_err().to_string();
        assert!(message.contains("`blocks`") && message.contains("it has: ladder"), "{message}");
    }

    #[test]
    fn sizes_are_of_one_step_or_of_all() {
        let root = ladder::workspace::root().expect("the workspace");
        let ladder = ladders::LADDERS[0];
        let step = ladder.step("05-rsqrt").expect("a step");
        let own = sizes(&root, "h200-n4096", (ladder, &step)).expect("a table");
        assert!(own.starts_with("**MEASURED**") && own.contains("\n| 4096 |"), "{own}");
        let steps = wholes(&root, "h200-launches", "").expect("a table");
        assert!(steps.contains("A whole time step") && steps.contains("(nbody/13x-graph.md)"));
        let all = rates(&root, "h200-n4096", "../").expect("a table");
        assert!(all.contains("| [05-rsqrt](../nbody/05-rsqrt.md) |"), "{all}");
    }

    #[test]
    fn a_missing_report_is_named() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let message = format!("{:#}", table(folder.path(), "h200", "").unwrap_err());
        assert!(message.starts_with("reports/h200/report.json does not exist"), "{message}");
    }
}
