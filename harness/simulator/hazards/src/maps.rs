//! Tensor maps in global memory that threads of a block change and its copies use: the proxy of tensor maps sees a change after
//! a fence that releases it, in the thread that has made it, and one that acquires it, in the thread that begins the copy (PTX
//! ISA, "tensormap.replace", "tensormap.cp_fenceproxy", "membar / fence"). What other blocks change is not followed.

use std::collections::{HashMap, HashSet};

use super::facts::{Facts, MapUse};
use super::finding::{Actor, Finding, HazardKind};
use execution::listener::{Arrival, Touch};
use program::Proxied;
use program::registers::{LANES, Registers, lanes};
use ptx::Space;

/// Bytes of a map, and what its address is a multiple of.
const MAP: u64 = 128;

/// Maps that the block has changed, by their addresses.
#[derive(Debug, Default)]
pub(super) struct Maps(HashMap<u64, Changed>);

/// A change of a map.
#[derive(Debug)]
struct Changed {
    by: Actor,
    is_released: bool,
    /// The threads that have acquired it since.
    acquired: HashSet<u32>,
}

impl Maps {
    /// Of a block that begins.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Follows a change of a map; finds a copy whose thread does not see the map as it is.
    pub(super) fn touches(
        &mut self,
        facts: &Facts,
        block: u64,
        registers: &Registers,
        touch: &Touch,
    ) -> Option<Finding> {
        let thread = |lane: usize| touch.warp * LANES as u32 + lane as u32;
        match facts.traits[touch.at as usize].map {
            MapUse::None => None,
            MapUse::Changes { is_released } => {
                for (lane, address) in touch.active() {
                    let by = Actor { at: touch.at, block, thread: thread(lane) };
                    let changed = Changed { by, is_released, acquired: HashSet::new() };
                    self.0.insert(address / MAP * MAP, changed);
                }
                None
            }
            MapUse::Reads(_) if self.0.is_empty() => None,
            MapUse::Reads(register) => touch.active().find_map(|(lane, _)| {
                let address = registers.double(register)[lane];
                let unseen =
                    |it: &&Changed| !it.is_released || !it.acquired.contains(&thread(lane));
                let changed = self.0.get(&address).filter(unseen)?;
                Some(Finding {
                    kind: HazardKind::MissingProxyFence { with: changed.by, of: Proxied::Maps },
                    actor: Actor { at: touch.at, block, thread: thread(lane) },
                    space: Space::Global,
                    address,
                })
            }),
        }
    }

    /// Threads acquire the maps at these addresses.
    pub(super) fn acquires(&mut self, arrival: Arrival, addresses: &[u64; LANES]) {
        for lane in lanes(arrival.mask) {
            if let Some(changed) = self.0.get_mut(&addresses[lane]) {
                changed.acquired.insert(arrival.warp * LANES as u32 + lane as u32);
            }
        }
    }

    /// Threads release the maps that they have changed.
    pub(super) fn releases(&mut self, arrival: Arrival) {
        for changed in self.0.values_mut() {
            let (warp, lane) = (changed.by.thread / LANES as u32, changed.by.thread % LANES as u32);
            changed.is_released |= warp == arrival.warp && arrival.mask >> lane & 1 != 0;
        }
    }
}
