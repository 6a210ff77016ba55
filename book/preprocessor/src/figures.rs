// SPDX-License-Identifier: MIT OR Apache-2.0
//! Figures that explain, drawn from what the program knows: in the page's own colours, so that they fit every theme.

mod memories;
mod octree;
mod padding;

use std::fmt::{Display, Write};

use anyhow::{Result, bail};

use crate::html::escape;

/// The figure of this name as HTML.
///
/// # Errors
/// There is none; the names that exist are listed.
pub fn html(name: &str) -> Result<String> {
    match name {
        "memories" => memories::figure(),
        "octree" => Ok(octree::figure()),
        "padding" => Ok(padding::figure()),
        _ => bail!("there is no figure `{name}`; there are: memories, octree, padding"),
    }
}

/// A place in a drawing.
type Point = (f64, f64);

/// A drawing 640 wide.
struct Drawing {
    height: f64,
    /// What it shows, for those who do not see it.
    words: String,
    shapes: String,
}

/// Which part of a text stands at its place.
#[derive(Clone, Copy)]
enum Anchor {
    Start,
    Middle,
    End,
}

impl Drawing {
    fn new(height: f64, words: &str) -> Drawing {
        Drawing { height, words: words.to_owned(), shapes: String::new() }
    }

    /// A shape as SVG. Writing to a String cannot fail.
    fn shape(&mut self, shape: impl Display) {
        let _ = writeln!(self.shapes, "{shape}");
    }

    /// A rectangle's outline, its corners rounded.
    fn outline(&mut self, (x, y): Point, (width, height): Point) {
        self.shape(format_args!(
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"3\" fill=\"none\" stroke=\"currentColor\"/>"
        ));
    }

    /// A filled rectangle: `busy` or `load`.
    fn filled(&mut self, class: &str, (x, y): Point, (width, height): Point) {
        self.shape(format_args!(
            "<rect class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\"/>"
        ));
    }

    fn line(&mut self, (x, y): Point, (to_x, to_y): Point) {
        self.shape(format_args!(
            "<path d=\"M{x:.1} {y:.1}L{to_x:.1} {to_y:.1}\" stroke=\"currentColor\" stroke-opacity=\".6\"/>"
        ));
    }

    fn dot(&mut self, class: &str, (x, y): Point, radius: f64) {
        self.shape(format_args!(
            "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\"/>"
        ));
    }

    fn text(&mut self, (x, y): Point, size: u32, anchor: Anchor, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        self.shape(format_args!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size}\" text-anchor=\"{anchor}\" fill=\"currentColor\">{}</text>",
            escape(text)
        ));
    }

    fn html(self) -> String {
        format!(
            "<figure class=\"drawing\">\n<svg viewBox=\"0 0 640 {}\" role=\"img\" aria-label=\"{}\">\n{}</svg>\n</figure>",
            self.height,
            escape(&self.words),
            self.shapes
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_blocks_with_words() {
        for name in ["memories", "octree", "padding"] {
            let html = html(name).expect(name);
            assert!(html.starts_with("<figure") && !html.contains("\n\n"), "{html}");
            assert!(html.contains("aria-label=\"") && html.matches("<text").count() >= 3, "{html}");
        }
        assert!(html("none").is_err_and(|error| error.to_string().contains("padding")));
    }
}
