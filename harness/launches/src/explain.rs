//! Why a step is faster or slower than another, from what the simulator saw of both.
//!
//! [`running`] runs a step and gathers its facts and a [`timeline`]. [`compare`] sets the [`metrics`] of two side by side,
//! [`pass`] models the times of whole passes. [`verdict`] puts the result into words, [`code`] and [`instructions`] show what differs in sources, PTX and machine code
//! (a [`difference`] of lines), [`text`] holds it all, as data and for the terminal.

mod code;
pub mod compare;
pub mod difference;
pub mod instructions;
mod metrics;
pub mod pass;
pub mod running;
pub mod text;
pub mod timeline;
pub mod verdict;
