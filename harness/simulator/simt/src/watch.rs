//! What is recorded of a launch, and the observers that record it.

mod coverage;
mod hazards;
mod longest;
mod messages;
mod trace;
mod traffic;

use std::time::Duration;

use crate::class::Class;
use crate::events::{Counts, Events, Trace, TraceRequest};
use crate::exec::context::Context;
use crate::exec::listener::{Arrival, Listener, Order, Texels, Touch};
use crate::hardware::Machine;
use crate::kernel::{Kernel, Summary};
use crate::registers::Registers;
use coverage::BlockCoverage;
pub(crate) use coverage::LaunchCoverage;
use hazards::{BlockHazards, Finding, Hazards};
pub(crate) use hazards::{FaultReport, LaunchHazards, SparePages};
use longest::{Longest, WarpLengths};
pub(crate) use messages::LaunchMessages;
use messages::{BlockMessages, Places};
use trace::{BlockTrace, Tracer};
use traffic::{Later, Traffic, count_l2};

/// What to record of a launch. Nothing by default.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Watch {
    /// Counts the memory traffic of every instruction on this hardware. Caches are cold when the launch begins.
    pub traffic: Option<Machine>,
    /// Detects hazards.
    pub hazards: bool,
    /// Records which code runs.
    pub coverage: bool,
    /// Records the execution of some warps.
    pub trace: Option<TraceRequest>,
    /// Runs the blocks of only this many multiprocessors, to estimate a large launch.
    pub multiprocessors: Option<u32>,
    /// Stops the launch with a fault if no block finishes for this long, or if the launch takes 60 times as long.
    /// Without a limit, an infinite loop may run for hours.
    pub limit: Option<Duration>,
    /// A cooperative launch: all blocks are resident, and barriers of the grid work. It is refused if the machine has
    /// no room for all blocks.
    pub cooperative: bool,
}

impl Watch {
    /// Whether anything is recorded.
    pub(crate) fn is_on(&self) -> bool {
        self.traffic.is_some() || self.hazards || self.coverage || self.trace.is_some()
    }
}

/// Records nothing.
pub(crate) struct Unwatched;

impl Listener for Unwatched {
    type Records = Records;
    type Block = ();
    const LISTENS: bool = false;

    fn begin(&mut self, _: &Context) {}
    fn end(&mut self, (): ()) {}
    fn interleaves(&self) -> bool {
        false
    }
    fn enters(&mut self, (): &mut (), _: u32, _: u32, _: u32) {}
    fn touches(&mut self, (): &mut (), _: &Context, _: &Registers, _: &Touch) {}
    fn samples(&mut self, (): &mut (), _: &Context, _: &Registers, _: &Texels) {}
    fn exchanges(&mut self, (): &mut (), _: &Context, _: &Registers, _: Arrival) {}
    fn parts(&mut self, _: u32) {}
    fn passes(&mut self, _: u32) {}
    fn orders(&mut self, (): &mut (), _: &Context, _: Order) {}
    fn records(self) -> Option<Records> {
        None
    }
}

/// Records what a [`Watch`] asks for, on one multiprocessor.
pub(crate) struct Watcher<'a> {
    traffic: Option<Traffic>,
    trace: Option<Tracer>,
    hazards: Option<Hazards<'a>>,
    coverage: Option<&'a LaunchCoverage>,
    longest: Option<Longest>,
    messages: Option<(&'a LaunchMessages, Places)>,
}

/// The state of a [`Watcher`] for one block.
pub(crate) struct BlockWatch {
    longest: WarpLengths,
    messages: Option<BlockMessages>,
    trace: Option<BlockTrace>,
    hazards: Option<BlockHazards>,
    coverage: Option<BlockCoverage>,
}

/// What a [`Watcher`] recorded.
#[derive(Default)]
pub(crate) struct Records {
    /// Memory traffic of each instruction of the kernel; empty if it was not counted.
    pub counts: Vec<Counts>,
    /// Requests beyond the L1 cache, in order.
    pub later: Later,
    pub trace: Option<Trace>,
    pub findings: Vec<Finding>,
    /// Instructions issued by the longest warp.
    pub longest: u64,
    /// Clocks of communication between blocks in the slowest block.
    pub messages: f64,
}

impl<'a> Watcher<'a> {
    /// For one multiprocessor.
    pub(crate) fn new(
        watch: &Watch,
        kernel: &Kernel,
        hazards: Option<&'a LaunchHazards<'a>>,
        coverage: Option<&'a LaunchCoverage>,
        messages: Option<&'a LaunchMessages>,
    ) -> Watcher<'a> {
        Watcher {
            traffic: watch.traffic.map(|machine| Traffic::new(machine, kernel)),
            trace: watch.trace.map(|request| Tracer::new(request, kernel)),
            hazards: hazards.map(Hazards::new),
            coverage,
            longest: watch.traffic.map(|_| Longest::new(kernel)),
            messages: messages.map(|messages| (messages, messages.places())),
        }
    }
}

impl Listener for Watcher<'_> {
    type Records = Records;
    type Block = BlockWatch;
    const LISTENS: bool = true;

    fn begin(&mut self, cx: &Context) -> BlockWatch {
        BlockWatch {
            longest: WarpLengths::default(),
            trace: self.trace.as_ref().and_then(|tracer| tracer.begin(cx)),
            hazards: self.hazards.as_ref().map(|hazards| hazards.begin(cx)),
            coverage: self.coverage.map(|coverage| coverage.begin(cx)),
            messages: self.messages.as_ref().map(|_| BlockMessages::default()),
        }
    }

    fn end(&mut self, own: BlockWatch) {
        if let Some(longest) = &mut self.longest {
            longest.end(&own.longest);
        }
        if let (Some(tracer), Some(own)) = (&mut self.trace, own.trace) {
            tracer.end(own);
        }
        if let (Some(hazards), Some(own)) = (&self.hazards, own.hazards) {
            hazards.end(own);
        }
        if let (Some((_, places)), Some(own)) = (&mut self.messages, own.messages) {
            LaunchMessages::end(own, places);
        }
    }

    fn interleaves(&self) -> bool {
        self.traffic.is_some() || self.hazards.is_some()
    }

    fn enters(&mut self, own: &mut BlockWatch, block: u32, warp: u32, mask: u32) {
        if let (Some(tracer), Some(own)) = (&mut self.trace, &mut own.trace) {
            tracer.enters(own, block, warp, mask);
        }
        if let (Some(hazards), Some(own)) = (&self.hazards, &mut own.hazards) {
            hazards.enters(own, block, warp, mask);
        }
        if let (Some(coverage), Some(own)) = (self.coverage, &mut own.coverage) {
            coverage.enters(own, block, warp, mask);
        }
        if let Some(longest) = &self.longest {
            longest.enters(&mut own.longest, block, warp);
        }
    }

    fn touches(&mut self, own: &mut BlockWatch, cx: &Context, r: &Registers, touch: &Touch) {
        if let (Some(tracer), Some(own)) = (&self.trace, &mut own.trace) {
            tracer.touches(own, touch);
        }
        if let Some(traffic) = &mut self.traffic {
            traffic.touches(cx, touch);
        }
        if let (Some((messages, places)), Some(own)) = (&mut self.messages, &mut own.messages) {
            messages.touches(own, places, cx, touch);
        }
        if let (Some(hazards), Some(own)) = (&mut self.hazards, &mut own.hazards) {
            hazards.touches(own, cx, r, touch);
        }
    }

    fn samples(&mut self, own: &mut BlockWatch, cx: &Context, r: &Registers, texels: &Texels) {
        if let Some(traffic) = &mut self.traffic {
            traffic.samples(texels);
        }
        if let (Some(hazards), Some(own)) = (&mut self.hazards, &mut own.hazards) {
            for touch in texels.touches() {
                hazards.touches(own, cx, r, &touch);
            }
        }
    }

    fn exchanges(&mut self, own: &mut BlockWatch, cx: &Context, r: &Registers, arrival: Arrival) {
        if let Some(traffic) = &mut self.traffic {
            traffic.exchanges(cx, r, arrival);
        }
        if let (Some(hazards), Some(own)) = (&mut self.hazards, &mut own.hazards) {
            hazards.exchanges(own, cx, r, arrival);
        }
    }

    fn parts(&mut self, at: u32) {
        if let Some(traffic) = &mut self.traffic {
            traffic.parts(at);
        }
    }

    fn passes(&mut self, at: u32) {
        if let Some(coverage) = self.coverage {
            coverage.passes(at);
        }
    }

    fn orders(&mut self, own: &mut BlockWatch, cx: &Context, order: Order) {
        if let (Some(own), Order::Passes { arrivals, .. }) = (&mut own.trace, order) {
            own.passes(arrivals);
        }
        if let (Some((messages, places)), Some(own)) = (&mut self.messages, &mut own.messages) {
            messages.orders(own, places, &order);
        }
        if let (Some(hazards), Some(own)) = (&mut self.hazards, &mut own.hazards) {
            hazards.orders(own, cx, order);
        }
    }

    fn records(self) -> Option<Records> {
        let messages = self.messages.map_or(0.0, |(_, places)| places.end);
        let (counts, later) = self.traffic.map(Traffic::counted).unwrap_or_default();
        Some(Records {
            counts,
            later,
            trace: self.trace.and_then(Tracer::recorded),
            findings: self.hazards.map(Hazards::found).unwrap_or_default(),
            longest: self.longest.map_or(0, |longest| longest.instructions()),
            messages,
        })
    }
}

/// Combines the records of all multiprocessors, in their order.
pub(crate) fn combine(
    watch: &Watch,
    kernel: &Kernel,
    records: Vec<Records>,
    mut events: Events,
    report: &FaultReport,
) -> Events {
    let mut later = Vec::new();
    let mut findings = Vec::new();
    let mut counts = vec![Counts::default(); kernel.instructions().count()];
    for one in records {
        counts.iter_mut().zip(&one.counts).for_each(|(sum, own)| *sum += *own);
        later.push(one.later);
        findings.extend(one.findings);
        events.longest_warp = events.longest_warp.max(one.longest);
        events.message_clocks = events.message_clocks.max(one.messages.round() as u64);
        events.trace = events.trace.or(one.trace);
    }
    events.hazards = report.faults(findings);
    match &watch.traffic {
        Some(machine) => {
            let is_store = |instruction: &Summary| instruction.class == Class::StoreGlobal;
            let stores: Vec<bool> = kernel.instructions().map(is_store).collect();
            count_l2(&later, machine, (&stores, &mut counts));
            events.with_counts(kernel, counts)
        }
        None => events,
    }
}
