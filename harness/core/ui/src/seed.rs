//! Seeds of random numbers that a reader can type again.

use std::hash::{BuildHasher, Hasher, RandomState};

/// A seed that is new and short enough to type.
pub fn new_seed() -> u64 {
    // The standard library's hash tables have keys of their own in every process.
    u64::from(RandomState::new().build_hasher().finish() as u32).max(1)
}
