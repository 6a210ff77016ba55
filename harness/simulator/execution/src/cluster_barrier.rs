//! The barrier of a cluster: threads arrive, and wait until all live threads of all its blocks have arrived (PTX ISA,
//! "barrier.cluster").

use super::cause::Cause;
use super::context::Context;
use super::control::State;
use super::listener::{Arrival, Listener, Order};
use super::spaces::Refused;
use super::warp::Warp;

/// Lanes arrive.
///
/// # Errors
/// A lane arrived before and did not wait: undefined.
pub(super) fn arrive(warp: &mut Warp, mask: u32) -> Result<(), Refused> {
    let own = &mut warp.attendance;
    let again = (own.arrived | own.passed) & mask;
    if again != 0 {
        let text = "it arrives at the barrier of its cluster once more without having waited there";
        return Err(Box::new((again.trailing_zeros() as usize, Cause::Cluster(text.to_string()))));
    }
    own.arrived |= mask;
    Ok(())
}

/// Lanes are about to wait.
///
/// # Errors
/// A lane has not arrived: undefined.
pub(super) fn check_wait(warp: &Warp, mask: u32) -> Result<(), Refused> {
    let absent = mask & !(warp.attendance.arrived | warp.attendance.passed);
    if absent != 0 {
        let text = "it waits at the barrier of its cluster without having arrived there";
        return Err(Box::new((absent.trailing_zeros() as usize, Cause::Cluster(text.to_string()))));
    }
    Ok(())
}

/// Lets the fibers of a block go on whose phase is complete; whether there were any.
pub(super) fn release<L: Listener>(
    cx: &mut Context,
    (listener, own): (&mut L, &mut L::Block),
    warps: &mut [Warp],
) -> bool {
    let mut released = Vec::new();
    let live: u32 = warps.iter().map(|warp| warp.live.count_ones()).sum();
    for warp in warps {
        for fiber in &mut warp.fibers {
            let State::Cluster(at) = fiber.state else { continue };
            let mask = fiber.mask();
            if mask & !warp.attendance.passed == 0 {
                warp.attendance.passed &= !mask;
                fiber.state = State::Ready;
                fiber.changed = true;
                released.push(Arrival { warp: warp.index, mask, at });
            }
        }
    }
    if L::LISTENS && !released.is_empty() {
        let whole = released.iter().map(|it| it.mask.count_ones()).sum::<u32>() == live;
        listener.orders(own, cx, Order::PassesCluster { arrivals: &released, whole });
    }
    !released.is_empty()
}
