//! PTX as text: a lexer, a parser, the syntax tree, and instructions printed as text.

pub(crate) mod ast;
pub(crate) mod error;
pub(crate) mod lexer;
pub(crate) mod parser;
mod text;
