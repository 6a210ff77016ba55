//! Asynchronous copies that use shared memory as threads have left it, without the fence between the two proxies (PTX ISA,
//! "Async proxy", "membar / fence", "mbarrier.init").
//!
//! What threads have written is fenced by `fence.proxy.async` in the thread that has written, or later in the one that begins
//! the copy. An `mbarrier` at which copies arrive is fenced likewise, or by `fence.mbarrier_init` in the thread that has
//! initialised it. That fence shows nothing else to anybody.

use super::block::BlockHazards;
use super::cluster::{Begun, ClusterHazards, Home};
use super::epoch::Epoch;
use super::facts::Facts;
use super::finding::{Actor, Finding, HazardKind};
use super::shared::Stamp;
use execution::listener::{Arrival, Kind, Touch};
use execution::{AccessKind, Missing, RaceScope};
use program::Proxied;
use program::registers::{LANES, lanes};
use ptx::Space;

impl BlockHazards {
    /// Lanes of a warp execute a fence between the proxies.
    pub(super) fn fences_proxy(
        &mut self,
        cluster: Option<&ClusterHazards>,
        arrival: Arrival,
        what: Proxied,
    ) {
        if what == Proxied::Maps {
            return self.maps.releases(arrival);
        }
        let now = self.clocks.advance();
        for lane in lanes(arrival.mask) {
            let thread = arrival.warp * LANES as u32 + lane as u32;
            let shows = |begun: &Stamp| match what {
                Proxied::All => self.clocks.ordered(begun.thread(), begun.tick(), thread),
                _ => begun.thread() == thread,
            };
            for (offset, _) in self.unseen.extract_if(|_, begun| shows(begun)) {
                if let Some(cluster) = cluster {
                    cluster.show((self.rank, offset), self.phases[thread as usize]);
                }
            }
            if what == Proxied::All {
                self.proxied[thread as usize] = now;
            }
        }
    }

    /// Records `mbarrier`s that threads initialise, and finds what a copy uses although no fence shows it to the asynchronous
    /// proxy.
    pub(super) fn passes_proxy(
        &mut self,
        facts: &Facts,
        cluster: Option<&ClusterHazards>,
        touch: &Touch,
        home: Home,
    ) -> Option<Finding> {
        let own = &facts.traits[touch.at as usize];
        match touch.kind {
            _ if own.begins => {
                self.begins(facts, cluster, touch, home);
                None
            }
            Kind::Atomic => self.lacks_barrier(own.bulk, cluster, touch, home),
            Kind::Load if own.bulk && home.rank == self.rank => {
                self.lacks_proxy_fence(facts, touch, home.base)
            }
            _ => None,
        }
    }

    fn begins(
        &mut self,
        facts: &Facts,
        cluster: Option<&ClusterHazards>,
        touch: &Touch,
        home: Home,
    ) {
        let number = facts.traits[touch.at as usize].number;
        let tick = self.clocks.now() - self.began + 1;
        for (lane, address) in touch.active() {
            let thread = touch.warp * LANES as u32 + lane as u32;
            let offset = address - home.base;
            self.unseen.insert(offset, Stamp::new(self.clocks.now(), touch.at, thread));
            if let Some(cluster) = cluster {
                let by = Actor { at: touch.at, block: self.number, thread };
                let epoch = Epoch::new(self.number, number, thread, tick);
                cluster.begin((home.rank, offset), Begun { by, epoch, shown: None });
            }
        }
    }

    /// A barrier at which a thread of another block arrives, or bytes of a copy, that may not see its initialisation.
    fn lacks_barrier(
        &self,
        bulk: bool,
        cluster: Option<&ClusterHazards>,
        touch: &Touch,
        home: Home,
    ) -> Option<Finding> {
        touch.active().find_map(|(lane, address)| {
            let thread = touch.warp * LANES as u32 + lane as u32;
            let offset = address - home.base;
            let Some(cluster) = cluster else {
                let begun = self.unseen.get(&offset).filter(|_| bulk)?;
                let with = Actor { at: begun.at(), block: self.number, thread: begun.thread() };
                return Some(self.lacks(Proxied::Barriers, with, (touch.at, thread), offset));
            };
            let begun = cluster.begun((home.rank, offset))?;
            if bulk && begun.shown.is_none() {
                return Some(self.lacks(Proxied::Barriers, begun.by, (touch.at, thread), offset));
            }
            let sees = home.rank == self.rank || self.sees(&begun, thread);
            (!sees).then(|| self.arrives_blindly(begun.by, (touch.at, thread), offset))
        })
    }

    /// What a bulk copy uses of the block's shared memory although no fence follows the write.
    fn lacks_proxy_fence(&self, facts: &Facts, touch: &Touch, base: u64) -> Option<Finding> {
        let grain = facts.shared_grain;
        touch.active().find_map(|(lane, address)| {
            let thread = touch.warp * LANES as u32 + lane as u32;
            let offset = address - base;
            let mut cells = grain.cells(offset, touch.bytes);
            cells.find_map(|cell| {
                let write = self.shadow.last_write(cell as usize);
                let fenced = |by: u32| self.proxied[by as usize] > write.tick();
                if write.tick() < self.began
                    || facts.traits[write.at() as usize].bulk
                    || fenced(write.thread())
                    || fenced(thread)
                    // That is a race.
                    || !self.clocks.ordered(write.thread(), write.tick(), thread)
                {
                    return None;
                }
                let with = Actor { at: write.at(), block: self.number, thread: write.thread() };
                Some(self.lacks(Proxied::All, with, (touch.at, thread), cell * grain.bytes()))
            })
        })
    }

    fn arrives_blindly(&self, with: Actor, (at, thread): (u32, u32), offset: u64) -> Finding {
        let accesses = [AccessKind::Atomic, AccessKind::Write];
        let (scope, missing) = (RaceScope::Cluster, Missing::Order);
        Finding {
            kind: HazardKind::Race { with, accesses, scope, missing },
            actor: Actor { at, block: self.number, thread },
            space: Space::Shared,
            address: offset,
        }
    }

    fn lacks(&self, of: Proxied, with: Actor, (at, thread): (u32, u32), offset: u64) -> Finding {
        Finding {
            kind: HazardKind::MissingProxyFence { with, of },
            actor: Actor { at, block: self.number, thread },
            space: Space::Shared,
            address: offset,
        }
    }
}
