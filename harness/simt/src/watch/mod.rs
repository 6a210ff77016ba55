//! What a launch is watched for, and what the executor tells whoever watches.
//!
//! The executor is compiled twice: for a [`Deaf`] listener, which costs nothing, and for a [`Watcher`], which hears of
//! every access to memory, of branches at which lanes part, and of barriers. A watcher belongs to one multiprocessor;
//! what it must know of one block in particular is in its [`OfBlock`].

mod hazards;
mod trace;
mod traffic;

use crate::exec::Context;
use crate::exec::registers::{LANES, Registers};
use crate::fault::Space;
use crate::{Counts, Events, Kernel};
use hazards::{Finding, Hazards};
pub(crate) use hazards::{OfLaunch, Teller};
use trace::{OfBlockTrace, Tracer};
pub use trace::{Trace, TraceBarrier, TraceEvent, TraceRequest};
use traffic::{Later, Traffic, count_l2};

/// How global accesses of a warp become transactions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Coalescing {
    /// Sectors of 32 bytes that the warp touches (compute capability 3.0 and later).
    Sectors,
    /// Whole L1 lines of 128 bytes (2.x).
    Lines,
    /// Segments of 32, 64 or 128 bytes for each half of a warp (1.2 and 1.3).
    HalfWarps,
}

/// The hardware that counts depend on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Machine {
    /// Multiprocessors; block `b` runs on number `b % multiprocessors`.
    pub multiprocessors: u32,
    /// Blocks that are resident on a multiprocessor at a time.
    pub resident_blocks: u32,
    /// Bytes of each L1 cache; 0 if global loads bypass it.
    pub l1_bytes: u64,
    /// Bytes of the L2 cache.
    pub l2_bytes: u64,
    /// What a warp's global access is cut into.
    pub coalescing: Coalescing,
    /// Banks of shared memory, 4 bytes wide: 32, or 16 that serve half a warp at a time.
    pub shared_banks: u32,
}

/// What a launch is watched for; by default nothing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Watch {
    /// Counts what every instruction asks of memory, on this hardware. Caches are cold when the launch begins.
    pub traffic: Option<Machine>,
    /// Looks for hazards.
    pub hazards: bool,
    /// Records what some warps did.
    pub trace: Option<TraceRequest>,
    /// Runs the blocks of only so many multiprocessors of the machine: to estimate a launch that is too big.
    pub multiprocessors: Option<u32>,
    /// Begins all blocks at once: they are going to wait for each other. Without it they may too, but it takes longer.
    pub together: bool,
}

impl Watch {
    /// Whether anything is watched.
    pub(crate) fn is_on(&self) -> bool {
        self.traffic.is_some() || self.hazards || self.trace.is_some()
    }
}

/// What an access does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Load,
    Store,
    /// Until the store that it announces, nobody may count on what is there.
    Announcement,
    Atomic,
}

/// A load, store, atomic or announcement that is about to be executed; its addresses are not checked yet.
pub(crate) struct Touch<'a> {
    /// Its place in the program.
    pub at: u32,
    pub warp: u32,
    /// Active lanes; not none.
    pub mask: u32,
    pub kind: Kind,
    /// The space that the instruction names.
    pub space: Space,
    /// Bytes of each lane.
    pub bytes: u64,
    pub addresses: &'a [u64; LANES],
}

impl Touch<'_> {
    /// Whether the active lanes all have the same address.
    pub(crate) fn is_uniform(&self) -> bool {
        let first = self.addresses[self.mask.trailing_zeros() as usize % LANES];
        if self.mask == u32::MAX {
            return self.addresses.iter().fold(0, |different, a| different | (a ^ first)) == 0;
        }
        self.active().all(|(_, address)| address == first)
    }

    /// Whether all lanes are active and each accesses what lies behind that of the lane before.
    pub(crate) fn is_row(&self) -> bool {
        let gaps = self.addresses.iter().zip(0..).fold(0, |gaps, (address, lane)| {
            gaps | (address ^ self.addresses[0].wrapping_add(self.bytes * lane))
        });
        self.mask == u32::MAX && gaps == 0
    }

    /// Addresses of the active lanes.
    pub(crate) fn active(&self) -> impl Iterator<Item = (usize, u64)> + '_ {
        crate::exec::registers::lanes(self.mask).map(|lane| (lane, self.addresses[lane]))
    }
}

/// Lanes of a warp that came to a barrier of the block.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Arrival {
    pub warp: u32,
    pub mask: u32,
    /// The barrier's place in the program.
    pub at: u32,
}

/// What orders the accesses of threads.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Order<'a> {
    /// Lanes come to a barrier of the block, and `left` of their warp do not come along.
    Arrives { arrival: Arrival, left: u32 },
    /// Lanes arrive at a barrier and go on.
    GoesBy { arrival: Arrival, number: usize },
    /// A barrier is complete, for all threads that live (`whole`) or for those that waited and those that went by.
    Passes { arrivals: &'a [Arrival], number: usize, whole: bool },
    /// Lanes of a warp have synchronised; `live` are all that it has.
    Meets { warp: u32, mask: u32, live: u32 },
    /// Lanes execute a fence.
    Fences { arrival: Arrival },
}

/// Hears what the warps of a multiprocessor do.
pub(crate) trait Listener {
    /// What it knows of one block; made when the block begins.
    type OfBlock;
    /// Whether there is anything to tell: without it the executor is compiled without the calls.
    const LISTENS: bool;

    /// A block begins.
    fn begin(&mut self, cx: &Context) -> Self::OfBlock;
    /// A block has ended.
    fn end(&mut self, own: Self::OfBlock);
    /// Whether warps take turns after every basic block that touches global memory, as they do on hardware, and not
    /// only where they wait: caches see the difference.
    fn interleaves(&self) -> bool;
    /// The lanes of `mask` begin a basic block.
    fn enters(&mut self, own: &mut Self::OfBlock, block: u32, warp: u32, mask: u32);
    /// A memory access is about to happen.
    fn touches(&mut self, own: &mut Self::OfBlock, cx: &Context, r: &Registers, touch: &Touch);
    /// The lanes of a warp part at a branch.
    fn parts(&mut self, at: u32);
    /// Something orders what threads did before and what they do after.
    fn orders(&mut self, own: &mut Self::OfBlock, cx: &Context, order: Order);
    /// All that it heard.
    fn heard(self) -> Option<Heard>;
}

/// Hears nothing.
pub(crate) struct Deaf;

impl Listener for Deaf {
    type OfBlock = ();
    const LISTENS: bool = false;

    fn begin(&mut self, _: &Context) {}
    fn end(&mut self, (): ()) {}
    fn interleaves(&self) -> bool {
        false
    }
    fn enters(&mut self, (): &mut (), _: u32, _: u32, _: u32) {}
    fn touches(&mut self, (): &mut (), _: &Context, _: &Registers, _: &Touch) {}
    fn parts(&mut self, _: u32) {}
    fn orders(&mut self, (): &mut (), _: &Context, _: Order) {}
    fn heard(self) -> Option<Heard> {
        None
    }
}

/// Hears what the launch is watched for, on one multiprocessor.
pub(crate) struct Watcher<'a> {
    traffic: Option<Traffic>,
    trace: Option<Tracer>,
    hazards: Option<Hazards<'a>>,
}

/// What a [`Watcher`] knows of one block.
pub(crate) struct OfBlock {
    trace: Option<OfBlockTrace>,
    hazards: Option<hazards::OfBlock>,
}

/// What a [`Watcher`] heard.
#[derive(Default)]
pub(crate) struct Heard {
    /// For each instruction of the kernel, if traffic was watched.
    pub counts: Vec<Counts>,
    /// What went past the L1 cache, in order.
    pub later: Later,
    pub trace: Option<Trace>,
    pub findings: Vec<Finding>,
}

impl<'a> Watcher<'a> {
    /// For one multiprocessor.
    pub(crate) fn new(
        watch: &Watch,
        kernel: &Kernel,
        hazards: Option<&'a OfLaunch>,
    ) -> Watcher<'a> {
        Watcher {
            traffic: watch.traffic.map(|machine| Traffic::new(machine, kernel)),
            trace: watch.trace.map(|request| Tracer::new(request, kernel)),
            hazards: hazards.map(Hazards::new),
        }
    }
}

impl Listener for Watcher<'_> {
    type OfBlock = OfBlock;
    const LISTENS: bool = true;

    fn begin(&mut self, cx: &Context) -> OfBlock {
        OfBlock {
            trace: self.trace.as_ref().and_then(|tracer| tracer.begin(cx)),
            hazards: self.hazards.as_ref().map(|hazards| hazards.begin(cx)),
        }
    }

    fn end(&mut self, own: OfBlock) {
        if let (Some(tracer), Some(own)) = (&mut self.trace, own.trace) {
            tracer.end(own);
        }
        if let (Some(hazards), Some(own)) = (&self.hazards, own.hazards) {
            hazards.end(own);
        }
    }

    fn interleaves(&self) -> bool {
        self.traffic.is_some()
    }

    fn enters(&mut self, own: &mut OfBlock, block: u32, warp: u32, mask: u32) {
        if let (Some(tracer), Some(own)) = (&mut self.trace, &mut own.trace) {
            tracer.enters(own, block, warp, mask);
        }
    }

    fn touches(&mut self, own: &mut OfBlock, cx: &Context, r: &Registers, touch: &Touch) {
        if let Some(traffic) = &mut self.traffic {
            traffic.touches(cx, touch);
        }
        if let (Some(hazards), Some(own)) = (&mut self.hazards, &mut own.hazards) {
            hazards.touches(own, cx, r, touch);
        }
    }

    fn parts(&mut self, at: u32) {
        if let Some(traffic) = &mut self.traffic {
            traffic.parts(at);
        }
    }

    fn orders(&mut self, own: &mut OfBlock, cx: &Context, order: Order) {
        if let (Some(own), Order::Passes { arrivals, .. }) = (&mut own.trace, order) {
            own.passes(arrivals);
        }
        if let (Some(hazards), Some(own)) = (&mut self.hazards, &mut own.hazards) {
            hazards.orders(own, cx, order);
        }
    }

    fn heard(self) -> Option<Heard> {
        let (counts, later) = self.traffic.map(Traffic::counted).unwrap_or_default();
        Some(Heard {
            counts,
            later,
            trace: self.trace.and_then(Tracer::recorded),
            findings: self.hazards.map(Hazards::found).unwrap_or_default(),
        })
    }
}

/// Puts together what the watchers of all multiprocessors heard, in their order.
pub(crate) fn together(
    watch: &Watch,
    kernel: &Kernel,
    heard: Vec<Heard>,
    mut events: Events,
    teller: &Teller,
) -> Events {
    let mut later = Vec::new();
    let mut findings = Vec::new();
    let mut counts = vec![Counts::default(); kernel.instructions().count()];
    for one in heard {
        counts.iter_mut().zip(&one.counts).for_each(|(sum, own)| *sum += *own);
        later.push(one.later);
        findings.extend(one.findings);
        events.trace = events.trace.or(one.trace);
    }
    events.hazards = teller.tell(findings);
    match &watch.traffic {
        Some(machine) => {
            count_l2(&later, machine, &mut counts);
            events.with_counts(kernel, counts)
        }
        None => events,
    }
}
