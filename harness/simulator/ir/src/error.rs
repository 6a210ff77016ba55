//! What is wrong with a text.

use thiserror::Error;

/// Why a text cannot become PTX.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{place}{message} (line {line} of the LLVM IR)", place = place(source_line.as_ref()))]
pub struct IrError {
    /// Line of the IR, from 1.
    pub line: u32,
    /// File and line of what the IR was made of, where that is known.
    pub source_line: Option<(String, u32)>,
    /// What is wrong.
    pub message: String,
}

fn place(source: Option<&(String, u32)>) -> String {
    source.map_or_else(String::new, |(file, line)| format!("{file}({line}): "))
}

/// What is wrong, wherever that is.
#[derive(Debug)]
pub(crate) struct Problem(pub String);

impl Problem {
    pub fn new(message: impl Into<String>) -> Problem {
        Problem(message.into())
    }

    /// In a line of the IR.
    pub fn at(self, line: u32) -> IrError {
        IrError { line, source_line: None, message: self.0 }
    }
}

/// Fails with a message.
pub(crate) fn problem<T>(message: impl Into<String>) -> Result<T, Problem> {
    Err(Problem::new(message))
}
