//! PTX as text: a lexer, a parser, and the file as written.

pub(crate) mod ast;
pub(crate) mod error;
pub(crate) mod lexer;
pub(crate) mod parser;
