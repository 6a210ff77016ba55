//! What is wrong with a reader's kernel, as compilers write it: what, where with the line of the source, and what to do.
//!
//! [`compiler`] reads a compiler's messages, [`fault`] says what the simulator stopped, [`results`] what is wrong with
//! results. All is plain text; whoever shows it may paint it.

mod compiler;
mod fault;
mod results;
mod text;

use std::fmt::Write;

use device::{Error, Source};

use crate::verify::Failure;

/// What is wrong.
#[derive(Debug, Default)]
struct Message {
    /// The first line, without "error: ".
    head: String,
    /// Where, the first of them above all.
    places: Vec<Place>,
    /// What more is known, by name.
    facts: Vec<(&'static str, String)>,
}

/// A place in a source.
#[derive(Debug, PartialEq)]
struct Place {
    file: String,
    /// From 1.
    line: u32,
    /// From 1, in characters.
    column: usize,
    /// Characters that are marked.
    width: usize,
    /// The line itself.
    text: String,
    /// What is there.
    label: String,
}

/// A kernel and the one whose place it takes.
#[derive(Debug, Clone, Copy)]
pub struct Versions<'c> {
    /// The reader's.
    pub source: &'c Source,
    /// The step's own; none where it cannot be read.
    pub original: Option<&'c Source>,
}

/// Says why a reader's kernel did not verify; `doing` is what it did then.
pub fn explain(failure: &Failure, versions: Versions, doing: &str) -> String {
    let mut message = match failure {
        Failure::Device(Error::Compile { compiler, log, .. }) => {
            return compiler::messages(log, compiler, versions.source);
        }
        Failure::Device(Error::Kernel { fault, others }) => {
            fault::message(fault, *others, versions)
        }
        Failure::Device(Error::NoKernel { kernel, .. }) => results::no_kernel(kernel, versions),
        Failure::Device(Error::Arguments { kernel, message, .. }) => {
            results::refused(kernel, message, versions)
        }
        Failure::Wrong(wrong) => results::message(wrong, versions),
        other => Message {
            head: other.to_string(),
            places: results::first_difference(versions).into_iter().collect(),
            ..Message::default()
        },
    };
    // Wrong results have their size in the head, and what is refused never ran.
    let ran = match failure {
        Failure::Device(Error::NoKernel { .. } | Error::Arguments { .. }) | Failure::Wrong(_) => {
            false
        }
        _ => !doing.is_empty(),
    };
    if ran {
        let place = message.facts.iter().position(|(name, _)| *name == HELP);
        message.facts.insert(place.unwrap_or(message.facts.len()), ("during", doing.to_owned()));
    }
    message.text()
}

/// What is to be said of a kernel that is right in all else: `head`, with a line of it and the words for that line, and
/// what more is known.
pub fn remark(
    head: String,
    source: &Source,
    place: Option<(u32, String)>,
    facts: Vec<(&'static str, String)>,
) -> String {
    let text = source.cuda.as_deref().unwrap_or_default();
    let place = place.and_then(|(line, label)| Place::at(&source.file, text, line, None, label));
    Message { head, places: place.into_iter().collect(), facts }.text()
}

/// The name of the fact that says what to do.
const HELP: &str = "help";

impl Message {
    /// As a compiler writes it. Every line but the first begins with two spaces: it is not to be wrapped.
    fn text(&self) -> String {
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
    fn at(file: &str, text: &str, line: u32, word: Option<&str>, label: String) -> Option<Place> {
        let code = text.lines().nth(line.checked_sub(1)? as usize)?.trim_end();
        let (start, width) = word
            .and_then(|word| text::find_word(code, word))
            .unwrap_or_else(|| (code.len() - code.trim_start().len(), 1));
        let column = code[..start].chars().count() + 1;
        Some(Place { file: file.to_owned(), line, column, width, text: code.to_owned(), label })
    }
}
