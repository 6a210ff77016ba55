//! Exercises: a kernel with a gap, a goal, a check that is the same on every machine, hints, a solution.
//!
//! ```text
//! exercise   one of steps/exercises/, as it is written down there: its launches (launch), what it asks (question) and wants (wanted)
//!   ├ attempts   what its author has tried besides: wrong solutions and right ones
//!   ├ case       a size, a block, a seed: with what it is run
//!   └ trial      its launches, run on the simulator with the data of a case: what came out, and the events
//!      ├ results    what came out, held against what the solution leaves behind
//!      ├ goals      the events, held against the limits
//!      ├ parallel   how the work is divided, held against the solution's
//!      ├ answer     what a reader predicted, held against a trial or a committed report
//!      ├ program    a reader's functions in Rust, compiled with a program that judges them, and its counts
//!      ├ code       the code in a reader's file, and in the solution's
//!      ├ measure    what the solution does with a case, compiled and run once
//!      └ check      all that, in this order: compiler, results, hazards, goals
//!         ├ plan       with which data, and how far
//!         ├ findings   what was found of each, and the verdict that follows
//!         ├ author     tries the attempts: wrong ones must fail, right ones must pass
//!         └ judge      the same from a process of its own: what a compiler does to it costs nothing else
//! cost       what a kernel costs on the model of a GPU, for comparisons
//! progress   what a reader has passed, and where the reader's own files are
//! ```

pub mod answer;
pub mod attempts;
pub mod author;
pub mod case;
pub mod check;
mod code;
pub mod cost;
pub mod exercise;
pub mod findings;
mod goals;
pub mod judge;
pub mod launch;
pub mod measure;
mod parallel;
pub mod plan;
mod program;
pub mod progress;
pub mod question;
mod results;
pub mod trial;
mod wanted;
