//! What the host may read of a launch that it has not waited for.

use std::collections::{HashMap, HashSet};
use std::sync::PoisonError;
use std::sync::atomic::Ordering::Relaxed;

use super::{HostStores, is_flag};
use crate::epoch::Epoch;
use crate::facts::Facts;
use crate::finding::{Actor, Finding, HazardKind};
use crate::grid::Message;
use execution::Missing;
use execution::random::{STEP, mix};
use ptx::Space;

/// Orders reads of the host after the stores of one launch to mapped memory, until the host waits for its end. Each read is
/// taken for one with an acquire fence after it.
pub struct HostOrder {
    stores: HostStores,
    /// By number of the access its instruction, and whether the host may wait for it.
    accesses: Vec<(u32, bool)>,
    /// What the host knows.
    known: Message,
    /// By block the flag that the host read last.
    flags: HashMap<u64, Actor>,
    /// Cells of flags that the host has seen set.
    seen: HashSet<u64>,
    random: u64,
}

impl HostOrder {
    pub(crate) fn new(stores: HostStores, facts: &Facts, seed: u64) -> Option<HostOrder> {
        let mut epochs = stores.arrays.iter().flat_map(|it| &it.epochs);
        let has_any = epochs.any(|epoch| epoch.load(Relaxed) != 0);
        let access = |&at: &u32| (at, is_flag(&facts.traits[at as usize]));
        has_any.then(|| HostOrder {
            stores,
            accesses: facts.places.iter().map(access).collect(),
            known: Message::default(),
            flags: HashMap::new(),
            seen: HashSet::new(),
            random: seed,
        })
    }

    /// The host reads bytes that the launch has left at an address. Strong stores that nothing orders before may not have
    /// come yet: then the bytes become those that were there before. Returns whether it has seen a flag set.
    ///
    /// # Errors
    /// A plain store that nothing orders before it.
    pub fn read(&mut self, address: u64, bytes: &mut [u8]) -> Result<bool, Finding> {
        self.random = self.random.wrapping_add(STEP);
        let stores = &self.stores;
        let announced = stores.announced.lock().unwrap_or_else(PoisonError::into_inner);
        let mut seen = Vec::new();
        for (cell, place) in stores.cells(address, bytes.len() as u64) {
            let Some(epoch) = Epoch::some(place.load(Relaxed)) else { continue };
            let (at, is_flag) = self.accesses[epoch.number() as usize];
            let actor = Actor { at, block: epoch.block(), thread: epoch.thread() };
            let is_known = self.known.exported.has(epoch);
            if !is_flag {
                if is_known {
                    continue;
                }
                let (flag, missing) =
                    (self.flags.get(&epoch.block()).copied(), self.missing(epoch));
                let kind = HazardKind::EarlyRead { flag, missing };
                return Err(Finding { kind, actor, space: Space::Global, address: cell });
            }
            let Some(announced) = announced.get(&cell) else { continue };
            if is_known || self.seen.contains(&cell) || mix(self.random ^ epoch.0) & 1 == 0 {
                seen.push((cell, actor));
                continue;
            }
            for (address_of, before) in
                (cell..cell + stores.grain.bytes()).zip(announced.before.to_le_bytes())
            {
                if let Some(byte) = bytes.get_mut(address_of.wrapping_sub(address) as usize) {
                    *byte = before;
                }
            }
        }
        // What it reads at once is in no order: flags are known from now on.
        for &(cell, actor) in &seen {
            self.known.add(&announced[&cell].message);
            self.flags.insert(actor.block, actor);
        }
        self.seen.extend(seen.iter().map(|&(cell, _)| cell));
        Ok(!seen.is_empty())
    }

    /// What it would take to order a store before what the host reads now.
    fn missing(&self, epoch: Epoch) -> Missing {
        let known = &self.known;
        if known.released.has(epoch) {
            Missing::Scope
        } else if known.unfenced.has(epoch) {
            Missing::Release
        } else {
            Missing::Order
        }
    }

    /// An earlier launch's stores give way to those of this one.
    pub fn replace(&self, earlier: &HostOrder) {
        let HostStores { grain, arrays, .. } = &self.stores;
        for (array, cell) in
            arrays.iter().flat_map(|it| it.epochs.iter().zip(0..).map(move |cell| (it, cell)))
        {
            let (epoch, cell) = cell;
            if epoch.load(Relaxed) != 0 {
                earlier.forget(array.address + cell * grain.bytes(), grain.bytes());
            }
        }
    }

    /// The host writes some bytes: what the launch stored there is gone.
    pub fn forget(&self, address: u64, bytes: u64) {
        self.stores.cells(address, bytes).for_each(|(_, place)| place.store(0, Relaxed));
    }
}
