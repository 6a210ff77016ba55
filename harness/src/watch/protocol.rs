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
