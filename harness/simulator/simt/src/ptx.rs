//! PTX as text: a lexer, a parser, the file as written, and its instructions as text again.

pub(crate) mod ast;
pub(crate) mod error;
pub(crate) mod lexer;
pub(crate) mod parser;
mod text;
