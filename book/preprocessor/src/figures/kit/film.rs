//! Drawings that follow each other: a reader steps through them; paper, and a page without scripts, has them all.

use std::fmt::Write;

use super::drawing::Drawing;
use crate::html::escape;

pub struct Film {
    words: String,
    frames: String,
}

impl Film {
    /// An empty one; `words` say what it is about.
    pub fn new(words: &str) -> Film {
        Film { words: words.to_owned(), frames: String::new() }
    }

    /// The next drawing, and what happens in it.
    pub fn frame(&mut self, drawing: Drawing, caption: &str) {
        // Writing to a String cannot fail.
        let _ = write!(
            self.frames,
            "<div class=\"frame\">\n{}<p>{}</p>\n</div>\n",
            drawing.svg(),
            escape(caption)
        );
    }

    pub fn html(self) -> String {
        format!(
            "<figure class=\"drawing film\" role=\"group\" aria-label=\"{}\">\n{}</figure>",
            escape(&self.words),
            self.frames
        )
    }
}
