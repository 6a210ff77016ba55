//! The program behind `cargo run -p harness`, as a library, so that the book draws the same tables.

pub mod count;
pub mod ladders;
pub mod names;
pub mod output;
pub mod plot;
pub mod table;
