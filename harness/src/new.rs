//! New ladders, steps and exercises: their files, and the lines that name them.
//!
//! ```text
//! ladder   the ladder `example` of this workspace under another name: crate, kernel with PTX, pages
//! step     the kernel of a step with PTX, its entry among the steps, its page
//! exercise one that is there under another number and name
//! names    what ladders and steps can be called
//! text     lines put into files that are there already
//! files    what is to be written: all of it or nothing
//! ```
//!
//! Nothing is compiled: the PTX of a copy is that of its original under another name.

mod exercise;
mod files;
mod ladder;
mod names;
mod step;
mod text;

pub use exercise::exercise;
pub use files::Files;
pub use ladder::ladder;
pub use step::{Parent, step};
