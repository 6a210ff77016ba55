//! What the first warps of a launch did, as a timeline.
//!
//! Time is counted in instructions that a warp issued itself; a barrier lets all of its warps go on at the time of the
//! last. So it shows who does what and who waits for whom, not how long a GPU would take.

use ptx::Space;

/// What to record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TraceRequest {
    /// Warps of the first block.
    pub warps: u32,
    /// Time at which to stop, in instructions of one warp.
    pub instructions: u64,
}

/// A run of instructions of a warp: one execution of a basic block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TraceEvent {
    /// Index of the warp in its block.
    pub warp: u32,
    /// Time of its first instruction, in instructions.
    pub start: u64,
    /// The basic block: an index into [`Kernel::blocks`](program::Kernel::blocks), whose instructions follow one another from `start`.
    pub block: u32,
    /// Active lanes, one bit each.
    pub lanes: u32,
}

/// An access to memory by a warp.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TraceTouch {
    /// Index of the warp in its block.
    pub warp: u32,
    /// Time of its instruction, in instructions.
    pub time: u64,
    /// The space that the instruction names.
    pub space: Space,
    /// Whether it writes; an atomic does.
    pub writes: bool,
    /// Bytes that each lane accesses.
    pub bytes: u64,
    /// Active lanes, one bit each.
    pub lanes: u32,
    /// The address of each lane; those of lanes that are not active mean nothing.
    pub addresses: [u64; 32],
}

/// A barrier of the block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TraceBarrier {
    /// When the first of its warps had come.
    pub first: u64,
    /// When the last had come, and all went on.
    pub last: u64,
}

/// What the first warps of a launch did.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Trace {
    /// Index of the recorded block in the grid, in x, y, z.
    pub block: [u32; 3],
    /// In the order of execution.
    pub events: Vec<TraceEvent>,
    /// Loads, stores and atomics of these warps in the same time, in the order of execution.
    pub touches: Vec<TraceTouch>,
    /// Barriers of the block, in order.
    pub barriers: Vec<TraceBarrier>,
}
