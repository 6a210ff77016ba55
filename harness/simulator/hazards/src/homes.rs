//! Accesses to shared memory of a cluster, told apart by the block whose memory it is.

use std::sync::Arc;

use super::Hazards;
use super::block::BlockHazards;
use super::cluster::{ClusterHazards, Home};
use super::inside::lanes_inside;
use execution::context::Context;
use execution::listener::Touch;
use execution::peers::Named;
use program::registers::{Registers, lanes};
use ptx::space::RANK_BYTES;

impl Hazards<'_> {
    /// An access of a space that begins at `base`, in which each block of the cluster has its part.
    pub(super) fn touches_cluster(
        &mut self,
        own: &mut BlockHazards,
        cx: &Context,
        r: &Registers,
        touch: &Touch,
        base: u64,
    ) {
        let mut rest = touch.mask;
        while rest != 0 {
            let lane = rest.trailing_zeros() as usize;
            let home = |lane: usize| touch.address(lane).wrapping_sub(base) / RANK_BYTES;
            let place = home(lane);
            let same = lanes(rest).filter(|&other| home(other) == place);
            let mask = same.fold(0, |mask, lane| mask | 1 << lane);
            rest &= !mask;
            let (touch, start) = (&touch.of_lanes(mask), base + place * RANK_BYTES);
            match cx.spaces.peers.named(place * RANK_BYTES) {
                Named::Own => self.touches_shared(own, cx, r, touch, start),
                Named::Peer(rank) => {
                    let Some((cluster, _)) = self.clusters.get(&own.cluster) else { continue };
                    let cluster = Arc::clone(cluster);
                    let inside = lanes_inside(touch, start, cx.spaces.shared_bytes);
                    if inside != 0 {
                        let home = Home { rank, base: start };
                        self.touches_home(own, &cluster, (cx, r, &touch.of_lanes(inside)), home);
                    }
                }
                // It will fault.
                Named::Exited(_) | Named::Nobody(_) => {}
            }
        }
    }

    /// An access to the shared memory of one block of the cluster.
    pub(super) fn touches_home(
        &mut self,
        own: &mut BlockHazards,
        cluster: &ClusterHazards,
        (cx, r, touch): (&Context, &Registers, &Touch),
        home: Home,
    ) {
        let launch = self.launch;
        own.orders_cluster(launch, cluster, (cx, touch), home, true);
        let report = &mut |finding| self.finds(finding);
        own.race_cluster(launch, cluster, (cx, r, touch), home, report);
        own.orders_cluster(launch, cluster, (cx, touch), home, false);
    }
}
