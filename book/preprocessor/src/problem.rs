//! What is wrong with a page, said so that an editor can jump to it.

use std::fmt;

/// One thing that keeps the book from being whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The file, relative to the workspace (or to the built book, for links).
    pub file: String,
    /// The line in it, from 1; none when the file as a whole is meant.
    pub line: Option<usize>,
    /// What is wrong and how it is put right.
    pub message: String,
}

impl Problem {
    /// A problem with a line of a file.
    pub fn at(file: &str, line: usize, message: impl Into<String>) -> Problem {
        Problem { file: file.to_owned(), line: Some(line), message: message.into() }
    }

    /// A problem with a file as a whole.
    pub fn with(file: &str, message: impl Into<String>) -> Problem {
        Problem { file: file.to_owned(), line: None, message: message.into() }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(out, "{}:{line}: {}", self.file, self.message),
            None => write!(out, "{}: {}", self.file, self.message),
        }
    }
}
