//! Pictures of reports, drawn by plotters as SVG and as PNG.
//!
//! The way of the data: [`rungs`] says what a report has to show, [`axis`] where speeds lie,
//! [`ladder`](mod@ladder) draws it on a [`canvas`] with the letters of [`font`], and [`svg`] and
//! [`png`] make it a file's content. [`model`](mod@model) goes the same way with modelled times beside measured ones.

mod axis;
mod canvas;
mod drawn;
mod font;
mod ladder;
mod model;
mod numbers;
mod png;
mod rungs;
mod style;
mod svg;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use ::ladder::files::write_whole;
use ::ladder::report::Report;
use anyhow::Result;

use crate::validation::Validation;
use drawn::Drawn;
use model::Comparison;
use rungs::Picture;

/// Writes the speed-up ladder of a report to `dir` as `ladder.svg` and `ladder.png`, each whole or
/// not at all. Returns the two paths.
///
/// # Errors
/// The folder is missing or cannot be written to; the error names the file.
pub fn ladder(report: &Report, dir: &Path) -> Result<Vec<PathBuf>> {
    files(&Picture::of(report), dir, "ladder")
}

/// Writes modelled beside measured times to `dir` as `model.svg` and `model.png`, each whole or not at all. Returns
/// the two paths.
///
/// # Errors
/// As [`ladder`].
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

/// The speed-up ladder of a report as the text of an SVG; the same report gives the same bytes.
///
/// # Errors
/// plotters could not draw it.
pub fn ladder_svg(report: &Report) -> Result<String> {
    svg::of(&Picture::of(report))
}
