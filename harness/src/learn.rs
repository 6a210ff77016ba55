//! Exercises: a kernel with a gap, a goal, a check that is the same on every machine, hints, a solution.
//!
//! ```text
//! exercise   one of steps/exercises/, as it is written down there
//!   └ trial      its launches, run on the simulator with data of a size and a seed: what came out, and the events
//!      └ check       a verdict: compiler, results, hazards, then the goals
//! progress   what a reader has passed, and where the reader's own files are
//! ```

pub mod check;
pub mod exercise;
pub mod progress;
pub mod trial;
