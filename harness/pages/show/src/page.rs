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
use pictures::{AGAINST, MACHINES, NAMES, Picture};
use report::Report;
use report::accuracy::Accuracies;
use report::against::Against;
use report::files::{WriteError, write_whole};
use report::provenance::{Basis, Provenance};
use report::published::Published;

use crate::table::{Table, scrolled};
use crate::{NO_LINK, accuracy, against, costs, limits, rungs, samples, steps, tuning, words};

/// The page's file.
pub const FILE: &str = "report.html";

const STYLE: &str = include_str!("../assets/report.css");

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
    pub pictures: &'p [Picture],
}

/// A part of the page.
struct Section {
    id: &'static str,
    title: String,
    pictures: Vec<&'static str>,
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
            .map(|picture| (dir.join(format!("{}.svg", picture.name)), picture.svg.clone()))
            .collect();
        files.push((dir.join(FILE), self.html()));
        for (file, text) in &files {
            write_whole(file, |out| out.write_all(text.as_bytes()))?;
        }
        let places = NAMES.into_iter().chain([AGAINST, MACHINES]);
        for old in places.filter(|name| self.picture(name).is_none()) {
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
        let provenance = Provenance::of(report);
        let first = self.pictures.first();
        let title = first.map_or_else(|| provenance.title.clone(), |picture| picture.title.clone());
        let dark = dark::rules(self.pictures.iter().map(|picture| &*picture.svg));
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
                    h1 { (provenance.title) }
                    p {
                        span.basis.measured[provenance.basis == Basis::Measured] { (provenance.basis.word()) }
                        " " (provenance.with_verified(provenance.rest())) " · " (steps::outcomes(report))
                    }
                }
                main {
                    @for (place, section) in sections.iter().enumerate() {
                        section aria-labelledby=(section.id) { (folded(section, place > 0)) }
                    }
                }
                footer.muted.small {
                    p { (provenance.source) }
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
        let all = |tables: Vec<Table>| html! { @for table in tables { (table.html()) } };
        let against = self.against.map(|(against, _)| against::table(against, NO_LINK));
        let accuracy = Accuracies::of(report, self.published).map(|found| {
            html! { p { "Speed and error " (accuracy::sentence(&found)) } }
        });
        let size = words::figure(report).map(|figure| format!("Number of {}", figure.size));
        let tuned = tuning::tables(report).into_iter();
        let tuned = tuned.filter(|_| self.picture("tuning").is_some());
        let tuned = html! { @for table in tuned { h3 { (table.title) } (table.html()) } };
        let samples = html! {
            @if samples::has_any(report) {
                (notes::suspects(report)) (samples::table(report).html())
            }
        };
        let numbers = steps::detailed(report).html();
        let all = [
            self.ladder(),
            self.section("steps", "All steps in numbers", &[], numbers),
            self.section("machines", "Other machines", &[MACHINES], html! {}),
            self.section("against-cpu", "Against a CPU", &[AGAINST], all(Vec::from_iter(against))),
            self.section(
                "limits",
                "Limits",
                &["bounds", "roofline"],
                all(limits::tables(report, NO_LINK)),
            ),
            self.section(
                "accuracy",
                "Accuracy",
                &["accuracy"],
                html! { @if let Some(it) = accuracy { (it) } },
            ),
            self.section("sizes", size.as_deref().unwrap_or("Sizes"), &["sizes"], html! {}),
            self.section("blocks", "Threads per block", &["blocks"], html! {}),
            self.section("tuning", "Kernel parameters", &["tuning"], tuned),
            self.section("samples", "Samples", &["spread"], samples),
            self.section("end-to-end", "End to end", &[], costs::table(report, true).html()),
            self.section("method", "How it was timed", &[], facts::method(report)),
            self.section("machine", "Machine and options", &[], facts::facts(report)),
            self.section("each", "Each step", &[], notes::steps(report)),
        ];
        let mut all: Vec<Section> = all.into_iter().flatten().collect();
        // A sweep has no ladder: its first picture is what is read first.
        let first = self.pictures.first().and_then(|first| {
            all.iter().position(|section| section.pictures.contains(&first.name))
        });
        all[..=first.unwrap_or(0)].rotate_right(1);
        all
    }

    /// The ladder as a picture, and as a list where there is no room for that.
    fn ladder(&self) -> Option<Section> {
        let list = if self.picture("ladder").is_some() {
            rungs::html(self.report)
        } else {
            html! {}
        };
        self.section("ladder", "The ladder", &["ladder"], list)
    }

    /// A section with these pictures; none where it would be empty.
    fn section(
        &self,
        id: &'static str,
        title: &str,
        pictures: &[&str],
        content: Markup,
    ) -> Option<Section> {
        let pictures = pictures.iter().filter_map(|name| self.picture(name));
        let content = html! { @for picture in pictures.clone() { (figure(picture)) } (content) };
        let pictures = pictures.map(|picture| picture.name).collect();
        let section = Section { id, title: title.to_owned(), pictures, content };
        (!section.content.0.is_empty()).then_some(section)
    }

    fn picture(&self, name: &str) -> Option<&Picture> {
        self.pictures.iter().find(|picture| picture.name == name)
    }
}

/// What is read first is open, the rest is folded below its title.
fn folded(Section { id, title, content, .. }: &Section, folds: bool) -> Markup {
    let head = html! { h2 id=(id) { (title) } };
    html! {
        @if folds {
            details.part { summary { (head) } (content) }
        } @else {
            (head) (content)
        }
    }
}

fn figure(Picture { name, title, words, svg, .. }: &Picture) -> Markup {
    html! {
        figure class=(name) {
            // Its texts were escaped when it was drawn.
            (scrolled(title, PreEscaped(svg[svg.find("<svg").unwrap_or(0)..].to_owned())))
            details {
                summary { "The picture in words" }
                p { (words) }
            }
        }
    }
}
