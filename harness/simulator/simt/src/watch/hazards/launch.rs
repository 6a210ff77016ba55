//! What is known of a launch, over all its blocks.

use std::sync::Mutex;

use super::block::BlockHazards;
use super::facts::Facts;
use super::global::{GlobalShadow, SparePages};
use super::grid::Released;
use super::mark::{MOST_ACCESSES, MOST_BLOCKS};
use crate::kernel::Kernel;
use crate::memory::Memory;
use crate::scheduling::Scheduling;

/// What all CPU threads that run a launch share.
pub(crate) struct LaunchHazards<'s> {
    pub(super) facts: Facts,
    pub(super) global: Option<GlobalShadow<'s>>,
    /// Where blocks can be ordered.
    pub(super) released: Option<Released>,
    pub(super) scheduling: Scheduling,
    /// Of blocks that ended, to be used again.
    pub(super) spare: Mutex<Vec<BlockHazards>>,
}

impl LaunchHazards<'_> {
    /// For a launch of so many blocks, of so many threads each.
    pub(crate) fn new<'s>(
        kernel: &Kernel,
        memory: &Memory,
        [blocks, threads]: [u64; 2],
        scheduling: Scheduling,
        spare_pages: &'s SparePages,
    ) -> LaunchHazards<'s> {
        let facts = Facts::new(kernel);
        // A thread alone cannot race.
        let can = blocks.saturating_mul(threads) > 1
            && blocks < MOST_BLOCKS
            && facts.accesses < MOST_ACCESSES;
        let global = can.then(|| GlobalShadow::new(memory, facts.global_grain, spare_pages));
        let released = (can && facts.orders_blocks).then(Released::default);
        LaunchHazards { facts, global, released, scheduling, spare: Mutex::default() }
    }
}
