#![doc = include_str!("../README.md")]

mod error;
mod lexer;
mod lower;
mod machine;
mod options;
mod parser;
mod print;
mod syntax;
mod types;

pub use error::IrError;
pub use options::Options;

/// The PTX of a text of LLVM IR.
///
/// # Errors
/// The text is malformed, is not for NVIDIA's GPUs, or has something that is not supported.
pub fn translate(text: &str, options: &Options) -> Result<String, IrError> {
    lower::translate(&parser::parse(text)?, options)
}
