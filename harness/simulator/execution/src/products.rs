//! Groups of products of a warpgroup (PTX ISA, "wgmma.commit_group", "wgmma.wait_group").
//!
//! The four warps multiply together: a product is complete when all of them have begun it. So who waits for it waits for the
//! other warps too, and one thread may say for all of them that shared memory is free.

use super::control::State;
use super::warp::Warp;
use program::registers::LANES;

/// Warps of a warpgroup.
pub const WARPS: usize = 128 / LANES;

/// How far a warp is with its groups of products.
#[derive(Debug, Clone, Copy, Default)]
pub struct Progress {
    /// Groups that it has closed.
    closed: u32,
    /// Groups that all warps of its warpgroup had closed when one of them waited last.
    common: u32,
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

/// Lets warps go on that wait for groups to which all live warps of their warpgroup have come.
pub(super) fn release_products(warps: &mut [Warp]) {
    for group in warps.chunks_mut(WARPS) {
        let mut fibers = group.iter().flat_map(|warp| &warp.fibers);
        if !fibers.any(|fiber| matches!(fiber.state, State::Products(_))) {
            continue;
        }
        let live = group.iter().filter(|warp| warp.live != 0);
        let common = live.map(|warp| warp.products.closed).min().unwrap_or(0);
        for warp in group {
            warp.products.common = common;
            for fiber in &mut warp.fibers {
                if let State::Products(left) = fiber.state
                    && warp.products.is_complete(left)
                {
                    fiber.state = State::Ready;
                    fiber.changed = true;
                }
            }
        }
    }
}
