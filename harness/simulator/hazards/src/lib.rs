#![doc = include_str!("../README.md")]

// Here is what listens to one multiprocessor; `accesses` and `meetings` say what it looks for. What happens before what is kept
// by `clocks`, and between blocks by `grid`; who touched a word last by `shared` for a block and by `global` for the launch, whose
// records are in `page` and `cell`. `race` and `cluster` compare an access with these, and `clash` says what is a hazard. Races in
// global memory are looked for in kernels without atomics or volatile accesses there, and in those that have them for blocks to
// wait for each other. What a host may read before the launch has ended is in `host`.
mod accesses;
mod allotment;
mod arrays;
mod block;
mod bytes;
mod cell;
mod clash;
mod clocks;
mod cluster;
mod copies;
mod epoch;
mod exchange;
mod facts;
mod finding;
mod global;
mod grain;
mod grid;
mod grid_clock;
mod host;
mod inside;
mod launch;
mod maps;
mod meetings;
mod multiprocessor;
mod ordering;
mod origins;
mod overrun;
mod page;
mod products;
mod proxy;
mod race;
mod rows;
mod shared;
mod spare;
mod stored;
mod unwaited;

use std::sync::Arc;

use execution::context::Context;
use execution::listener::{Arrival, Listener, Order, Texels, Touch};
use program::registers::Registers;
use ptx::Space;

use block::Shape;
use cluster::ClusterHazards;

pub use block::BlockHazards;
pub use facts::Facts;
use finding::{Actor, HazardKind};
pub use finding::{FaultReport, Finding};
pub use host::HostOrder;
pub use launch::LaunchHazards;
pub use multiprocessor::Hazards;
pub use spare::Spare;

impl Listener for Hazards<'_> {
    type Block = Box<BlockHazards>;
    type Records = Vec<Finding>;
    const LISTENS: bool = true;

    fn begin(&mut self, cx: &Context) -> Box<BlockHazards> {
        let facts = &self.launch.facts;
        let spare = self.launch.spare.block(facts, Shape::of(cx));
        let mut own = spare.unwrap_or_else(|| Box::new(BlockHazards::new(cx, facts)));
        own.begin(cx);
        if self.launch.follows_clusters {
            let new = || (Arc::new(ClusterHazards::new(self.launch, cx)), 0);
            self.clusters.entry(own.cluster).or_insert_with(new).1 += 1;
        }
        own
    }

    fn end(&mut self, own: Box<BlockHazards>) {
        own.ends_too_early().into_iter().for_each(|finding| self.finds(finding));
        let asked = own.asked_too_much(&self.launch.facts);
        asked.into_iter().for_each(|finding| self.finds(finding));
        if let Some((cluster, blocks)) = self.clusters.get_mut(&own.cluster) {
            let finding = own.exits_early(self.launch, cluster);
            *blocks -= 1;
            if *blocks == 0 {
                self.clusters.remove(&own.cluster);
            }
            finding.into_iter().for_each(|finding| self.finds(finding));
        }
        self.launch.spare.keep(&self.launch.facts, own);
    }

    fn interleaves(&self) -> bool {
        true
    }

    fn enters(&mut self, own: &mut Box<BlockHazards>, block: u32, warp: u32, mask: u32) {
        let facts = &self.launch.facts;
        own.asks(facts, block, warp);
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
        let (facts, block) = (&self.launch.facts, own.number());
        if let Some(finding) = own.maps.touches(facts, block, r, touch) {
            self.finds(finding);
        }
        self.touches_space(own, cx, r, touch);
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
            Order::FencesProxy { arrival, what } => {
                let cluster = self.clusters.get(&own.cluster).map(|(cluster, _)| &**cluster);
                own.fences_proxy(cluster, arrival, what);
            }
            Order::AcquiresMaps { arrival, addresses } => own.maps.acquires(arrival, addresses),
            Order::Products { arrival, what } => {
                let cluster = self.clusters.get(&own.cluster).map(|(cluster, _)| &**cluster);
                own.groups_products(cluster, arrival.warp, what);
            }
            Order::Sent { arrival, what } => own.copies.group(&own.clocks, arrival, what),
            Order::Fences { arrival, scope } => own.fences(self.launch, arrival, scope),
        }
    }

    fn records(self) -> Option<Vec<Finding>> {
        Some(self.findings)
    }
}
