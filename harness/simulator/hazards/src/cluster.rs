//! What the blocks of a cluster do to each other's shared memory, and how its barrier orders them (PTX ISA, "barrier.cluster").

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::block::{BlockHazards, used_bytes};
use super::cell::View;
use super::clash::Clash;
use super::epoch::Epoch;
use super::finding::{Actor, Finding, HazardKind};
use super::global::GlobalShadow;
use super::grid::Released;
use super::grid_clock::GridClock;
use super::launch::LaunchHazards;
use super::products::Progress;
use super::stored::stored;
use execution::context::Context;
use execution::listener::{Arrival, Kind, Touch};
use execution::products::WARPS;
use program::registers::{LANES, Registers, lanes};
use program::{Groups, Scope};
use ptx::Space;
use ptx::space::RANK_BYTES;

/// The state of hazard detection for a cluster.
pub(super) struct ClusterHazards<'s> {
    /// Accesses to the shared memory of each rank.
    shadow: GlobalShadow<'s>,
    /// What threads released at addresses of shared memory.
    released: Released,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// What was released by those who arrived in each phase of the barrier.
    phases: HashMap<u32, GridClock>,
    /// By rank the bytes that others have written, as far as the block has not taken note of them: offset and number.
    written: Vec<Vec<(u64, u64)>>,
    /// By rank the last access of each thread of another block: by block and thread.
    visits: Vec<HashMap<(u64, u32), (Epoch, u64)>>,
    /// How far the warps are with their products, by block and warp.
    products: HashMap<(u64, u32), Progress>,
    /// The `mbarrier`s that were initialised.
    begun: HashMap<Place, Begun>,
}

/// A rank, and an offset in its shared memory.
pub(super) type Place = (u32, u64);

/// The initialisation of an `mbarrier`.
#[derive(Clone, Copy)]
pub(super) struct Begun {
    pub(super) by: Actor,
    pub(super) epoch: Epoch,
    /// How often its thread had arrived at the barrier of the cluster before a fence between the proxies.
    pub(super) shown: Option<u32>,
}

/// Where the lanes of an access are at home: a rank, and its first address in the space of the access.
#[derive(Clone, Copy)]
pub(super) struct Home {
    pub(super) rank: u32,
    pub(super) base: u64,
}

impl ClusterHazards<'_> {
    /// Of a cluster that begins.
    pub(super) fn new<'s>(launch: &LaunchHazards<'s>, cx: &Context) -> ClusterHazards<'s> {
        let ranks = cx.clusters.size() as usize;
        let sizes = (0..ranks).map(|_| cx.spaces.shared_bytes);
        let state = State {
            written: vec![Vec::new(); ranks],
            visits: vec![HashMap::new(); ranks],
            ..State::default()
        };
        ClusterHazards {
            shadow: GlobalShadow::of_sizes(sizes, launch.facts.shared_grain, &launch.spare.pages),
            released: Released::default(),
            state: Mutex::new(state),
        }
    }

    /// A thread initialises an `mbarrier`.
    pub(super) fn begin(&self, place: Place, begun: Begun) {
        self.state().begun.insert(place, begun);
    }

    /// A fence shows an `mbarrier`; its thread has arrived at the barrier of the cluster `phase` times.
    pub(super) fn show(&self, place: Place, phase: u32) {
        if let Some(begun) = self.state().begun.get_mut(&place) {
            begun.shown = Some(phase);
        }
    }

    /// The initialisation of an `mbarrier`.
    pub(super) fn begun(&self, place: Place) -> Option<Begun> {
        self.state().begun.get(&place).copied()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl BlockHazards {
    /// Takes note of what other blocks have written to its memory.
    pub(super) fn note_written(&mut self, cluster: &ClusterHazards) {
        let mut state = cluster.state();
        for (offset, bytes) in state.written[self.rank as usize].drain(..) {
            self.written.set(offset, bytes);
        }
    }

    /// Acquires before an access to shared memory of the cluster (`acquires`), or releases after it.
    pub(super) fn orders_cluster(
        &mut self,
        launch: &LaunchHazards,
        cluster: &ClusterHazards,
        (cx, touch): (&Context, &Touch),
        home: Home,
        acquires: bool,
    ) {
        let own = &launch.facts.traits[touch.at as usize];
        if !own.strong || own.scope < Scope::Cluster {
            return;
        }
        for (lane, address) in touch.active() {
            let thread = touch.warp * LANES as u32 + lane as u32;
            let key = u64::from(home.rank) * RANK_BYTES + (address - home.base);
            if acquires && touch.kind != Kind::Store {
                self.remote.looks((thread, key), own, &cluster.released);
            } else if !acquires && touch.kind != Kind::Load && !cx.is_early(lane) {
                if own.order.release {
                    let arrival = Arrival { warp: touch.warp, mask: 1 << lane, at: touch.at };
                    self.remote.perform(arrival, own.scope, &self.clocks);
                }
                let is_atomic = touch.kind == Kind::Atomic;
                let since = self.since();
                let by = (&self.clocks, is_atomic);
                self.remote.release((thread, key), since, by, &cluster.released);
            }
        }
    }

    /// Records an access to the shared memory of one block of the cluster, and reports what of another block it races with.
    pub(super) fn race_cluster(
        &mut self,
        launch: &LaunchHazards,
        cluster: &ClusterHazards,
        (cx, r, touch): (&Context, &Registers, &Touch),
        home: Home,
        report: &mut impl FnMut(Finding),
    ) {
        let facts = &launch.facts;
        let own = &facts.traits[touch.at as usize];
        let (shadow, grain) = (&cluster.shadow, cluster.shadow.grain());
        let tick = self.clocks.now() - self.began + 1;
        let rank = home.rank as usize;
        let is_remote = home.rank != self.rank;
        let mut state = is_remote.then(|| cluster.state());
        let mut clashes = Vec::new();
        let view = View::new(&self.clocks, self.began - 1, Some(&self.remote));
        for (lane, address) in touch.active() {
            let thread = touch.warp * LANES as u32 + lane as u32;
            let offset = address - home.base;
            let epoch = Epoch::new(self.number, own.number, thread, tick);
            let mut clash = |with: Epoch, wrote, cell: u64| {
                // `race_shared` looks for those of one block.
                if with.block() != self.number {
                    let address = home.base + cell * grain.bytes();
                    let by = (self.number, thread);
                    clashes.push((Clash::with(facts, &view, (with, wrote), by, address), with));
                }
            };
            for cell in grain.cells(offset, touch.bytes) {
                if touch.kind == Kind::Load {
                    let with = shadow.read(rank, cell, epoch, &view);
                    with.into_iter().for_each(|with| clash(with, true, cell));
                    continue;
                }
                let at = cell * grain.bytes() - offset;
                let value = stored(cx.program, r, touch, lane, at, grain.bytes());
                let write = (epoch, value, own.strong, true);
                shadow.write(rank, cell, write, &view, |with, wrote| clash(with, wrote, cell));
            }
            let Some(state) = &mut state else { continue };
            state.visits[rank].insert((self.number, thread), (epoch, offset));
            if matches!(touch.kind, Kind::Store | Kind::Atomic) {
                state.written[rank].push((offset, touch.bytes));
            } else if used_bytes(touch, own) != 0
                && grain.cells(offset, touch.bytes).any(|cell| !shadow.is_written(rank, cell))
            {
                let missing = used_bytes(touch, own);
                report(self.unwritten(touch, lane, Space::Shared, offset, missing));
            }
        }
        drop(state);
        clashes.retain(|(clash, with)| {
            let place = (home.rank, (clash.address - home.base) & !7);
            let then = &facts.traits[clash.at as usize];
            let is_shown = || cluster.begun(place).is_some_and(|begun| self.sees(&begun, clash.by));
            let is_over = || self.knows_product(cluster, *with, clash.by);
            !(then.begins && is_shown() || then.product && !clash.wrote && is_over())
        });
        let clashes: Vec<Clash> = clashes.into_iter().map(|(clash, _)| clash).collect();
        self.judge_all(launch, touch, (Space::Shared, home.base), &clashes, report);
    }

    /// A warp makes a group of its products, or waits for groups.
    pub(super) fn groups_products(
        &mut self,
        cluster: Option<&ClusterHazards>,
        warp: u32,
        what: Groups,
    ) {
        // There are no groups of products in a kernel without any.
        let Some(products) = self.products.get_mut(warp as usize) else { return };
        products.group(&mut self.clocks, what);
        if let Some(cluster) = cluster {
            let progress = products.progress.since(self.began - 1);
            cluster.state().products.insert((self.number, warp), progress);
        }
    }

    /// Whether a thread knows that a product of another block is complete, because a warp of its warpgroup has waited for it.
    fn knows_product(&self, cluster: &ClusterHazards, read: Epoch, thread: u32) -> bool {
        let state = cluster.state();
        let warp = read.thread() / LANES as u32;
        let Some(own) = state.products.get(&(read.block(), warp)) else { return false };
        let group = own.group_at(read.tick());
        let first = warp / WARPS as u32 * WARPS as u32;
        (first..first + WARPS as u32).any(|waits| {
            let progress = state.products.get(&(read.block(), waits));
            progress.into_iter().flat_map(|it| it.completions(group)).any(|tick| {
                let first = Epoch::new(read.block(), 0, waits * LANES as u32, tick);
                first.lanes().any(|epoch| self.remote.knows(thread, epoch))
            })
        })
    }

    /// Whether a fence after the initialisation of one of its own `mbarrier`s, at an offset, comes before the barrier of the
    /// cluster at which a thread has waited last. It need not release then (PTX ISA, "fence.mbarrier_init").
    pub(super) fn is_shown(&self, cluster: &ClusterHazards, offset: u64, thread: u32) -> bool {
        let begun = cluster.begun((self.rank, offset & !7));
        begun.and_then(|it| it.shown).is_some_and(|shown| shown < self.waited[thread as usize])
    }

    /// Whether an `mbarrier` is initialised for a thread, because it was shown before the cluster's barrier, or by any other
    /// order.
    pub(super) fn sees(&self, begun: &Begun, thread: u32) -> bool {
        begun.shown.is_some_and(|shown| shown < self.waited[thread as usize])
            || self.remote.knows(thread, begun.epoch)
    }

    /// Lanes arrive at the barrier of the cluster.
    pub(super) fn arrives_cluster(
        &mut self,
        launch: &LaunchHazards,
        cluster: &ClusterHazards,
        arrival: Arrival,
        releases: bool,
    ) {
        if releases {
            self.remote.perform(arrival, Scope::Cluster, &self.clocks);
        }
        let message = self.remote.message(arrival, self.since(), &self.clocks);
        let mut state = cluster.state();
        for thread in threads(arrival) {
            let phase = &mut self.phases[thread as usize];
            state.phases.entry(*phase).or_default().add(&message.released);
            if !launch.facts.joins_cluster {
                self.clocks.release(thread, key(*phase), releases);
            }
            *phase += 1;
        }
    }

    /// Lanes have waited there; `whole` if these are all live threads of the block.
    pub(super) fn passes_cluster(
        &mut self,
        launch: &LaunchHazards,
        cluster: &ClusterHazards,
        (arrivals, whole): (&[Arrival], bool),
    ) {
        let state = cluster.state();
        for thread in arrivals.iter().copied().flat_map(threads) {
            self.waited[thread as usize] = self.phases[thread as usize];
            let phase = self.phases[thread as usize] - 1;
            if let Some(known) = state.phases.get(&phase) {
                self.remote.learn((!whole).then_some(thread), known);
            }
            if !launch.facts.joins_cluster {
                self.clocks.acquire(thread, key(phase), true);
            }
        }
        match (launch.facts.joins_cluster, whole) {
            (true, true) => self.clocks.whole_block(),
            (true, false) => self.clocks.together(arrivals),
            (false, _) => {}
        }
    }

    /// Its threads have exited: accesses of others that nothing orders before that.
    pub(super) fn exits_early(
        &self,
        launch: &LaunchHazards,
        cluster: &ClusterHazards,
    ) -> Option<Finding> {
        let state = cluster.state();
        let visits = state.visits[self.rank as usize].values();
        let early = visits.filter(|(epoch, _)| !self.remote.any_knows(*epoch));
        let &(epoch, offset) = early.min_by_key(|(epoch, _)| epoch.0)?;
        let at = launch.facts.places[epoch.number() as usize];
        Some(Finding {
            kind: HazardKind::EarlyExit { of: self.number },
            actor: Actor { at, block: epoch.block(), thread: epoch.thread() },
            space: Space::Shared,
            address: offset,
        })
    }
}

/// Where a block's own threads release a phase for each other: no address of shared memory.
fn key(phase: u32) -> u64 {
    u64::MAX - u64::from(phase)
}

fn threads(arrival: Arrival) -> impl Iterator<Item = u32> {
    lanes(arrival.mask).map(move |lane| arrival.warp * LANES as u32 + lane as u32)
}
