//! The names of bounds, as [`crate::Bound::name`] has them: of a GPU, and of a CPU in [`cpu`].

/// Every lane with a multiply-add in every clock.
pub const FP32_PEAK: &str = "FP32 peak";
/// The lanes of FP32: whatever an instruction computes, a lane serves it for a clock.
pub const FP32_PIPE: &str = "FP32";
/// The issue slots of the warp schedulers.
pub const ISSUE: &str = "issue";
/// The special function units.
pub const MUFU: &str = "MUFU";
/// The banks of shared memory.
pub const SHARED: &str = "shared memory";
/// The units that loads, stores and exchanges between lanes pass through.
pub const LOAD_STORE: &str = "load/store";
/// The L1 cache.
pub const L1: &str = "L1";
/// The L2 cache.
pub const L2: &str = "L2";
/// The device's memory.
pub const DRAM: &str = "DRAM";
/// The instructions of one warp that wait for each other. It rests on latencies, which are known
/// less well than rates.
pub const LATENCY: &str = "latency";
/// The multiprocessor that has the most blocks, where that is well above all other bounds: there are
/// too few blocks for the chip, or they do not divide evenly.
pub const BUSIEST: &str = "busiest SM";

/// The vector instructions of a CPU.
pub mod cpu {
    /// Multiplications.
    pub const MULTIPLY: &str = "multiply";
    /// Additions and subtractions.
    pub const ADD: &str = "add";
    /// Multiplications and additions, which share units.
    pub const MULTIPLY_ADD: &str = "multiply and add";
    /// Estimates of 1/√x.
    pub const ESTIMATE: &str = "1/√ estimate";
    /// Multiplications and estimates, which share units.
    pub const MULTIPLY_ESTIMATE: &str = "multiply and 1/√";
    /// Square roots and divisions.
    pub const ROOT: &str = "√ and ÷";
    /// Vectors read from the nearest cache.
    pub const LOAD: &str = "load";
    /// Vectors written to it.
    pub const STORE: &str = "store";
}
