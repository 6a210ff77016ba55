//! How barriers, fences, atomics and strong accesses order a block's accesses.

use super::block::BlockHazards;
use super::launch::LaunchHazards;
use execution::context::Context;
use execution::listener::{Arrival, Kind, Touch};
use program::Scope;
use program::registers::LANES;
use ptx::Space;
use ptx::space::SHARED_WINDOW;

impl BlockHazards {
    /// A barrier completes; `whole` if all threads of the block took part.
    pub(super) fn passes(
        &mut self,
        launch: &LaunchHazards,
        arrivals: &[Arrival],
        number: usize,
        whole: bool,
    ) {
        match (&launch.released, whole) {
            (Some(_), true) => self.remote.share(arrivals),
            (Some(_), false) => self.remote.meet(arrivals),
            (None, _) => {}
        }
        if whole {
            self.clocks.whole_block();
        } else {
            self.clocks.some(number, arrivals);
        }
    }

    /// Threads arrive at a barrier without waiting.
    pub fn goes_by(&mut self, launch: &LaunchHazards, number: usize, arrival: Arrival) {
        if launch.released.is_some() {
            self.remote.share(&[arrival]);
        }
        self.clocks.arrive(number, arrival);
    }

    /// Lanes of a warp synchronise.
    pub fn meets(&mut self, launch: &LaunchHazards, warp: u32, mask: u32, live: u32) {
        if launch.released.is_some() {
            self.remote.meet(&[Arrival { warp, mask, at: 0 }]);
        }
        self.clocks.warp(warp, mask, live);
    }

    /// Lanes of a warp execute a fence.
    pub fn fences(&mut self, launch: &LaunchHazards, arrival: Arrival, scope: Scope) {
        let reaches = scope.spans_blocks() || scope == Scope::Cluster && launch.clusters;
        if reaches && launch.released.is_some() {
            self.remote.fence(arrival, scope, &self.clocks);
        }
        self.clocks.fence(arrival);
    }

    /// Acquires before an access (`acquires`), or releases after it, if it may order others. `plus` turns an address in
    /// its space into a generic one.
    #[inline(always)]
    pub(super) fn synchronises(
        &mut self,
        (launch, cx): (&LaunchHazards, &Context),
        touch: &Touch,
        place: (Space, u64),
        acquires: bool,
    ) {
        if launch.facts.orders && launch.facts.traits[touch.at as usize].strong {
            self.orders_lanes((launch, cx), touch, place, acquires);
        }
    }

    fn orders_lanes(
        &mut self,
        (launch, cx): (&LaunchHazards, &Context),
        touch: &Touch,
        (space, plus): (Space, u64),
        acquires: bool,
    ) {
        let own = &launch.facts.traits[touch.at as usize];
        for (lane, address) in touch.active() {
            let thread = touch.warp * LANES as u32 + lane as u32;
            let address = address.wrapping_add(plus);
            let parity =
                (own.mbarrier && space == Space::Shared).then(|| parity(cx, address)).flatten();
            if acquires && touch.kind != Kind::Store {
                match (parity, touch.kind) {
                    (None, _) => self.clocks.acquire(thread, address, own.order.acquire),
                    (Some(now), Kind::Load) => self.clocks.look_at_phase(thread, address, now),
                    _ => {}
                }
                let of_grid = space == Space::Global && own.scope.spans_blocks();
                if let Some(released) = launch.released.as_ref().filter(|_| of_grid) {
                    self.remote.looks((thread, address), own, released);
                }
            } else if !acquires && touch.kind != Kind::Load && !cx.is_early(lane) {
                if let Some(released) = &launch.released {
                    let arrival = Arrival { warp: touch.warp, mask: 1 << lane, at: touch.at };
                    if own.order.release && own.scope.spans_blocks() {
                        self.remote.perform(arrival, own.scope, &self.clocks);
                    }
                    match space {
                        Space::Global if !own.scope.spans_blocks() => {}
                        Space::Global => self.remote.release(
                            (thread, address),
                            self.since(),
                            (&self.clocks, touch.kind == Kind::Atomic),
                            released,
                        ),
                        _ => self.remote.share(&[arrival]),
                    }
                }
                if let Some(now) = parity {
                    self.clocks.arrive_in_phase(thread, address, now);
                    continue;
                }
                // The lanes of one atomic execute in order, so a later lane sees what an earlier one released.
                if touch.kind != Kind::Store {
                    self.clocks.acquire(thread, address, own.order.acquire);
                }
                self.clocks.release(thread, address, own.order.release);
            }
        }
    }
}

/// The parity of the phase of an `mbarrier` at a generic address of the block's own shared memory. None where blocks of a
/// cluster may arrive: phases go by that this block does not see.
fn parity(cx: &Context, address: u64) -> Option<bool> {
    let is_alone = cx.clusters.size() == 1;
    is_alone.then(|| cx.spaces.parity(address - SHARED_WINDOW))
}
