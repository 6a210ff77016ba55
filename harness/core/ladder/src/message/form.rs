//! The form of a message, which is that of compilers.

use std::fmt::Write;

use device::Source;

use super::text::find_word;

/// What is wrong.
#[derive(Debug, Default)]
pub(super) struct Message {
    /// The first line, without "error: ".
    pub(super) head: String,
    /// Where, the first of them above all.
    pub(super) places: Vec<Place>,
    /// What more is known, by name.
    pub(super) facts: Vec<(&'static str, String)>,
}

/// A place in a source.
#[derive(Debug, PartialEq)]
pub(super) struct Place {
    pub(super) file: String,
    /// Line, from 1.
    pub(super) line: u32,
    /// Column, from 1, in characters.
    pub(super) column: usize,
    /// Characters that are marked.
    pub(super) width: usize,
    /// The line itself.
    pub(super) text: String,
    /// What is there.
    pub(super) label: String,
}

/// A kernel and the one whose place it takes.
#[derive(Debug, Clone, Copy)]
pub struct Versions<'c> {
    /// The reader's kernel.
    pub source: &'c Source,
    /// The step's own; none where it cannot be read.
    pub original: Option<&'c Source>,
}

/// The name of the fact that says what to do.
pub(super) const HELP: &str = "help";

impl Message {
    /// As a compiler writes it. Every line but the first begins with two spaces: it is not to be wrapped.
    pub(super) fn text(&self) -> String {
        let mut text = format!("error: {}\n", self.head);
        let digits =
            self.places.iter().map(|place| place.line.to_string().len()).max().unwrap_or(1);
        let gutter = " ".repeat(digits + 2);
        for (index, place) in self.places.iter().enumerate() {
            let Place { file, line, column, width, text: code, label } = place;
            let arrow = if index == 0 { "-->" } else { ":::" };
            let indent: String = code
                .chars()
                .take(column - 1)
                .map(|letter| if letter == '\t' { '\t' } else { ' ' })
                .collect();
            let mark = "^".repeat((*width).max(1));
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{gutter}{arrow} {file}:{line}:{column}");
            let _ = writeln!(text, "{gutter} |");
            let _ = writeln!(text, "  {line:>digits$} | {code}");
            let _ = writeln!(text, "{gutter} | {indent}{}", format!("{mark} {label}").trim_end());
        }
        let widest = self.facts.iter().map(|(name, _)| name.len() + 1).max().unwrap_or(0);
        for (name, fact) in &self.facts {
            let name = format!("{name}:");
            let _ = writeln!(text, "{gutter} = {name:<widest$} {fact}");
        }
        text.trim_end().to_owned()
    }
}

impl Place {
    /// A line of a text, marked at `word` where that occurs, else where it begins.
    pub(super) fn at(
        file: &str,
        text: &str,
        line: u32,
        word: Option<&str>,
        label: String,
    ) -> Option<Place> {
        let code = text.lines().nth(line.checked_sub(1)? as usize)?.trim_end();
        let (start, width) = word
            .and_then(|word| find_word(code, word))
            .unwrap_or_else(|| (code.len() - code.trim_start().len(), 1));
        let column = code[..start].chars().count() + 1;
        Some(Place { file: file.to_owned(), line, column, width, text: code.to_owned(), label })
    }
}
