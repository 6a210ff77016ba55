//! How long a step takes.
//!
//! ```text
//! size       what the step can do in reasonable time
//!  └ point   the step at one size: verified, then a plan fixed from a first look (plan)
//!     └ sample   one sample of it, taken in a round with those of all other points
//!        └ suspects   which samples may not show what the step can do
//!           └ timed   what a report says of all of them
//! ```
//!
//! How often a point is sampled is fixed before its first sample and never depends on one, and rounds
//! go over all points of all steps: what changes with time, as a clock does, meets all alike.

mod floor;
mod plan;
mod point;
mod renewed;
mod sample;
mod size;
mod suspects;
mod timed;

pub use plan::ROUNDS;
pub use point::{Point, end_to_end};
pub use size::{Pilot, Target, choose_size, is_modelled};
