//! Groups of products of a warpgroup (PTX ISA, "wgmma.commit_group", "wgmma.wait_group").
//!
//! The four warps multiply together: a product begins when all of them have come to it (on an H200, the others do not get past
//! it while one is late). So who waits for it has waited for the other warps too, and one thread may say for all of them that
//! shared memory is free.

use program::registers::LANES;

/// Warps of a warpgroup.
pub const WARPS: usize = 128 / LANES;

/// How far a warp is with its groups of products.
#[derive(Debug, Clone, Copy, Default)]
pub struct Progress {
    /// Groups that it has closed.
    pub(super) closed: u32,
    /// Groups that all warps of its warpgroup had closed when one of them waited last.
    pub(super) common: u32,
}

impl Progress {
    /// Another group is closed.
    pub(super) fn close(&mut self) {
        self.closed += 1;
    }

    /// Whether all groups but the last `left` are known to be complete.
    pub(super) fn is_complete(&self, left: u32) -> bool {
        self.common >= self.closed.saturating_sub(left)
    }
}
