//! How near a step comes to what the chip could do, a GPU or the CPU.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What one pass executes and moves, and the least time that each part of the chip
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
    /// clock of that frequency. None in old reports, which lack it.
    #[serde(default)]
    pub peak_flop_per_second: Option<f64>,
    /// The size at which the simulator counted; what it counted is scaled to the step's own size by
    /// the work.
    pub counted_n: u64,
    /// The size to which everything below belongs.
    pub n: u64,
    /// Floating-point operations of one unit of work as executed: an FMA is two, a special function
    /// one.
    pub flop_executed: f64,
    /// Machine instructions of one unit of work, per thread.
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

/// The least time that a part of the chip, or of a core, needs for one pass.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Bound {
    /// The part: "FP32 peak", "issue", "MUFU", "shared memory", "L2", "DRAM" …; on a CPU "multiply",
    /// "add", "load" …
    pub name: String,
    /// The least time, s.
    pub seconds: f64,
    /// Part of the step's time: 0.9 is near this limit.
    pub fraction: f64,
}

/// How near a step on the CPU comes to what this CPU was seen to do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CpuLimits {
    /// Threads that were at work at the same time, of the step and where rates were measured.
    pub threads: u32,
    /// Clock of a core in MHz: the highest that was seen in the rounds in which steps were timed. None where
    /// it is not known how to see it.
    pub clock_mhz: Option<f64>,
    /// FP32 operations per second at most: multiply-adds, each of which is two, with the widest vectors.
    pub peak_flop_per_second: f64,
    /// The size to which everything below belongs.
    pub n: u64,
    /// The vectors with which it ran: "avx512".
    pub vectors: String,
    /// Numbers in one of them.
    pub lanes: u32,
    /// What they were seen to do.
    pub rates: Rates,
    /// What of that the step does; none of code that uses no vectors, or whose compiler chose them.
    pub executed: Option<Executed>,
    /// The least time that each kind of instruction needs, longest first.
    pub bounds: Vec<Bound>,
}

impl CpuLimits {
    /// FP32 operations of one pass in every lane: a multiply-add is two, all others one. None where
    /// they were not counted.
    pub fn flop(&self) -> Option<f64> {
        let executed = self.executed?;
        Some(f64::from(self.lanes) * (executed.arithmetic() + executed.mul_add))
    }
}

impl Executed {
    /// Instructions that compute.
    pub fn arithmetic(&self) -> f64 {
        let Executed { add, mul, mul_add, rsqrt, sqrt, div, .. } = *self;
        add + mul + mul_add + rsqrt + sqrt + div
    }
}

/// Vector instructions per second that a CPU was seen to execute at most, of all threads together.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rates {
    /// Additions and subtractions.
    pub add: f64,
    /// Multiplications.
    pub mul: f64,
    /// Multiplications with an addition.
    pub mul_add: f64,
    /// As many of these as additions.
    pub mixed: f64,
    /// Estimates of 1/√x.
    pub rsqrt: f64,
    /// As many of these as multiplications.
    pub rsqrt_mul: f64,
    /// As many divisions as square roots.
    pub div_sqrt: f64,
    /// Vectors read from the nearest cache.
    pub load: f64,
    /// Vectors written to it.
    pub store: f64,
}

/// Vector instructions of one pass.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Executed {
    /// The size at which they were counted.
    pub counted_n: u64,
    /// Additions and subtractions.
    pub add: f64,
    /// Multiplications.
    pub mul: f64,
    /// Multiplications with an addition.
    pub mul_add: f64,
    /// Estimates of 1/√x.
    pub rsqrt: f64,
    /// Square roots.
    pub sqrt: f64,
    /// Divisions.
    pub div: f64,
    /// Vectors read from memory.
    pub load: f64,
    /// Vectors written to memory.
    pub store: f64,
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
    /// Warps of these blocks.
    pub warps: u32,
    /// The most warps that a multiprocessor holds.
    pub most_warps: u32,
    /// What limits them: "registers", "warps", "the grid" …
    pub limit: String,
}
