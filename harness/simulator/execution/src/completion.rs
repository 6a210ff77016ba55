//! Lets warps go on whose products are complete.

use super::control::State;
use super::products::WARPS;
use super::warp::Warp;

/// Lets warps go on that wait for groups to which all live warps of their warpgroup have come; whether there were any.
pub(super) fn release_products(warps: &mut [Warp]) -> bool {
    let mut released = false;
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
                    released = true;
                }
            }
        }
    }
    released
}
