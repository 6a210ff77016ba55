//! Whether a step computes what the reference says.

mod errors;
#[cfg(test)]
mod probe;

pub use errors::{Errors, Tolerance};
