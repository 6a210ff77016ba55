//! The state of hazard detection for a launch, over all its blocks.

use std::sync::Mutex;

use super::block::BlockHazards;
use super::facts::Facts;
use super::global::GlobalShadow;
use super::grid::Released;
use super::mark::{MOST_ACCESSES, MOST_BLOCKS};
use super::page::SparePages;
use execution::Scheduling;
use memory::Memory;
use program::Kernel;

/// The state that all CPU threads of a launch share.
pub struct LaunchHazards<'s> {
    pub(super) facts: Facts,
    pub(super) global: Option<GlobalShadow<'s>>,
    /// Present if blocks can be ordered.
    pub(super) released: Option<Released>,
    pub(super) scheduling: Scheduling,
    /// Of finished blocks, for reuse.
    pub(super) spare: Mutex<Vec<BlockHazards>>,
}

impl LaunchHazards<'_> {
    /// For a launch of this many blocks, with this many threads each.
    pub fn new<'s>(
        kernel: &Kernel,
        memory: &Memory,
        [blocks, threads]: [u64; 2],
        scheduling: Scheduling,
        spare_pages: &'s SparePages,
    ) -> LaunchHazards<'s> {
        let facts = Facts::new(kernel);
        // A single thread cannot race.
        let can = blocks.saturating_mul(threads) > 1
            && blocks < MOST_BLOCKS
            && facts.accesses < MOST_ACCESSES;
        let global = can.then(|| GlobalShadow::new(memory, facts.global_grain, spare_pages));
        let released = (can && facts.orders_blocks).then(Released::default);
        LaunchHazards { facts, global, released, scheduling, spare: Mutex::default() }
    }
}
