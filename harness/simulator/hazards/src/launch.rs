//! The state of hazard detection for a launch, over all its blocks.

use std::sync::Arc;

use super::epoch::{MOST_ACCESSES, MOST_BLOCKS};
use super::facts::Facts;
use super::global::GlobalShadow;
use super::grid::Released;
use super::host::{HostOrder, HostStores};
use super::spare::Spare;
use execution::Scheduling;
use memory::Memory;

/// The state that all CPU threads of a launch share.
pub struct LaunchHazards<'s> {
    pub(super) facts: Arc<Facts>,
    pub(super) global: Option<GlobalShadow<'s>>,
    /// Present if blocks can be ordered, among themselves or with the host.
    pub(super) released: Option<Released>,
    /// Present if there is memory that the host may read before the launch has ended.
    pub(super) host: Option<HostStores>,
    pub(super) scheduling: Scheduling,
    /// Whether blocks of a cluster may access each other's shared memory.
    pub(super) clusters: bool,
    /// Whether there is a [`ClusterHazards`](super::cluster::ClusterHazards) for each cluster. One block alone has one too, if
    /// its threads arrive at the barrier of the cluster and wait there later.
    pub(super) follows_clusters: bool,
    pub(super) spare: &'s Spare,
}

impl LaunchHazards<'_> {
    /// For a launch of the kernel with these facts, of this many blocks, with this many threads each; in `clusters` of several blocks or not.
    pub fn new<'s>(
        facts: Arc<Facts>,
        memory: &Memory,
        [blocks, threads]: [u64; 2],
        (scheduling, clusters): (Scheduling, bool),
        spare: &'s Spare,
    ) -> LaunchHazards<'s> {
        let has_marks = blocks < MOST_BLOCKS && facts.accesses < MOST_ACCESSES;
        // A single thread cannot race, except with the host.
        let can = has_marks && blocks.saturating_mul(threads) > 1;
        let global = can.then(|| GlobalShadow::new(memory, facts.global_grain, &spare.pages));
        let host = has_marks.then(|| HostStores::new(memory, facts.global_grain)).flatten();
        let clusters = clusters && has_marks;
        let follows_clusters = clusters || has_marks && !facts.joins_cluster;
        let orders_blocks = can && facts.orders_blocks || clusters;
        let released = (orders_blocks || host.is_some()).then(Released::default);
        LaunchHazards {
            facts,
            global,
            released,
            host,
            scheduling,
            clusters,
            follows_clusters,
            spare,
        }
    }

    /// What the host may read of it before it has waited; `None` if no kernel stored there. `seed` draws how late the host
    /// sees strong stores.
    pub fn host_order(self, seed: u64) -> Option<HostOrder> {
        HostOrder::new(self.host?, &self.facts, seed)
    }
}
