//! A report as one HTML file: no script, no other file, readable without a network, on a phone,
//! in the dark and on paper.
//!
//! Names and reasons come from files that anyone may have written: maud escapes every text.

mod dark;
mod facts;
mod notes;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::{fs, io};

use maud::{DOCTYPE, Markup, PreEscaped, html};
use report::Report;
use report::accuracy::Accuracies;
use report::against::Against;
use report::files::{WriteError, write_whole};
use report::published::Published;
use report::scene::{Basis, Scene};

use crate::table::{Table, scrolled};
use crate::{NO_LINK, accuracy, against, costs, limits, samples, steps, tuning};

/// The page's file.
pub const FILE: &str = "report.html";

const STYLE: &str = include_str!("../assets/report.css");

/// The pictures that a page has a place for.
const PICTURES: [&str; 10] = [
    "ladder",
    "machines",
    "against-cpu",
    "bounds",
    "roofline",
    "accuracy",
    "sizes",
    "blocks",
    "tuning",
    "spread",
];

/// A picture of the report, drawn.
#[derive(Debug, Clone, Copy)]
pub struct Picture<'p> {
    /// Its file's name without the ending.
    pub name: &'p str,
    /// Its message in one line.
    pub title: &'p str,
    /// All of it in words.
    pub words: &'p str,
    /// Its SVG, whose texts are escaped.
    pub svg: &'p str,
}

/// What a page shows.
#[derive(Debug, Clone, Copy)]
pub struct Page<'p> {
    /// The report.
    pub report: &'p Report,
    /// What a document published for its ladder.
    pub published: &'p Published,
    /// The report against that of a CPU, and where that one is: "cpu/report.json".
    pub against: Option<(&'p Against, &'p str)>,
    /// Its pictures.
    pub pictures: &'p [Picture<'p>],
}

/// A part of the page.
struct Section {
    id: &'static str,
    title: String,
    content: Markup,
}

impl Page<'_> {
    /// Writes the page and its pictures to `dir`, each whole or not at all. Returns their paths.
    /// Pictures that an earlier report left there, and for which this one has no data, are removed.
    ///
    /// # Errors
    /// The folder is missing or cannot be written to; the error names the file.
    pub fn write(&self, dir: &Path) -> Result<Vec<PathBuf>, WriteError> {
        let mut files: Vec<(PathBuf, String)> = self
            .pictures
            .iter()
            .map(|picture| (dir.join(format!("{}.svg", picture.name)), picture.svg.to_owned()))
            .collect();
        files.push((dir.join(FILE), self.html()));
        for (file, text) in &files {
            write_whole(file, |out| out.write_all(text.as_bytes()))?;
        }
        let is_drawn = |name: &str| self.pictures.iter().any(|picture| picture.name == name);
        for old in PICTURES.iter().filter(|name| !is_drawn(name)) {
            let file = dir.join(format!("{old}.svg"));
            match fs::remove_file(&file) {
                Err(source) if source.kind() != io::ErrorKind::NotFound => {
                    return Err(WriteError { file, source });
                }
                _ => {}
            }
        }
        Ok(files.into_iter().map(|(file, _)| file).collect())
    }

    /// The page's text; the same report and pictures give the same bytes.
    pub fn html(&self) -> String {
        let report = self.report;
        let sections = self.sections();
        let scene = Scene::of(report);
        let first = self.pictures.first();
        let title = first.map_or_else(|| scene.title.clone(), |picture| picture.title.to_owned());
        let dark = dark::rules(self.pictures.iter().map(|picture| picture.svg));
        let page = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    title { (title) }
                    style { (PreEscaped(STYLE)) (PreEscaped(dark)) }
                }
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
                            (section.content)
                        }
                    }
                }
                footer.muted.small {
                    p {
                        "Every number and picture of this page is drawn from the report.json next to it"
                        @if let Some((_, other)) = self.against { ", and from " (other) }
                        "."
                    }
                }
            }
        };
        page.into_string()
    }

    /// The parts that the report has the data for.
    fn sections(&self) -> Vec<Section> {
        let report = self.report;
        let accuracies = Accuracies::of(report, self.published);
        let against = self.against.map(|(against, _)| against);
        let ladder = if self.has("ladder") { "The ladder" } else { "Steps" };
        let size = crate::words::figure(report).map(|figure| format!("Number of {}", figure.size));
        let all = [
            self.section(true, "steps", ladder, &["ladder"], || steps::detailed(report).html()),
            self.section(false, "machines", "Other machines", &["machines"], || html! {}),
            self.section(
                against.is_some(),
                "against-cpu",
                "Against a CPU",
                &["against-cpu"],
                || against.map_or(html! {}, |against| against::table(against, NO_LINK).html()),
            ),
            {
                let tables = limits::tables(report, NO_LINK);
                let show = !tables.is_empty();
                self.section(show, "limits", "Limits", &["bounds", "roofline"], || all(&tables))
            },
            self.section(accuracies.is_some(), "accuracy", "Accuracy", &["accuracy"], || {
                let sentence = accuracies.as_ref().map(accuracy::sentence);
                html! { @if let Some(sentence) = sentence { p { "Speed and error " (sentence) } } }
            }),
            self.section(
                false,
                "sizes",
                size.as_deref().unwrap_or("Sizes"),
                &["sizes"],
                || html! {},
            ),
            self.section(false, "blocks", "Threads per block", &["blocks"], || html! {}),
            self.section(false, "tuning", "Kernel parameters", &["tuning"], || {
                html! {
                    @for table in tuning::tables(report) { h3 { (table.title) } (table.html()) }
                }
            }),
            self.section(samples::has_any(report), "samples", "Samples", &["spread"], || {
                html! { (notes::suspects(report)) (samples::table(report).html()) }
            }),
            {
                let table = costs::table(report, true);
                self.section(!table.is_empty(), "end-to-end", "End to end", &[], || table.html())
            },
            self.section(true, "method", "How it was timed", &[], || facts::method(report)),
            self.section(true, "machine", "Machine and options", &[], || facts::facts(report)),
            self.section(true, "each", "Each step", &[], || notes::steps(report)),
        ];
        all.into_iter().flatten().collect()
    }

    /// A section with these pictures; where none of them was drawn, only if it is to be `shown`.
    fn section(
        &self,
        shown: bool,
        id: &'static str,
        title: &str,
        pictures: &[&str],
        content: impl FnOnce() -> Markup,
    ) -> Option<Section> {
        if !shown && !pictures.iter().any(|name| self.has(name)) {
            return None;
        }
        let pictures = html! { @for name in pictures { (self.figure(name)) } };
        Some(Section { id, title: title.to_owned(), content: html! { (pictures) (content()) } })
    }

    fn has(&self, name: &str) -> bool {
        self.pictures.iter().any(|picture| picture.name == name)
    }

    /// The picture of that name, where there is one.
    fn figure(&self, name: &str) -> Markup {
        let picture = self.pictures.iter().find(|picture| picture.name == name);
        html! {
            @if let Some(Picture { title, words, svg, .. }) = picture {
                figure {
                    // Its texts were escaped when it was drawn.
                    (scrolled(title, PreEscaped(svg[svg.find("<svg").unwrap_or(0)..].to_owned())))
                    details {
                        summary { "The picture in words" }
                        p { (words) }
                    }
                }
            }
        }
    }
}

fn all(tables: &[Table]) -> Markup {
    html! { @for table in tables { (table.html()) } }
}
