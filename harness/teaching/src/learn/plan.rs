//! With which data a reader's file is checked, and how far.

use serde::{Deserialize, Serialize};

use processes::confine::Limits;

use super::exercise::Exercise;

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
    /// For a reader of this exercise, who mends one problem after the other.
    pub fn for_reader(exercise: &Exercise, seed: u64) -> Plan {
        let sizes = drawn_size(exercise, seed).into_iter().collect();
        Plan { seeds: vec![seed], sizes, ..Plan::default() }
    }
}

/// A size that the exercise does not name, of the same kind: a multiple of what all of its sizes are multiples of, from
/// half of the largest to twice that. None where a reader's number or a ladder's step decides.
pub fn drawn_size(exercise: &Exercise, seed: u64) -> Option<u64> {
    let has_none = exercise.launches.is_empty() && !exercise.is_program();
    if has_none || exercise.is_answered() {
        return None;
    }
    let unit = exercise.sizes.iter().copied().reduce(greatest_common_divisor)?;
    let most = 2 * exercise.sizes.iter().max()? / unit;
    let new = |factor: &u64| !exercise.sizes.contains(&(factor * unit));
    let candidates: Vec<u64> = (most.div_ceil(4)..=most).filter(new).collect();
    Some(candidates[usize::try_from(seed).ok()? % candidates.len()] * unit)
}

fn greatest_common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}
