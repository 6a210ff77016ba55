//! Lanes of a warp that meet before an instruction which all of them execute together (PTX ISA, `.sync`: the thread waits until all
//! of its warp execute the same instruction).

use super::context::Context;
use super::control::{Fiber, State};
use super::scheduling::Scheduling;
use super::warp::Warp;
use program::registers::FULL;

/// Lets the lanes of `mask`, the whole running frame, wait for the warp's others before the instruction with this number in
/// its block. `false` if they are all there, or the others have ended.
pub(super) fn wait_for_others(
    cx: &mut Context,
    warp: &mut Warp,
    fiber: &mut Fiber,
    (block, mask): (usize, u32),
    executed: u32,
) -> bool {
    let is_independent = cx.scheduling == Scheduling::Independent;
    if std::mem::take(&mut fiber.granted) || warp.live & !mask == 0 || !is_independent {
        return false;
    }
    warp.fibers.extend(fiber.split());
    fiber.flatten();
    fiber.executed = executed;
    if executed == 0 {
        // It enters this block once more when the others are there.
        cx.counts[block].executions -= 1;
        cx.counts[block].lanes -= u64::from(mask.count_ones());
    }
    fiber.state = State::Exchange(FULL);
    true
}
