//! With which data a reader's file is checked, and how far.

use serde::{Deserialize, Serialize};

use processes::confine::Limits;

/// Decides what is random where nobody asks for anything else.
pub const SEED: u64 = 1;

/// With which data a file is checked, and how far.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Plan {
    /// Each decides what is random in the data; all are used.
    pub seeds: Vec<u64>,
    /// Sizes besides those of the exercise.
    #[serde(default)]
    pub sizes: Vec<u64>,
    /// Whether to look at each part for itself, and not to end with the first problem.
    #[serde(default)]
    pub thorough: bool,
    /// What processes may use that a check in Rust starts; without it they are the reader's own, and nothing is forbidden.
    #[serde(default)]
    pub limits: Option<Limits>,
}

impl Plan {
    /// For a reader, who mends one problem after the other.
    pub fn for_reader(seed: u64) -> Plan {
        Plan { seeds: vec![seed], ..Plan::default() }
    }
}
