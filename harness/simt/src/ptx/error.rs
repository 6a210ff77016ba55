//! Something wrong with the text.

/// Something wrong with the text, at a line.
#[derive(Debug)]
pub(crate) struct Error {
    pub line: u32,
    pub message: String,
}

impl Error {
    pub(crate) fn new(line: u32, message: impl Into<String>) -> Error {
        Error { line, message: message.into() }
    }
}
