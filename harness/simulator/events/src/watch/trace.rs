//! Records the execution of the first warps of a launch.

use crate::{Trace, TraceBarrier, TraceEvent, TraceRequest, TraceTouch};
use execution::context::Context;
use execution::listener::{Arrival, Kind, Touch};
use program::Kernel;

/// Records one block.
pub struct Tracer {
    request: TraceRequest,
    /// Instructions of each basic block.
    lengths: Vec<u64>,
    /// For each instruction of the program, its index in its basic block.
    places: Vec<u64>,
    recorded: Option<Trace>,
}

/// The trace of a running block.
pub struct BlockTrace {
    trace: Trace,
    /// For each warp the time at which its current basic block ends, in instructions.
    now: Vec<u64>,
    /// For each warp the time at which its current basic block began.
    begun: Vec<u64>,
}

impl Tracer {
    /// Records what is asked for.
    pub fn new(request: TraceRequest, kernel: &Kernel) -> Tracer {
        let lengths: Vec<u64> =
            kernel.blocks().iter().map(|b| b.instructions.len() as u64).collect();
        let places: Vec<u64> = lengths.iter().flat_map(|&length| 0..length).collect();
        let places = kernel.instruction_at().iter().map(|&at| places[at as usize]).collect();
        Tracer { request, lengths, places, recorded: None }
    }

    /// Only the first block of the grid is traced.
    pub fn begin(&self, cx: &Context) -> Option<BlockTrace> {
        let warps = cx.threads.iter().product::<u32>().div_ceil(32) as usize;
        let trace = Trace { block: cx.block, ..Trace::default() };
        (cx.block == [0; 3]).then(|| BlockTrace {
            trace,
            now: vec![0; warps],
            begun: vec![0; warps],
        })
    }

    /// Lanes of a warp begin a basic block.
    pub fn enters(&self, own: &mut BlockTrace, block: u32, warp: u32, lanes: u32) {
        let now = &mut own.now[warp as usize];
        let start = *now;
        own.begun[warp as usize] = start;
        *now += self.lengths[block as usize];
        if warp < self.request.warps && start < self.request.instructions && *now > start {
            own.trace.events.push(TraceEvent { warp, start, block, lanes });
        }
    }

    /// A memory access is about to happen.
    pub fn touches(&self, own: &mut BlockTrace, touch: &Touch) {
        let &Touch { at, warp, mask: lanes, space, bytes, .. } = touch;
        let time = own.begun[warp as usize] + self.places[at as usize];
        let is_recorded = warp < self.request.warps && time < self.request.instructions;
        // An announcement precedes the store itself.
        if is_recorded && touch.kind != Kind::Announcement {
            let writes = touch.kind != Kind::Load;
            let addresses = std::array::from_fn(|lane| touch.address(lane));
            own.trace.touches.push(TraceTouch {
                warp,
                time,
                space,
                writes,
                bytes,
                lanes,
                addresses,
            });
        }
    }

    /// A block has ended.
    pub fn end(&mut self, own: BlockTrace) {
        let mut trace = own.trace;
        trace.barriers.retain(|barrier| barrier.first < self.request.instructions);
        self.recorded = Some(trace);
    }

    /// The record, if a block that was asked for has run.
    pub fn recorded(self) -> Option<Trace> {
        self.recorded
    }
}

impl BlockTrace {
    /// All warps leave a barrier at the time of the last one.
    pub fn passes(&mut self, arrivals: &[Arrival]) {
        let times = || arrivals.iter().map(|arrival| self.now[arrival.warp as usize]);
        let (Some(first), Some(last)) = (times().min(), times().max()) else { return };
        for arrival in arrivals {
            self.now[arrival.warp as usize] = last;
        }
        self.trace.barriers.push(TraceBarrier { first, last });
    }
}
