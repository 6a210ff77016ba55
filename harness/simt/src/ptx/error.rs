//! Something wrong with the text.

/// A text that is no PTX, or uses what the simulator does not support.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}: {message}")]
pub struct PtxError {
    /// The name that the text was parsed under.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// What is wrong.
    pub message: String,
}

/// Something wrong with the text, at a line.
#[derive(Debug)]
pub(crate) struct Error {
    pub line: u32,
    pub message: String,
    /// Whether it is PTX all the same, and only the simulator does not know it.
    pub unsupported: bool,
}

impl Error {
    pub(crate) fn new(line: u32, message: impl Into<String>) -> Error {
        Error { line, message: message.into(), unsupported: false }
    }
}
