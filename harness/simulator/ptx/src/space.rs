//! State spaces, and where generic addresses find those that are no part of global memory.

use std::fmt;

/// A state space of PTX.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Space {
    /// Any space: the address tells which.
    Generic,
    /// The device's memory.
    Global,
    /// A block's scratch memory.
    Shared,
    /// The scratch memory of all blocks of a cluster (`.shared::cluster`).
    Cluster,
    /// A thread's own memory.
    Local,
    /// Read-only memory that the host writes.
    Const,
    /// Parameters of a kernel or of a device function.
    Param,
}

impl fmt::Display for Space {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Space::Generic => "generic",
            Space::Global => "global",
            Space::Shared => "shared",
            Space::Cluster => "shared::cluster",
            Space::Local => "local",
            Space::Const => "const",
            Space::Param => "param",
        })
    }
}

/// Where the shared memory of a block lies among generic addresses.
pub const SHARED_WINDOW: u64 = 0x0100_0000_0000;
/// Distance of the shared memories of a cluster's blocks, in [`Space::Cluster`] and in the window of shared memory. A block
/// finds its own memory at 0, and that of rank `r` at `r + 1` times this.
pub const RANK_BYTES: u64 = 1 << 24;
/// Where a thread's local memory lies among generic addresses.
pub const LOCAL_WINDOW: u64 = 0x0200_0000_0000;
/// Where a thread's local memory begins, in its own space and in its window: beyond the largest array that it can hold, so
/// that an index or an offset without the array's address is outside. On GPUs the stack does not begin at 0 either.
pub const LOCAL_START: u64 = 1 << 20;
/// Where a kernel's parameters lie among generic addresses.
pub const PARAM_WINDOW: u64 = 0x0300_0000_0000;
/// Where functions lie: no access may go there.
pub const FUNCTION_WINDOW: u64 = 0x0400_0000_0000;
/// Size of each window.
pub const WINDOW_BYTES: u64 = 1 << 32;
