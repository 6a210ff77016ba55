#![doc = include_str!("../README.md")]
#![allow(
    clippy::needless_range_loop,
    reason = "lane loops index several arrays alike, and that form is the one that vectorises"
)]

pub mod alu;
pub mod cfg;
mod class;
pub mod communication;
pub mod instruction;
mod kernel;
mod lower;
mod module;
#[expect(unsafe_code, reason = "reads without a check of the index")]
pub mod registers;

pub use class::Class;
pub use instruction::*;
pub use kernel::{Block, Code, Kernel, Parameter, Summary, Unfinished, group_columns};
pub use module::{KernelError, Module};
#[doc(hidden)]
pub use ptx::kinds;
