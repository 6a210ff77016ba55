//! How near a step comes to what the chip could do.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What one force evaluation executes and moves, and the least time that each part of the chip
/// needs for it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// The GPU whose description was used.
    pub gpu: String,
    /// Clock of the multiprocessors in MHz: the median of those seen while the step was timed, else
    /// the description's.
    pub clock_mhz: f64,
    /// Whether that clock was seen.
    pub clock_was_seen: bool,
    /// FP32 operations per second at most: every lane with a multiply-add, which is two, in every
    /// clock of that frequency. None in reports that were written before it was told.
    #[serde(default)]
    pub peak_flop_per_second: Option<f64>,
    /// Bodies at which the simulator counted; what it counted is scaled to the step's own size by
    /// the number of interactions.
    pub counted_n: u64,
    /// Bodies to which everything below belongs.
    pub n: u64,
    /// Floating-point operations of one interaction as executed: an FMA is two, a special function
    /// one.
    pub flop_executed: f64,
    /// Machine instructions of one interaction, per thread.
    pub instructions: f64,
    /// Bytes that warps asked of global memory.
    pub global_bytes: f64,
    /// Bytes that came from or went to the L2 cache.
    pub l2_bytes: f64,
    /// Bytes that came from or went to DRAM.
    pub dram_bytes: f64,
    /// Bytes read from or written to shared memory.
    pub shared_bytes: f64,
    /// The least time that each part of the chip needs, longest first.
    pub bounds: Vec<Bound>,
}

/// The least time that a part of the chip needs for one force evaluation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Bound {
    /// The part: "FP32 peak", "issue", "MUFU", "shared memory", "L2", "DRAM" …
    pub name: String,
    /// The least time, s.
    pub seconds: f64,
    /// Part of the step's time: 0.9 is near this limit.
    pub fraction: f64,
}

/// How the blocks of a launch are resident on a multiprocessor.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Occupancy {
    /// Threads of a block.
    pub block: u32,
    /// Registers of a thread; none where they are not known.
    pub registers: Option<u32>,
    /// Blocks that a multiprocessor holds at a time.
    pub blocks: u32,
    /// Their warps.
    pub warps: u32,
    /// The most warps that a multiprocessor holds.
    pub most_warps: u32,
    /// What limits them: "registers", "warps", "the grid" …
    pub limit: String,
}
