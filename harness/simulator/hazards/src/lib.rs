#![doc = include_str!("../README.md")]

// What happens before what is kept by `clocks`, and between blocks by `grid`; who touched a word last by `shared` for a block
// and by `global` for the launch, whose records are in `page` and `cell`. Races in global memory are looked for in kernels without atomics or volatile accesses there,
// and in those that have them for blocks to wait for each other. What a host may read before the launch has ended is in `host`.
mod arrays;
mod block;
mod bytes;
mod cell;
mod clocks;
mod cluster;
mod exchange;
mod facts;
mod finding;
mod global;
mod grid;
mod homes;
mod host;
mod inside;
mod known;
mod launch;
mod mark;
mod ordering;
mod origins;
mod overrun;
mod page;
mod proxy;
mod race;
mod rows;
mod shared;

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, PoisonError};

use execution::Scheduling;
use execution::context::Context;
use execution::listener::{Arrival, Kind, Listener, Order, Texels, Touch};
use program::Operation;
use program::registers::Registers;
use ptx::Space;
use ptx::space::{LOCAL_START, LOCAL_WINDOW, PARAM_WINDOW, SHARED_WINDOW, WINDOW_BYTES};

use cluster::{ClusterHazards, Home};
use inside::lanes_inside;

pub use block::BlockHazards;
use finding::{Actor, HazardKind};
pub use finding::{FaultReport, Finding};
pub use host::HostOrder;
pub use launch::LaunchHazards;
pub use page::SparePages;

/// Detects hazards on one multiprocessor.
pub struct Hazards<'a> {
    launch: &'a LaunchHazards<'a>,
    findings: Vec<Finding>,
    seen: HashSet<(u8, u32, u32)>,
    /// Those of several blocks that are resident, by number, and how many of their blocks are.
    clusters: HashMap<u64, (Arc<ClusterHazards<'a>>, u32)>,
}

impl<'a> Hazards<'a> {
    /// Has found nothing yet.
    pub fn new(launch: &'a LaunchHazards<'a>) -> Hazards<'a> {
        Hazards { launch, findings: Vec::new(), seen: HashSet::new(), clusters: HashMap::new() }
    }
}

impl Listener for Hazards<'_> {
    type Block = Box<BlockHazards>;
    type Records = Vec<Finding>;
    const LISTENS: bool = true;

    fn begin(&mut self, cx: &Context) -> Box<BlockHazards> {
        let spare = self.launch.spare.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut own = spare.unwrap_or_else(|| Box::new(BlockHazards::new(cx, &self.launch.facts)));
        own.begin(cx);
        if self.launch.clusters {
            let new = || (Arc::new(ClusterHazards::new(self.launch, cx)), 0);
            self.clusters.entry(own.cluster).or_insert_with(new).1 += 1;
        }
        own
    }

    fn end(&mut self, own: Box<BlockHazards>) {
        if let Some((cluster, blocks)) = self.clusters.get_mut(&own.cluster) {
            let finding = own.exits_early(self.launch, cluster);
            *blocks -= 1;
            if *blocks == 0 {
                self.clusters.remove(&own.cluster);
            }
            finding.into_iter().for_each(|finding| self.finds(finding));
        }
        self.launch.spare.lock().unwrap_or_else(PoisonError::into_inner).push(own);
    }

    fn interleaves(&self) -> bool {
        true
    }

    fn enters(&mut self, own: &mut Box<BlockHazards>, block: u32, warp: u32, mask: u32) {
        let facts = &self.launch.facts;
        let mut barriers = facts.behind[block as usize];
        while barriers != 0 {
            let barrier = barriers.trailing_zeros() as usize;
            barriers &= barriers - 1;
            let behind = &mut own.behind[warp as usize * facts.barriers.len() + barrier];
            *behind = (behind.0 | mask, block);
        }
        if let Some(at) = facts.undefined_reads[block as usize] {
            let thread = warp * 32 + mask.trailing_zeros();
            self.finds(Finding {
                kind: HazardKind::UndefinedRegister,
                actor: Actor { at, block: own.number(), thread },
                space: Space::Local,
                address: 0,
            });
        }
        if let Some((at, how)) = facts.unfinished[block as usize] {
            let thread = warp * 32 + mask.trailing_zeros();
            self.finds(Finding {
                kind: HazardKind::Unfinished(how),
                actor: Actor { at, block: own.number(), thread },
                space: Space::Local,
                address: 0,
            });
        }
    }

    fn touches(&mut self, own: &mut Box<BlockHazards>, cx: &Context, r: &Registers, touch: &Touch) {
        match touch.space {
            Space::Shared => self.touches_shared(own, cx, r, touch, 0),
            Space::Global => self.touches_global(own, cx, r, touch),
            Space::Generic => {
                let within = |base: u64, a: u64| a.wrapping_sub(base) < WINDOW_BYTES;
                let (mut shared, mut local, mut global) = (0, 0, 0);
                for (lane, address) in touch.active() {
                    if within(SHARED_WINDOW, address) {
                        shared |= 1 << lane;
                    } else if within(LOCAL_WINDOW, address) {
                        local |= 1 << lane;
                    } else if !within(PARAM_WINDOW, address) {
                        global |= 1 << lane;
                    }
                }
                if shared != 0 {
                    let touch = touch.of_lanes(shared);
                    self.touches_cluster(own, cx, r, &touch, SHARED_WINDOW);
                }
                if local != 0 {
                    let base = LOCAL_WINDOW + LOCAL_START;
                    self.touches_local(own, cx, &touch.of_lanes(local), base);
                }
                if global != 0 {
                    self.touches_global(own, cx, r, &touch.of_lanes(global));
                }
            }
            Space::Local => self.touches_local(own, cx, touch, LOCAL_START),
            Space::Cluster => self.touches_cluster(own, cx, r, touch, 0),
            Space::Const | Space::Param => {}
        }
    }

    fn samples(
        &mut self,
        own: &mut Box<BlockHazards>,
        cx: &Context,
        r: &Registers,
        texels: &Texels,
    ) {
        for touch in texels.touches() {
            self.touches(own, cx, r, &touch);
        }
    }

    fn exchanges(
        &mut self,
        own: &mut Box<BlockHazards>,
        cx: &Context,
        r: &Registers,
        arrival: Arrival,
    ) {
        if let Some((wrong, lane)) = exchange::check(cx, r, arrival) {
            let thread = arrival.warp * 32 + lane;
            self.finds(Finding {
                kind: HazardKind::Exchange(wrong),
                actor: Actor { at: arrival.at, block: own.number(), thread },
                space: Space::Shared,
                address: 0,
            });
        }
    }

    fn parts(&mut self, _: u32) {}

    fn passes(&mut self, _: u32) {}

    fn orders(&mut self, own: &mut Box<BlockHazards>, cx: &Context, order: Order) {
        match order {
            Order::Arrives { arrival, left } => self.arrives(own, cx, arrival, left),
            Order::GoesBy { arrival, number } => own.goes_by(self.launch, number, arrival),
            Order::Passes { arrivals, number, whole } => {
                own.passes(self.launch, arrivals, number, whole);
                self.compare_places(own, cx, arrivals, number);
                self.compare_warps(own, cx, arrivals);
            }
            Order::Meets { warp, mask, live } => own.meets(self.launch, warp, mask, live),
            Order::ArrivesCluster { arrival, releases } => {
                if let Some((cluster, _)) = self.clusters.get(&own.cluster) {
                    own.arrives_cluster(self.launch, cluster, arrival, releases);
                }
            }
            Order::PassesCluster { arrivals, whole } => {
                if let Some((cluster, _)) = self.clusters.get(&own.cluster) {
                    own.passes_cluster(self.launch, cluster, (arrivals, whole));
                } else if whole {
                    own.clocks.whole_block();
                }
            }
            Order::FencesProxy { arrival } => own.fences_proxy(arrival),
            Order::Fences { arrival, scope } => own.fences(self.launch, arrival, scope),
        }
    }

    fn records(self) -> Option<Vec<Finding>> {
        Some(self.findings)
    }
}

impl Hazards<'_> {
    fn finds(&mut self, finding: Finding) {
        if self.seen.insert(finding.key()) {
            self.findings.push(finding);
        }
    }

    fn touches_shared(
        &mut self,
        own: &mut BlockHazards,
        cx: &Context,
        r: &Registers,
        touch: &Touch,
        base: u64,
    ) {
        let launch = self.launch;
        let inside = lanes_inside(touch, base, cx.spaces.shared_bytes);
        if inside == 0 {
            return;
        }
        let touch = &touch.of_lanes(inside);
        let plus = SHARED_WINDOW.wrapping_sub(base);
        if let Some(finding) = own.overrun(&launch.facts, touch, base) {
            self.finds(finding);
        }
        let cluster = self.clusters.get(&own.cluster).map(|(cluster, _)| Arc::clone(cluster));
        if let Some(cluster) = &cluster {
            own.note_written(cluster);
        }
        own.synchronises((launch, cx), touch, (Space::Shared, plus), true);
        if let Some(finding) = own.lacks_proxy_fence(&launch.facts, touch, base) {
            self.finds(finding);
        }
        if !matches!(touch.kind, Kind::Store | Kind::Announcement)
            && let Some(finding) = own.unwritten_shared(&launch.facts, touch, base)
        {
            self.finds(finding);
        }
        own.race_shared(launch, cx, r, touch, base, &mut |finding| self.finds(finding));
        own.synchronises((launch, cx), touch, (Space::Shared, plus), false);
        if let Some(cluster) = &cluster {
            self.touches_home(own, cluster, (cx, r, touch), Home { rank: own.rank, base });
        }
    }

    fn touches_local(&mut self, own: &mut BlockHazards, cx: &Context, touch: &Touch, base: u64) {
        let mask = lanes_inside(touch, base, cx.spaces.local_bytes);
        let touch = &touch.of_lanes(mask);
        if let Some(finding) = own.touch_local(&self.launch.facts, cx, touch, base) {
            self.finds(finding);
        }
    }

    fn touches_global(
        &mut self,
        own: &mut BlockHazards,
        cx: &Context,
        r: &Registers,
        touch: &Touch,
    ) {
        let launch = self.launch;
        own.synchronises((launch, cx), touch, (Space::Global, 0), true);
        own.touch_global(launch, cx, r, touch, &mut |finding| self.finds(finding));
        own.synchronises((launch, cx), touch, (Space::Global, 0), false);
        if let Some(host) = &launch.host {
            own.tells_host(&launch.facts, host, cx, touch);
        }
    }

    /// Lanes come to a barrier of the block; those of `left` belong to their warp and do not come along.
    fn arrives(&mut self, own: &BlockHazards, cx: &Context, arrival: Arrival, left: u32) {
        let Operation::Barrier(k) = cx.program.code[arrival.at as usize].operation else { return };
        if left == 0
            || !cx.program.barriers[k as usize].aligned
            || self.launch.scheduling == Scheduling::Lockstep
        {
            return;
        }
        let thread = arrival.warp * 32 + arrival.mask.trailing_zeros();
        self.finds(Finding {
            kind: HazardKind::DivergentBarrier { lanes: arrival.mask, missing: left },
            actor: Actor { at: arrival.at, block: own.number(), thread },
            space: Space::Shared,
            address: 0,
        });
    }

    /// Checks whether threads skipped a completed barrier, executed code after it and exited. A barrier does not wait
    /// for exited threads, but only an exit before it is correct.
    fn compare_warps(&mut self, own: &BlockHazards, cx: &Context, arrivals: &[Arrival]) {
        let barriers = &self.launch.facts.barriers;
        if self.launch.scheduling == Scheduling::Lockstep {
            return;
        }
        let Some(first) = arrivals.first() else { return };
        let Some(barrier) = barriers.iter().position(|&at| at == first.at) else { return };
        let came = |warp: u32| {
            let own = arrivals.iter().filter(|arrival| arrival.warp == warp);
            own.fold(0, |came, arrival| came | arrival.mask)
        };
        let behind = own.behind.iter().skip(barrier).step_by(barriers.len());
        let missed = (0..).zip(behind).find_map(|(warp, &(lanes, block))| {
            let lanes = if lanes == 0 { 0 } else { lanes & !came(warp) };
            (lanes != 0).then_some((warp, lanes, block))
        });
        let Some((warp, lanes, block)) = missed else { return };
        self.finds(Finding {
            kind: HazardKind::MissedBarrier {
                warp,
                lanes,
                went: cx.program.blocks[block as usize].first,
            },
            actor: Actor {
                at: first.at,
                block: own.number(),
                thread: first.warp * 32 + first.mask.trailing_zeros(),
            },
            space: Space::Shared,
            address: 0,
        });
    }

    /// Checks whether all threads reached the same barrier.
    fn compare_places(
        &mut self,
        own: &BlockHazards,
        cx: &Context,
        arrivals: &[Arrival],
        number: usize,
    ) {
        let Some((first, rest)) = arrivals.split_first() else { return };
        let place = |arrival: &Arrival| cx.program.lines[arrival.at as usize];
        // Named barriers may be reached from several places.
        let Some(other) = rest.iter().find(|other| other.at != first.at) else { return };
        let counted = |arrival: &Arrival| match cx.program.code[arrival.at as usize].operation {
            Operation::Barrier(k) => cx.program.barriers[k as usize].counted,
            _ => true,
        };
        let ((_, here), (_, there)) = (place(first), place(other));
        // A compiler may duplicate a barrier; the copies have one source line.
        let same = here.line > 0 && (here.file, here.line) == (there.file, there.line);
        if number != 0 || same || counted(first) || counted(other) {
            return;
        }
        let actor = |arrival: &Arrival| Actor {
            at: arrival.at,
            block: own.number(),
            thread: arrival.warp * 32 + arrival.mask.trailing_zeros(),
        };
        self.finds(Finding {
            kind: HazardKind::MixedBarrier { with: actor(other) },
            actor: actor(first),
            space: Space::Shared,
            address: 0,
        });
    }
}
