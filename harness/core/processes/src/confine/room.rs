//! What a confined process may still reach.

use std::path::PathBuf;

/// What a process may still reach.
#[derive(Debug, Clone, Copy, Default)]
pub struct Room<'r> {
    /// Files that it can read, and folders with all below.
    pub readable: &'r [PathBuf],
    /// The same, to write.
    pub writable: &'r [PathBuf],
    /// Whether it may become another program.
    pub may_become: bool,
    /// Whether it may start processes.
    pub may_start: bool,
}
