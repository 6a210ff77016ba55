//! The names of a GPU's bounds, as [`crate::Bound::name`] has them.

/// Every lane with a multiply-add in every clock.
pub const FP32_PEAK: &str = "FP32 peak";
/// The lanes of FP32: whatever an instruction computes, a lane serves it for a clock.
pub const FP32_PIPE: &str = "FP32";
/// The issue slots.
pub const ISSUE: &str = "issue";
/// The special function units.
pub const MUFU: &str = "MUFU";
/// Shared memory.
pub const SHARED: &str = "shared memory";
/// The units that loads, stores and exchanges between lanes pass through.
pub const LOAD_STORE: &str = "load/store";
/// The L1 cache.
pub const L1: &str = "L1";
/// The L2 cache.
pub const L2: &str = "L2";
/// Memory.
pub const DRAM: &str = "DRAM";
/// The instructions of one warp that wait for each other. It rests on latencies, which are known
/// less well than rates.
pub const LATENCY: &str = "latency";
/// The multiprocessor that has the most blocks, where that is well above all other bounds: there are
/// too few blocks for the chip, or they do not divide evenly.
pub const BUSIEST: &str = "busiest SM";
