//! The blocks of a cluster at its barrier: when all have come, and when they wait for ever.

use super::block::Resident;
use super::cause::{Cause, Failure};
use super::context::Context;
use super::control::State;
use super::listener::Listener;
use super::warp::Warp;
use program::registers::lanes;

/// Completes the phase of the blocks of a cluster if all have arrived; whether it did.
pub(super) fn complete<'r, L: Listener + 'r>(
    cx: &mut Context,
    listener: &mut L,
    blocks: &mut [&'r mut Resident<L>],
) -> bool {
    let lanes_of = |blocks: &[&'r mut Resident<L>], of: fn(&Warp) -> u32| {
        let warps = blocks.iter().flat_map(|block| &block.warps);
        warps.map(|warp| of(warp).count_ones()).sum::<u32>()
    };
    let arrived = lanes_of(blocks, |warp| warp.attendance.arrived & warp.live);
    if arrived == 0 || arrived < lanes_of(blocks, |warp| warp.live) {
        return false;
    }
    for block in blocks {
        for warp in &mut block.warps {
            let own = &mut warp.attendance;
            own.passed |= std::mem::take(&mut own.arrived);
        }
        block.goes_on(cx, listener);
    }
    true
}

/// Reports a cluster all of whose blocks wait, for its barrier or for something else.
pub(super) fn deadlock<L: Listener>(
    cx: &mut Context,
    blocks: &[&mut Resident<L>],
) -> Option<(usize, Box<Failure>)> {
    let warps = || blocks.iter().flat_map(|block| &block.warps);
    let live: u32 = warps().map(|warp| warp.live.count_ones()).sum();
    let arrived: u32 = warps().map(|warp| (warp.attendance.arrived & warp.live).count_ones()).sum();
    blocks.iter().enumerate().find_map(|(place, block)| {
        let waits = block.warps.iter().find_map(|warp| {
            let fiber = warp.fibers.iter().find(|it| matches!(it.state, State::Cluster(_)))?;
            let State::Cluster(at) = fiber.state else { return None };
            Some((warp.index, lanes(fiber.mask()).next().unwrap_or(0), at))
        });
        let (warp, lane, at) = waits?;
        cx.block = block.block;
        let text = format!(
            "it waits at the barrier of its cluster, where {arrived} of {live} live threads have arrived; the others \
             wait elsewhere"
        );
        Some((place, Box::new(Failure { cause: Cause::Deadlock(text), lane, warp, at })))
    })
}
