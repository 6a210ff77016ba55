//! A report as one HTML file: no script, no other file, readable without a network, on a phone,
//! in the dark and on paper.
//!
//! [`page`] puts the sections in order: [`steps`], [`against`](mod@against), [`limits`], [`accuracy`](fn@accuracy), [`samples`], [`costs`] and
//! [`facts`], with the pictures of [`crate::plot`] between them ([`picture`]). Names and reasons come
//! from files that anyone may have written: maud escapes every text.

mod against;
mod costs;
mod dark;
mod facts;
mod figures;
mod limits;
mod picture;
mod samples;
mod steps;
mod table;
#[cfg(test)]
mod tests;
mod tuning;

use std::fs;
use std::path::{Path, PathBuf};

use ::report::files::write_whole;
use ::report::Report;
use anyhow::{Context, Result};
use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::accuracy::{self, Accuracies};
use crate::against::Against;
use crate::plot::scene::{Basis, Scene};
use crate::plot::{self, Plot};
use picture::{Drawn, figure};

/// The page's file.
pub const FILE: &str = "report.html";

const STYLE: &str = include_str!("../../assets/report.css");

/// Writes all that is drawn of a report to `dir`: its pictures and its page, each whole or not at
/// all. Returns their paths. Pictures that the report has no data for are taken away where an
/// earlier one left them. `against` compares the report with a CPU's, where there is one.
///
/// # Errors
/// The folder is missing or cannot be written to; the error names the file.
pub fn write_all(report: &Report, against: Option<&Against>, dir: &Path) -> Result<Vec<PathBuf>> {
    write_with(report, against, None, dir)
}

/// The same, with a picture more: of several machines.
///
/// # Errors
/// As [`write_all`].
pub fn write_with(
    report: &Report,
    against: Option<&Against>,
    more: Option<Plot>,
    dir: &Path,
) -> Result<Vec<PathBuf>> {
    let mut plots = plot::of(report);
    plots.extend(against.map(plot::against));
    plots.extend(more);
    let mut written = Vec::new();
    for plot in &plots {
        written.extend(plot.write(dir)?);
    }
    let page = page(report, against, &plots)?;
    let path = dir.join(FILE);
    write_whole(&path, |out| out.write_all(page.as_bytes()))?;
    written.push(path);
    let known = plot::STEMS.iter().chain([&plot::AGAINST]);
    for stem in known.filter(|stem| plots.iter().all(|plot| plot.stem != **stem)) {
        for ending in ["svg", "png"] {
            let old = dir.join(format!("{stem}.{ending}"));
            if old.is_file() {
                fs::remove_file(&old)
                    .with_context(|| format!("cannot remove {}", old.display()))?;
            }
        }
    }
    Ok(written)
}

/// Writes only the page of a report that is compared with a CPU's. Returns its path.
///
/// # Errors
/// As [`write_all`].
pub fn write_page(report: &Report, against: &Against, dir: &Path) -> Result<PathBuf> {
    let mut plots = plot::of(report);
    plots.push(plot::against(against));
    let page = page(report, Some(against), &plots)?;
    let path = dir.join(FILE);
    write_whole(&path, |out| out.write_all(page.as_bytes()))?;
    Ok(path)
}

/// The page of a report with these pictures of it, and what it comes to against a CPU's.
///
/// # Errors
/// plotters could not draw one.
pub fn page(report: &Report, against: Option<&Against>, plots: &[Plot]) -> Result<String> {
    let pictures: Vec<Drawn> = plots.iter().map(Drawn::of).collect::<Result<_>>()?;
    let dark = dark::rules(pictures.iter().map(|picture| picture.svg.as_str()));
    let sections = sections(report, against, &pictures);
    let scene = Scene::of(report);
    // Of a sweep over blocks, which is no ladder, its own message.
    let title = plots.first().map_or_else(|| plot::message(report), |plot| plot.title().to_owned());
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                style { (PreEscaped(STYLE)) (PreEscaped(dark)) }
            }
            body {
                header {
                    h1 { (title) }
                    p {
                        span.basis.measured[scene.basis == Basis::Measured] { (scene.basis.word()) }
                        " " (scene.rest()) " · " (steps::outcomes(report))
                    }
                    p.muted { (scene.source) }
                    nav aria-label="Sections" {
                        ul { @for section in &sections { li { a href={ "#" (section.id) } { (section.title) } } } }
                    }
                }
                main {
                    @for section in &sections {
                        section aria-labelledby=(section.id) {
                            h2 id=(section.id) { (section.title) }
                            (section.body)
                        }
                    }
                }
                footer.muted.small {
                    p {
                        "Every number and picture of this page is drawn from the report.json beside it"
                        @if against.is_some() { ", and from cpu/report.json" }
                        "."
                    }
                }
            }
        }
    };
    Ok(page.into_string())
}

/// A part of the page.
struct Section {
    id: &'static str,
    title: &'static str,
    body: Markup,
}

/// The parts that the report has the data for.
fn sections(report: &Report, against: Option<&Against>, pictures: &[Drawn]) -> Vec<Section> {
    let has = |stem: &str| pictures.iter().any(|picture| picture.stem == stem);
    let accuracies = Accuracies::of(report);
    let figures = |stems: &[&str]| html! { @for stem in stems { (figure(pictures, stem)) } };
    let all = [
        (
            true,
            Section {
                id: "steps",
                title: if has("ladder") { "The ladder" } else { "Steps" },
                body: html! { (figures(&["ladder"])) (steps::table(report)) },
            },
        ),
        (
            has("machines"),
            Section {
                id: "machines",
                title: "Beside other machines",
                body: figures(&["machines"]),
            },
        ),
        (
            against.is_some(),
            Section {
                id: "against-cpu",
                title: "Against a CPU",
                body: html! { (figures(&[plot::AGAINST])) (against.map_or(html! {}, against::table)) },
            },
        ),
        (
            limits::has_any(report),
            Section {
                id: "limits",
                title: "Limits",
                body: html! { (figures(&["bounds", "roofline"])) (limits::tables(report)) },
            },
        ),
        (
            accuracies.is_some(),
            Section {
                id: "accuracy",
                title: "Accuracy",
                body: html! { (figures(&["accuracy"])) (accuracies.as_ref().map_or(html! {}, accuracy)) },
            },
        ),
        (
            has("sizes"),
            Section { id: "sizes", title: "Number of bodies", body: figures(&["sizes"]) },
        ),
        (
            has("blocks"),
            Section { id: "blocks", title: "Threads a block", body: figures(&["blocks"]) },
        ),
        (
            has("tuning"),
            Section {
                id: "tuning",
                title: "Values of the kernels' parameters",
                body: html! { (figures(&["tuning"])) (tuning::tables(report)) },
            },
        ),
        (
            samples::has_any(report),
            Section {
                id: "samples",
                title: "Samples",
                body: html! {
                    (figures(&["spread"]))
                    (samples::suspects(report))
                    (samples::table(report))
                },
            },
        ),
        (
            costs::has_any(report),
            Section { id: "end-to-end", title: "End to end", body: costs::table(report) },
        ),
        (true, Section { id: "method", title: "How it was timed", body: facts::method(report) }),
        (true, Section { id: "machine", title: "Machine and options", body: facts::facts(report) }),
        (true, Section { id: "each", title: "Each step", body: steps::notes(report) }),
    ];
    all.into_iter().filter_map(|(shown, section)| shown.then_some(section)).collect()
}

/// The fastest of those that are near enough to f64.
fn accuracy(accuracies: &Accuracies) -> Markup {
    let sentence = accuracy::words::sentence(accuracies);
    html! { p { "Speed and error " (sentence) } }
}
