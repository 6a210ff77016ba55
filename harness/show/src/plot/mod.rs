//! Pictures of reports, drawn by plotters as SVG and as PNG.
//!
//! [`of`] says which pictures a report has the data for. Each says what it shows in its own file
//! ([`rungs`] of the ladder, [`machines`](mod@machines), [`against`](mod@against), [`spread`], [`bounds`], [`roofline`],
//! [`accuracy`](mod@accuracy), [`sweep`], [`tuning`](mod@tuning)) and is drawn on a
//! [`canvas`] with the letters of [`font`]; [`svg`] and [`png`] make it a file's content. What they
//! have in common: the lines above and below ([`head`], [`scene`]), names of steps ([`rows`]), axes
//! ([`axis`], which may be cut, and [`scale`]), the looks of series ([`marks`]), labels that keep
//! apart ([`labels`], [`beside`]). [`model`](mod@model) is the picture of a validation, not of a report.

mod accuracy;
mod against;
mod axis;
mod beside;
pub mod bounds;
mod canvas;
mod chart;
mod drawn;
mod font;
mod head;
mod labels;
mod ladder;
mod machines;
mod marks;
mod model;
pub mod numbers;
mod png;
mod roofline;
mod rows;
mod rungs;
mod scale;
mod scaling;
pub mod scene;
mod spread;
pub mod style;
mod svg;
mod sweep;
#[cfg(test)]
mod tests;
mod tuning;

use std::path::{Path, PathBuf};

use ::report::files::write_whole;
use ::report::Report;
use anyhow::Result;

use crate::against::Against;
use crate::published::Line;
use crate::scaling::data::Scaling;
use crate::validation::Validation;
use accuracy::Scatter;
use against::Opposed;
use bounds::Bounds;
use canvas::{Canvas, Surface};
use chart::Chart;
use drawn::Drawn;
use machines::Machines;
use model::Comparison;
use roofline::Roofline;
use rungs::Picture;
use spread::Spread;

/// A picture of a report.
pub struct Plot {
    /// Its file's name without the ending.
    pub stem: &'static str,
    kind: Kind,
}

enum Kind {
    Ladder(Picture),
    Bounds(Bounds),
    Roofline(Roofline),
    Accuracy(Scatter),
    Chart(Chart),
    Spread(Spread),
    Machines(Machines),
    Against(Opposed),
}

/// The names of all pictures that a report alone can have, without their endings.
pub const STEMS: [&str; 8] =
    ["ladder", "bounds", "roofline", "accuracy", "sizes", "blocks", "tuning", "spread"];

/// The name of the picture of a GPU against a CPU, without its ending.
pub const AGAINST: &str = "against-cpu";

/// The pictures that a report has the data for, in the order in which they are read. What was not
/// verified is in none of them; the ladder alone shows its place and the reason.
pub fn of(report: &Report) -> Vec<Plot> {
    let is_ladder = report.rows.is_empty() || report.rows.iter().any(|row| row.is_own());
    let kinds = [
        is_ladder.then(|| Kind::Ladder(Picture::of(report))),
        Bounds::of(report).map(Kind::Bounds),
        Roofline::of(report).map(Kind::Roofline),
        Scatter::of(report).map(Kind::Accuracy),
        sweep::sizes(report).map(Kind::Chart),
        sweep::blocks(report).map(Kind::Chart),
        tuning::tuning(report).map(Kind::Chart),
        Spread::of(report).map(Kind::Spread),
    ];
    let plots = STEMS.into_iter().zip(kinds);
    plots.filter_map(|(stem, kind)| Some(Plot { stem, kind: kind? })).collect()
}

/// The ladder of a report over those of others, each with the name that tells it from another of
/// the same GPU, and over what was published.
///
/// # Errors
/// A report has no times or is of another ladder, or there are too many.
pub fn machines(report: &Report, others: &[(String, Report)], lines: &[Line]) -> Result<Plot> {
    let kind = Kind::Machines(Machines::of(report, others, lines)?);
    Ok(Plot { stem: "machines", kind })
}

/// A GPU against a CPU.
pub fn against(against: &Against) -> Plot {
    Plot { stem: AGAINST, kind: Kind::Against(Opposed::of(against)) }
}

/// What a report says in one line.
pub fn message(report: &Report) -> String {
    Picture::of(report).title
}

impl Plot {
    /// Its message in one line.
    pub fn title(&self) -> &str {
        Drawn::title(self)
    }

    /// Its text as an SVG; the same report gives the same bytes.
    ///
    /// # Errors
    /// plotters could not draw it.
    pub fn svg(&self) -> Result<String> {
        svg::of(self)
    }

    /// All of it in words, for those who do not see it.
    pub fn words(&self) -> String {
        self.describe()
    }

    /// Writes it to `dir` as SVG and as PNG, each whole or not at all. Returns the two paths.
    ///
    /// # Errors
    /// The folder is missing or cannot be written to; the error names the file.
    pub fn write(&self, dir: &Path) -> Result<Vec<PathBuf>> {
        files(self, dir, self.stem)
    }
}

impl Drawn for Plot {
    fn extent(&self) -> (u32, u32) {
        match &self.kind {
            Kind::Ladder(picture) => picture.extent(),
            Kind::Bounds(picture) => picture.extent(),
            Kind::Roofline(picture) => picture.extent(),
            Kind::Accuracy(picture) => picture.extent(),
            Kind::Chart(picture) => picture.extent(),
            Kind::Spread(picture) => picture.extent(),
            Kind::Machines(picture) => picture.extent(),
            Kind::Against(picture) => picture.extent(),
        }
    }

    fn draw<DB: Surface>(&self, canvas: &mut Canvas<DB>) -> Result<()> {
        match &self.kind {
            Kind::Ladder(picture) => picture.draw(canvas),
            Kind::Bounds(picture) => picture.draw(canvas),
            Kind::Roofline(picture) => picture.draw(canvas),
            Kind::Accuracy(picture) => picture.draw(canvas),
            Kind::Chart(picture) => picture.draw(canvas),
            Kind::Spread(picture) => picture.draw(canvas),
            Kind::Machines(picture) => picture.draw(canvas),
            Kind::Against(picture) => picture.draw(canvas),
        }
    }

    fn title(&self) -> &str {
        match &self.kind {
            Kind::Ladder(picture) => picture.title(),
            Kind::Bounds(picture) => picture.title(),
            Kind::Roofline(picture) => picture.title(),
            Kind::Accuracy(picture) => picture.title(),
            Kind::Chart(picture) => picture.title(),
            Kind::Spread(picture) => picture.title(),
            Kind::Machines(picture) => picture.title(),
            Kind::Against(picture) => picture.title(),
        }
    }

    fn describe(&self) -> String {
        match &self.kind {
            Kind::Ladder(picture) => picture.describe(),
            Kind::Bounds(picture) => picture.describe(),
            Kind::Roofline(picture) => picture.describe(),
            Kind::Accuracy(picture) => picture.describe(),
            Kind::Chart(picture) => picture.describe(),
            Kind::Spread(picture) => picture.describe(),
            Kind::Machines(picture) => picture.describe(),
            Kind::Against(picture) => picture.describe(),
        }
    }
}

/// Writes modelled beside measured times to `dir` as `model.svg` and `model.png`, each whole or not at all. Returns
/// the two paths.
///
/// # Errors
/// The folder is missing or cannot be written to; the error names the file.
pub fn model(validation: &Validation, dir: &Path) -> Result<Vec<PathBuf>> {
    files(&Comparison::of(validation), dir, "model")
}

/// Modelled beside measured times as the text of an SVG; the same data give the same bytes.
///
/// # Errors
/// plotters could not draw it.
pub fn model_svg(validation: &Validation) -> Result<String> {
    svg::of(&Comparison::of(validation))
}

/// Writes how speed grows with the number of GPUs to `dir` as `scaling.svg` and `scaling.png`; nothing where it was timed with one
/// number of GPUs only.
///
/// # Errors
/// The folder is missing or cannot be written to; the error names the file.
pub fn scaling(found: &Scaling, dir: &Path) -> Result<Option<Vec<PathBuf>>> {
    scaling::picture(found).map(|chart| files(&chart, dir, "scaling")).transpose()
}

/// How speed grows with the number of GPUs as the text of an SVG; none where it was timed with one number of GPUs only.
///
/// # Errors
/// plotters could not draw it.
pub fn scaling_svg(found: &Scaling) -> Result<Option<String>> {
    scaling::picture(found).map(|chart| svg::of(&chart)).transpose()
}

fn files(picture: &impl Drawn, dir: &Path, stem: &str) -> Result<Vec<PathBuf>> {
    // Both are drawn before either is written.
    let files = [("svg", svg::of(picture)?.into_bytes()), ("png", png::of(picture)?)];
    let mut paths = Vec::new();
    for (ending, bytes) in files {
        let path = dir.join(format!("{stem}.{ending}"));
        write_whole(&path, |out| out.write_all(&bytes))?;
        paths.push(path);
    }
    Ok(paths)
}
