//! A picture of the report in its page.

use anyhow::Result;
use maud::{Markup, PreEscaped, html};

use crate::plot::Plot;

/// A picture, drawn.
pub struct Drawn {
    /// Its file's name without the ending.
    pub stem: &'static str,
    /// The SVG element.
    pub svg: String,
    title: String,
    words: String,
}

impl Drawn {
    /// Draws a picture.
    ///
    /// # Errors
    /// plotters could not draw it.
    pub fn of(plot: &Plot) -> Result<Drawn> {
        let svg = plot.svg()?;
        let start = svg.find("<svg").unwrap_or(0);
        let (title, words) = (plot.title().to_owned(), plot.words());
        Ok(Drawn { stem: plot.stem, svg: svg[start..].to_owned(), title, words })
    }
}

/// The picture of that name, where there is one.
pub fn figure(pictures: &[Drawn], stem: &str) -> Markup {
    let picture = pictures.iter().find(|picture| picture.stem == stem);
    html! {
        @if let Some(picture) = picture {
            figure {
                // Its texts were escaped when it was drawn.
                div.scroll tabindex="0" role="region" aria-label=(picture.title) { (PreEscaped(&picture.svg)) }
                details {
                    summary { "The picture in words" }
                    p { (picture.words) }
                }
            }
        }
    }
}
