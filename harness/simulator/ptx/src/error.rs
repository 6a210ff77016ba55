//! Errors in PTX.

/// Invalid PTX, or PTX that the simulator does not support.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}:{column}: {message}")]
pub struct PtxError {
    /// The name under which the text was parsed.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column of the instruction or word, from 1, in characters.
    pub column: u32,
    /// What is wrong.
    pub message: String,
    /// Whether it is valid PTX that the simulator does not support.
    pub unsupported: bool,
}

/// An error in the text, at a line.
#[derive(Debug, Clone)]
pub struct Error {
    /// Line in the PTX, from 1.
    pub line: u32,
    /// Byte offset in the text; without it, the first word of the line is meant.
    pub start: Option<usize>,
    /// What is wrong.
    pub message: String,
    /// Whether it is valid PTX that the simulator does not support.
    pub unsupported: bool,
}

impl Error {
    /// What is wrong in a line.
    pub fn new(line: u32, message: impl Into<String>) -> Error {
        Error { line, start: None, message: message.into(), unsupported: false }
    }

    /// The public error; `text` was parsed under the name `file`.
    pub fn of_file(self, file: &str, text: &str) -> PtxError {
        let Error { line, start, message, unsupported } = self;
        let (before, begins) = match start {
            Some(start) => {
                let before = text.get(..start).unwrap_or(text);
                (before.rsplit('\n').next().unwrap_or_default(), "")
            }
            None => ("", text.lines().nth(line.saturating_sub(1) as usize).unwrap_or_default()),
        };
        let blank = begins.chars().take_while(|c| c.is_whitespace()).count();
        let column = (before.chars().count() + blank) as u32 + 1;
        PtxError { file: file.to_string(), line, column, message, unsupported }
    }
}
