//! What the program and the processes that verify mutants say to each other: a line of JSON each.

use std::collections::BTreeMap;

use report::mutation::Cause;
use serde::{Deserialize, Serialize};

/// The first line: what stays the same.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Setup {
    /// The ladder.
    pub ladder: String,
    /// The GPU that is simulated.
    pub gpu: String,
    /// The seed of what verification draws.
    pub seed: u64,
}

/// Every line after it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Job {
    /// The step.
    pub step: String,
    /// PTX that runs in the place of the step's own.
    pub text: String,
    /// What is to be found out.
    pub task: Task,
}

/// What is to be found out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Task {
    /// Whether it verifies.
    Verify,
    /// Which bits its results have, and how often each line was executed.
    Look,
}

/// What is said of a job, the last of it the answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Event {
    /// It has begun the next input.
    Doing(String),
    /// It verifies.
    Verified,
    /// The text is no PTX: this is no mutant.
    NotPtx(String),
    /// It does not verify.
    Killed {
        /// By what.
        cause: Cause,
        /// In words.
        why: String,
    },
    /// What was seen of it.
    Looked {
        /// A digest of the results' bits for each input.
        bits: Vec<u64>,
        /// Executions by warps of each line of the PTX.
        executed: BTreeMap<u32, u64>,
    },
}
