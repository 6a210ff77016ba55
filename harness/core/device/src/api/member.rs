//! A device's place among several that compute together.

use std::path::PathBuf;
use std::time::Duration;

/// A device's place among several.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// Its number, from 0.
    pub rank: usize,
    /// How many devices there are.
    pub size: usize,
    /// A folder that all of them see, in which they find each other. It belongs to this group alone.
    pub folder: PathBuf,
    /// How long one waits for another.
    pub patience: Duration,
}
