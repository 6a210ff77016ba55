//! The tutorial's accounting slide for any step on any GPU: what an interaction costs, instruction by instruction, and
//! what rate that allows.
//!
//! [`account`] counts clocks, [`slide`] has the tutorial's own figures, [`text`] and [`markdown`] show both.

pub mod account;
pub mod markdown;
pub mod slide;
pub mod text;

pub use account::{Accounting, Line, Rate, Timed};
