//! What is known of allocations beyond what the simulator knows.

use std::collections::{BTreeMap, BTreeSet};
#[cfg(target_os = "linux")]
use std::fs::File;

#[cfg(target_os = "linux")]
use crate::host::Mapping;

/// The program's allocations, by their addresses.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    /// Number of allocations so far, for their names.
    pub(crate) allocations: u64,
    /// Bytes of each allocation that a graph owns.
    pub(crate) of_graphs: BTreeMap<u64, u64>,
    /// Managed memory.
    pub(crate) managed: BTreeSet<u64>,
    /// Allocations that other processes map too.
    #[cfg(target_os = "linux")]
    pub(crate) shared: BTreeMap<u64, SharedMemory>,
}

/// An allocation that other processes may map, or one of another process.
#[cfg(target_os = "linux")]
#[derive(Debug)]
pub(crate) struct SharedMemory {
    pub(crate) file: File,
    /// Kept until the allocation is freed.
    pub(crate) _mapping: Mapping,
}
