//! The tutorial's accounting slide for any step on any GPU: what a unit of work costs, instruction by instruction, and what
//! rate that allows.
//!
//! [`account`] counts clocks, [`slide`] has the tutorial's own figures, [`tables`] shows both.

mod account;
pub mod slide;
mod tables;

pub use account::{Accounting, Timed};
pub use tables::{markdown, terminal};
