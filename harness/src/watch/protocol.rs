//! What the program and the process that gives verdicts say to each other: a line of JSON each.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// The first line. Every line after it asks for a verdict on the file as it is then.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Setup {
    /// The ladder of the step.
    pub ladder: String,
    /// The step whose place the kernel takes.
    pub step: String,
    /// The reader's kernel, as it was typed.
    pub file: PathBuf,
    /// The GPU that is modelled.
    pub gpu: String,
    /// The seed of what verification draws.
    pub seed: u64,
}

/// What is said, in this order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Event {
    /// It has begun something.
    Doing(String),
    /// The kernel cannot be run on this machine.
    Impossible(String),
    /// It is wrong.
    Wrong(String),
    /// It is right.
    Right {
        /// What ran.
        code: String,
        /// How long verification took.
        seconds: f64,
        /// What of it never ran.
        gaps: Vec<String>,
    },
    /// It was compared with the step's own kernel.
    Compared(String),
}

impl Event {
    /// Whether nothing follows it.
    pub fn is_last(&self) -> bool {
        !matches!(self, Event::Doing(_) | Event::Right { .. })
    }
}
