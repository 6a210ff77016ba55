//! Exercises: a kernel with a gap, a goal, a check that is the same on every machine, hints, a solution.
//!
//! ```text
//! exercise   one of steps/exercises/, as it is written down there
//!   └ trial      its launches, run on the simulator with data of a size and a seed: what came out, and the events
//!      ├ results    what came out, held against what the solution leaves behind
//!      ├ goals      the events, held against the limits
//!      ├ answer     what a reader predicted, held against a trial or a committed report
//!      ├ program    a reader's functions in Rust, compiled with a program that judges them, and its counts
//!      └ check      all that, in this order: compiler, results, hazards, goals
//!         ├ plan       with which data, and how far
//!         ├ findings   what was found of each, and the verdict that follows
//!         └ judge      the same from a process of its own: what a compiler does to it costs nothing else
//! progress   what a reader has passed, and where the reader's own files are
//! ```

pub mod answer;
pub mod check;
pub mod exercise;
pub mod findings;
mod goals;
pub mod judge;
pub mod plan;
mod program;
pub mod progress;
mod results;
pub mod trial;
