//! What is recorded of a launch, and the observers that record it.

use std::sync::Arc;

use events::watch::coverage::{BlockCoverage, LaunchCoverage};
use events::watch::engines::{BlockEngines, EnginesWatch};
use events::watch::longest::{Longest, WarpLengths};
use events::watch::messages::{BlockMessages, LaunchMessages, Places};
use events::watch::trace::{BlockTrace, Tracer};
use events::watch::traffic::{Later, Traffic, count_l2};
use events::{Counts, Events, Machine, Trace, TraceRequest};
use execution::context::Context;
use execution::listener::{Arrival, Listener, Order, Texels, Touch};
use execution::{Ended, Fault, Grid, Level, Multiprocessors, Printed, Sampling};
use hazards::{
    BlockHazards, Facts, FaultReport, Finding, Hazards, HostOrder, LaunchHazards, Spare,
};
use program::registers::Registers;
use program::{Class, Kernel, Summary};

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
}

impl Watch {
    /// What of the launch has to run.
    pub(crate) fn sampling(&self) -> Sampling {
        let spread = |Machine { multiprocessors: count, resident_blocks, .. }| Multiprocessors {
            count,
            resident_blocks,
            run: self.multiprocessors,
        };
        Sampling {
            multiprocessors: self.traffic.map(spread),
            counts_only: !self.hazards && !self.coverage && self.trace.is_none(),
            first_blocks: self.trace.is_some(),
        }
    }

    /// Runs a launch and records it, its hazards by the kernel's facts; with the result come what it prints and what the
    /// host may read of it early.
    pub(crate) fn run(
        &self,
        grid: &Grid,
        report: &FaultReport,
        (level, threads): (Level, Option<usize>),
        (facts, spare): (Option<Arc<Facts>>, &Spare),
    ) -> (Result<Events, Box<Fault>>, Printed, Option<HostOrder>) {
        let FaultReport { kernel, launch, memory, .. } = *report;
        let coverage = self.coverage.then(|| LaunchCoverage::new(kernel));
        let hazards = facts.map(|facts| {
            let counts = [launch.grid, launch.block].map(|n| n.map(u64::from).iter().product());
            let how = (launch.scheduling, grid.is_clustered());
            LaunchHazards::new(facts, memory, counts, how, spare)
        });
        let machine = self.traffic.filter(|_| grid.in_order().is_some());
        let messages = machine.map(|machine| LaunchMessages::new(&machine, kernel));
        let is_watched = self.traffic.is_some() || !self.sampling().counts_only;
        let Ended { counts, blocks_run, printed, records } = if is_watched {
            let listener = || {
                Watcher::new(self, kernel, hazards.as_ref(), coverage.as_ref(), messages.as_ref())
            };
            grid.execute_for(level, threads, &listener)
        } else {
            let Ended { counts, blocks_run, printed, .. } = grid.execute(level, threads);
            Ended { counts, blocks_run, printed, records: Vec::new() }
        };
        let events = counts.map(|counts| {
            let mut events = Events::from_blocks(kernel, counts);
            events.ran = coverage.map(|it| it.ran(kernel, &events.blocks));
            let place = |at| kernel.line_of(kernel.instruction(at));
            events.in_order = grid.in_order().map(place);
            events.blocks_run = blocks_run;
            combine(self, kernel, records, events, report)
        });
        let order = hazards.and_then(|hazards| hazards.host_order(launch.seed));
        (events, printed, order)
    }
}

/// The listeners that a [`Watch`] asks for, on one multiprocessor.
struct Watcher<'a> {
    traffic: Option<Traffic>,
    trace: Option<Tracer>,
    hazards: Option<Hazards<'a>>,
    coverage: Option<&'a LaunchCoverage>,
    longest: Option<Longest>,
    engines: Option<EnginesWatch>,
    messages: Option<(&'a LaunchMessages, Places)>,
}

/// The state of a [`Watcher`] for one block.
struct BlockWatch {
    longest: WarpLengths,
    engines: BlockEngines,
    messages: Option<BlockMessages>,
    trace: Option<BlockTrace>,
    hazards: Option<Box<BlockHazards>>,
    coverage: Option<BlockCoverage>,
}

/// What a [`Watcher`] recorded.
#[derive(Default)]
struct Records {
    /// For each instruction of the kernel, if traffic was watched.
    counts: Vec<Counts>,
    /// What went past the L1 cache, in order.
    later: Later,
    trace: Option<Trace>,
    findings: Vec<Finding>,
    /// Instructions of its longest warp.
    longest: u64,
    /// Clocks of its blocks for what engines did beside their warps.
    engines: f64,
    /// Clocks that its slowest block needed for what goes between blocks.
    messages: f64,
}

impl<'a> Watcher<'a> {
    /// For one multiprocessor.
    fn new(
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
            engines: watch.traffic.and_then(|machine| EnginesWatch::new(machine.engines?, kernel)),
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
            engines: BlockEngines::default(),
            trace: self.trace.as_ref().and_then(|tracer| tracer.begin(cx)),
            hazards: self.hazards.as_mut().map(|hazards| hazards.begin(cx)),
            coverage: self.coverage.map(|coverage| coverage.begin(cx)),
            messages: self.messages.as_ref().map(|_| BlockMessages::default()),
        }
    }

    fn end(&mut self, own: BlockWatch) {
        if let Some(longest) = &mut self.longest {
            longest.end(&own.longest);
        }
        if let Some(engines) = &mut self.engines {
            engines.end(own.engines);
        }
        if let (Some(tracer), Some(own)) = (&mut self.trace, own.trace) {
            tracer.end(own);
        }
        if let (Some(hazards), Some(own)) = (&mut self.hazards, own.hazards) {
            hazards.end(own);
        }
        if let (Some((_, places)), Some(own)) = (&mut self.messages, own.messages) {
            LaunchMessages::end(own, places);
        }
    }

    fn interleaves(&self) -> bool {
        self.traffic.is_some() || self.hazards.is_some()
    }

    fn weakens(&self) -> bool {
        self.hazards.is_some() && self.traffic.is_none() && self.trace.is_none()
    }

    fn enters(&mut self, own: &mut BlockWatch, block: u32, warp: u32, mask: u32) {
        if let (Some(tracer), Some(own)) = (&mut self.trace, &mut own.trace) {
            tracer.enters(own, block, warp, mask);
        }
        if let (Some(hazards), Some(own)) = (&mut self.hazards, &mut own.hazards) {
            hazards.enters(own, block, warp, mask);
        }
        if let (Some(coverage), Some(own)) = (self.coverage, &mut own.coverage) {
            coverage.enters(own, block, warp, mask);
        }
        if let Some(longest) = &self.longest {
            longest.enters(&mut own.longest, block, warp);
        }
        if let Some(engines) = &self.engines {
            engines.enters(&mut own.engines, block, warp);
        }
    }

    fn touches(&mut self, own: &mut BlockWatch, cx: &Context, r: &Registers, touch: &Touch) {
        if let (Some(tracer), Some(own)) = (&self.trace, &mut own.trace) {
            tracer.touches(own, touch);
        }
        if let Some(traffic) = &mut self.traffic {
            traffic.touches(cx, touch);
        }
        if let Some(engines) = &self.engines {
            engines.touches(&mut own.engines, cx, r, touch);
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
            hazards.samples(own, cx, r, texels);
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

    fn diverges(&mut self, at: u32) {
        if let Some(traffic) = &mut self.traffic {
            traffic.diverges(at);
        }
    }

    fn guard_holds(&mut self, at: u32) {
        if let Some(coverage) = self.coverage {
            coverage.guard_holds(at);
        }
    }

    fn orders(&mut self, own: &mut BlockWatch, cx: &Context, order: Order) {
        if let (Some(own), Order::Passes { arrivals, .. }) = (&mut own.trace, order) {
            own.passes(arrivals);
        }
        if let Some(engines) = &self.engines {
            engines.orders(&mut own.engines, &order);
        }
        if let (Some((messages, places)), Some(own)) = (&mut self.messages, &mut own.messages) {
            messages.orders(own, places, &order);
        }
        if let (Some(hazards), Some(own)) = (&mut self.hazards, &mut own.hazards) {
            hazards.orders(own, cx, order);
        }
    }

    fn records(self) -> Option<Records> {
        // Most blocks have no hazards, and there may be many blocks.
        let findings = self.hazards.and_then(Hazards::records).unwrap_or_default();
        if self.traffic.is_none() && self.trace.is_none() && findings.is_empty() {
            return None;
        }
        let messages = self.messages.map_or(0.0, |(_, places)| places.end);
        let (counts, later) = self.traffic.map(Traffic::counted).unwrap_or_default();
        Some(Records {
            counts,
            later,
            trace: self.trace.and_then(Tracer::recorded),
            findings,
            longest: self.longest.map_or(0, |longest| longest.instructions()),
            engines: self.engines.map_or(0.0, |engines| engines.clocks()),
            messages,
        })
    }
}

/// Puts together what the watchers of all multiprocessors records, in their order.
fn combine(
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
        events.engine_clocks += one.engines.round() as u64;
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
