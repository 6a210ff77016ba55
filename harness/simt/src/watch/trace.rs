//! What the first warps of a launch did, as a timeline.
//!
//! Time is counted in instructions that a warp issued itself; a barrier lets all of its warps go on at the time of the
//! last. So it shows who does what and who waits for whom, not how long a GPU would take.

use super::Arrival;
use crate::Kernel;
use crate::exec::Context;

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
    /// The warp.
    pub warp: u32,
    /// When it began.
    pub start: u64,
    /// The basic block: an index into [`Kernel::blocks`], whose instructions follow one another from `start`.
    pub block: u32,
    /// Active lanes, one bit each.
    pub lanes: u32,
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
    /// The block that was recorded.
    pub block: [u32; 3],
    /// In the order of execution.
    pub events: Vec<TraceEvent>,
    /// Barriers, in order.
    pub barriers: Vec<TraceBarrier>,
}

/// Records one block.
pub(super) struct Tracer {
    request: TraceRequest,
    /// Instructions of each basic block.
    lengths: Vec<u64>,
    recorded: Option<Trace>,
}

/// The record of the block as it runs.
pub(super) struct OfBlockTrace {
    trace: Trace,
    /// Each warp's time.
    now: Vec<u64>,
}

impl Tracer {
    pub(super) fn new(request: TraceRequest, kernel: &Kernel) -> Tracer {
        let lengths = kernel.blocks().iter().map(|b| b.instructions.len() as u64).collect();
        Tracer { request, lengths, recorded: None }
    }

    /// The first block of the grid is recorded.
    pub(super) fn begin(&self, cx: &Context) -> Option<OfBlockTrace> {
        let warps = cx.threads.iter().product::<u32>().div_ceil(32) as usize;
        let trace = Trace { block: cx.block, ..Trace::default() };
        (cx.block == [0; 3]).then(|| OfBlockTrace { trace, now: vec![0; warps] })
    }

    pub(super) fn enters(&self, own: &mut OfBlockTrace, block: u32, warp: u32, lanes: u32) {
        let now = &mut own.now[warp as usize];
        let start = *now;
        *now += self.lengths[block as usize];
        if warp < self.request.warps && start < self.request.instructions && *now > start {
            own.trace.events.push(TraceEvent { warp, start, block, lanes });
        }
    }

    pub(super) fn end(&mut self, own: OfBlockTrace) {
        let mut trace = own.trace;
        trace.barriers.retain(|barrier| barrier.first < self.request.instructions);
        self.recorded = Some(trace);
    }

    pub(super) fn recorded(self) -> Option<Trace> {
        self.recorded
    }
}

impl OfBlockTrace {
    /// Those who pass a barrier have the time of the last of them.
    pub(super) fn passes(&mut self, arrivals: &[Arrival]) {
        let times = || arrivals.iter().map(|arrival| self.now[arrival.warp as usize]);
        let (Some(first), Some(last)) = (times().min(), times().max()) else { return };
        for arrival in arrivals {
            self.now[arrival.warp as usize] = last;
        }
        self.trace.barriers.push(TraceBarrier { first, last });
    }
}
