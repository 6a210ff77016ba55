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
    /// A folder that all devices can read and write, in which they find each other. No other group may use it.
    pub folder: PathBuf,
    /// How long a device waits for another before it gives up.
    pub patience: Duration,
    /// Whether data goes through that folder even where devices have a faster way: ranks that share a GPU have none.
    pub through_files: bool,
}
