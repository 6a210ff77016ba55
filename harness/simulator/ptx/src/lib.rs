#![doc = include_str!("../README.md")]

pub mod ast;
mod error;
mod kinds;
mod lexer;
mod line;
pub mod mutate;
mod parser;
pub mod space;
mod text;

pub use error::{Error, PtxError};
pub use line::{Line, Origin};
pub use parser::parse;
pub use space::Space;
