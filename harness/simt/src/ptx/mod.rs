//! PTX as text: a lexer, a parser, and the file as written.

pub(crate) mod ast;
pub(crate) mod lexer;
pub(crate) mod parser;

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
