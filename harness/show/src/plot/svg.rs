//! A picture as an SVG that scales with its page and speaks to screen readers.

use anyhow::{Context, Result};
use plotters::prelude::SVGBackend;
use plotters_backend::DrawingBackend;

use super::canvas::Canvas;
use super::drawn::Drawn;

/// Digits of one width, as in the PNG; never wider than its page.
const STYLE: &str = "max-width: 100%; height: auto; font-variant-numeric: tabular-nums";

/// The text of the SVG.
pub fn of(picture: &impl Drawn) -> Result<String> {
    let mut text = String::new();
    {
        let mut backend = SVGBackend::with_string(&mut text, picture.extent());
        picture.draw(&mut Canvas::new(&mut backend, 1))?;
        backend.present()?;
    }
    // plotters has no way to say it: put in front of what it drew.
    let (attributes, drawn) = text
        .strip_prefix("<svg ")
        .and_then(|rest| rest.split_once('>'))
        .context("plotters wrote no <svg> element")?;
    let (title, words) = (escaped(picture.title()), escaped(&picture.describe()));
    Ok(format!(
        "<svg role=\"img\" style=\"{STYLE}\" {attributes}>\n\
         <title>{title}</title>\n<desc>{words}</desc>{drawn}"
    ))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
