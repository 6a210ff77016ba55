//! The tutorial's accounting slide for any step on any GPU: what a unit of work costs, instruction by instruction, and what
//! rate that allows.
//!
//! ```text
//! account   clocks of a unit of work     slide   the tutorial's own figures     tables   both, side by side
//! ```

mod account;
pub mod slide;
mod tables;

pub use account::{Accounting, Timed};
pub use tables::{markdown, terminal};
