//! What is looked for at an access, by the memory that it goes to.

use std::sync::Arc;

use super::block::BlockHazards;
use super::cluster::{ClusterHazards, Home};
use super::inside::lanes_inside;
use super::multiprocessor::Hazards;
use execution::context::Context;
use execution::listener::{Kind, Touch};
use execution::peers::Named;
use program::registers::{Registers, lanes};
use ptx::Space;
use ptx::space::{
    LOCAL_START, LOCAL_WINDOW, PARAM_WINDOW, RANK_BYTES, SHARED_WINDOW, WINDOW_BYTES,
};

/// An access, with the block and the registers of the warp that makes it.
type Access<'a> = (&'a Context<'a>, &'a Registers, &'a Touch<'a>);

impl Hazards<'_> {
    /// An access to any space.
    pub(super) fn touches_space(
        &mut self,
        own: &mut BlockHazards,
        cx: &Context,
        r: &Registers,
        touch: &Touch,
    ) {
        match touch.space {
            Space::Shared => {
                let home = Home { rank: own.rank, base: 0 };
                self.touches_shared(own, (cx, r, touch), home);
            }
            Space::Global => self.touches_global(own, (cx, r, touch)),
            Space::Generic => self.touches_generic(own, (cx, r, touch)),
            Space::Local => self.touches_local(own, (cx, r, touch), LOCAL_START),
            Space::Cluster => self.touches_cluster(own, (cx, r, touch), 0),
            Space::Const | Space::Param => {}
        }
    }

    /// An access whose addresses say where each lane's memory is.
    fn touches_generic(&mut self, own: &mut BlockHazards, (cx, r, touch): Access) {
        let within = |base: u64, a: u64| a.wrapping_sub(base) < WINDOW_BYTES;
        let (mut shared, mut local, mut global) = (0, 0, 0);
        for (lane, address) in touch.active() {
            if within(SHARED_WINDOW, address) {
                shared |= 1 << lane;
            } else if within(LOCAL_WINDOW, address) {
                local |= 1 << lane;
            } else if !within(PARAM_WINDOW, address) {
                global |= 1 << lane;
            }
        }
        if shared != 0 {
            self.touches_cluster(own, (cx, r, &touch.of_lanes(shared)), SHARED_WINDOW);
        }
        if local != 0 {
            self.touches_local(own, (cx, r, &touch.of_lanes(local)), LOCAL_WINDOW + LOCAL_START);
        }
        if global != 0 {
            self.touches_global(own, (cx, r, &touch.of_lanes(global)));
        }
    }

    /// An access of a space that begins at `base`, in which each block of the cluster has its part.
    fn touches_cluster(&mut self, own: &mut BlockHazards, (cx, r, touch): Access, base: u64) {
        let mut rest = touch.mask;
        while rest != 0 {
            let lane = rest.trailing_zeros() as usize;
            let part = |lane: usize| touch.address(lane).wrapping_sub(base) / RANK_BYTES;
            let place = part(lane);
            let same = lanes(rest).filter(|&other| part(other) == place);
            let mask = same.fold(0, |mask, lane| mask | 1 << lane);
            rest &= !mask;
            let rank = match cx.spaces.peers.named(place * RANK_BYTES) {
                Named::Own => own.rank,
                Named::Peer(rank) => rank,
                // It will fault.
                Named::Exited(_) | Named::Nobody(_) => continue,
            };
            let home = Home { rank, base: base + place * RANK_BYTES };
            self.touches_shared(own, (cx, r, &touch.of_lanes(mask)), home);
        }
    }

    /// An access to the shared memory of one block of the cluster.
    fn touches_shared(&mut self, own: &mut BlockHazards, (cx, r, touch): Access, home: Home) {
        let inside = lanes_inside(touch, home.base, cx.spaces.shared_bytes);
        if inside == 0 {
            return;
        }
        let access = (cx, r, &touch.of_lanes(inside));
        let cluster = self.clusters.get(&own.cluster).map(|(cluster, _)| Arc::clone(cluster));
        let traits = &self.launch.facts.traits[touch.at as usize];
        if (traits.bulk || traits.begins || traits.mbarrier)
            && let Some(finding) =
                own.passes_proxy(&self.launch.facts, cluster.as_deref(), access.2, home)
        {
            self.finds(finding);
        }
        if home.rank == own.rank {
            if let Some(cluster) = &cluster {
                own.note_written(cluster);
            }
            self.touches_own(own, cluster.as_deref(), access, home.base);
        }
        if let Some(cluster) = &cluster
            && self.launch.clusters
        {
            self.touches_part(own, cluster, access, home);
        }
    }

    /// What the threads of one block do to its shared memory.
    fn touches_own(
        &mut self,
        own: &mut BlockHazards,
        cluster: Option<&ClusterHazards>,
        (cx, r, touch): Access,
        base: u64,
    ) {
        let launch = self.launch;
        let plus = SHARED_WINDOW.wrapping_sub(base);
        if let Some(finding) = own.overrun(&launch.facts, touch, base) {
            self.finds(finding);
        }
        let initial = own.initial_clashes(&launch.facts, touch, base);
        own.synchronises((launch, cx), touch, (Space::Shared, plus), true);
        if !matches!(touch.kind, Kind::Store | Kind::Announcement)
            && let Some(finding) = own.unwritten_shared(&launch.facts, touch, base)
        {
            self.finds(finding);
        }
        if launch.facts.products
            && let Some(finding) = own.meets_products(&launch.facts, touch, base)
        {
            self.finds(finding);
        }
        if launch.facts.bulk_copies
            && let Some(finding) = own.meets_copies(&launch.facts, cx, touch, base)
        {
            self.finds(finding);
        }
        let report = &mut |finding| self.finds(finding);
        own.race_shared((launch, cluster), (cx, r, touch), (base, initial), report);
        own.synchronises((launch, cx), touch, (Space::Shared, plus), false);
    }

    /// What the blocks of a cluster do to the shared memory of one of them.
    fn touches_part(
        &mut self,
        own: &mut BlockHazards,
        cluster: &ClusterHazards,
        (cx, r, touch): Access,
        home: Home,
    ) {
        let launch = self.launch;
        own.orders_cluster(launch, cluster, (cx, touch), home, true);
        let report = &mut |finding| self.finds(finding);
        own.race_cluster(launch, cluster, (cx, r, touch), home, report);
        own.orders_cluster(launch, cluster, (cx, touch), home, false);
    }

    fn touches_local(&mut self, own: &mut BlockHazards, (cx, r, touch): Access, base: u64) {
        let kept = match self.launch.facts.traits[touch.at as usize].kept {
            Some((predicate, true)) => r.predicate(predicate),
            Some((predicate, false)) => !r.predicate(predicate),
            None => u32::MAX,
        };
        let mask = kept & lanes_inside(touch, base, cx.spaces.local_bytes);
        let touch = &touch.of_lanes(mask);
        if let Some(finding) = own.touch_local(&self.launch.facts, cx, touch, base) {
            self.finds(finding);
        }
    }

    fn touches_global(&mut self, own: &mut BlockHazards, (cx, r, touch): Access) {
        let launch = self.launch;
        own.synchronises((launch, cx), touch, (Space::Global, 0), true);
        own.touch_global(launch, cx, r, touch, &mut |finding| self.finds(finding));
        own.synchronises((launch, cx), touch, (Space::Global, 0), false);
        if let Some(host) = &launch.host {
            own.tells_host(&launch.facts, host, cx, touch);
        }
    }
}
