//! Rules of thumb for the number of threads of a block, each tested on a sweep over block sizes.
//!
//! The rules are those of NVIDIA's best-practice notes ("Thread and Block Heuristics") and of the tutorial. [`rules`] says
//! of each whether it held for a step, from the rows of the sweep; [`show`] writes that for a terminal and for Markdown.

mod rules;
mod show;
mod sweep;

pub use rules::{Finding, Judgement, findings};
pub use show::{markdown, text};
pub use sweep::{Point, Sweep};
