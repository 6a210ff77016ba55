//! What only the simulator can do with a launch.

use std::time::Duration;

/// How the simulator runs launches. The default is as they are timed: all blocks, in the usual order, with no search.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Simulation {
    /// Seed of the order in which blocks begin and their warps take turns; 0: the usual one.
    pub order: u64,
    /// Whether the warps of launches whose blocks communicate begin one long after the other.
    pub staggered: bool,
    /// The only blocks that run, by their linear index, to see results of a launch that is too big to be run as a whole;
    /// `None`: all. A launch whose blocks communicate is skipped then.
    pub blocks: Option<Vec<u64>>,
    /// Whether hazards are searched (races, reads of unwritten memory, barriers in divergent code): a launch in which there
    /// are any is an error.
    pub hazards: bool,
    /// No more blocks that communicate are resident than a GPU of so many multiprocessors holds; `None`: as many as the
    /// launch needs.
    pub multiprocessors: Option<u32>,
    /// A launch is stopped, as a fault, if for so long none of its blocks ends; `None`: never.
    pub limit: Option<Duration>,
    /// Whether launches note which code they run, for [`Device::coverage`](crate::Device::coverage).
    pub coverage: bool,
}
