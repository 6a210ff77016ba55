//! Stores to mapped memory, which the host may read before the launch has ended.
//!
//! The host reads what a thread stored if it has read a flag before: a strong store of the scope of the system to mapped
//! memory, after a fence of that scope, by a thread to which the store is known (PTX ISA, "Release and Acquire Patterns",
//! "Scope"). What it may read and when is in [`order`]: here is what the launch leaves for that.

mod order;

use std::collections::HashMap;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, PoisonError};

use super::block::BlockHazards;
use super::epoch::Epoch;
use super::facts::{Facts, Traits};
use super::grain::Grain;
use super::grid::Message;
use execution::context::Context;
use execution::listener::{Arrival, Kind, Touch};
use memory::Memory;
use program::Scope;
use program::registers::LANES;

pub use order::HostOrder;

/// The last stores of a launch to mapped memory. All CPU threads share it.
pub(super) struct HostStores {
    /// Bytes of a cell.
    grain: Grain,
    arrays: Vec<Mapped>,
    /// By the address of a cell, what its last strong store announced.
    announced: Mutex<HashMap<u64, Announced>>,
}

/// An allocation that is mapped.
struct Mapped {
    address: u64,
    bytes: u64,
    /// By cell the last store; 0 if there was none.
    epochs: Box<[AtomicU64]>,
}

/// A strong store, or several to one cell.
struct Announced {
    message: Message,
    /// What the cell held before the first of them.
    before: u64,
}

/// Whether the host may wait for a store by reading it.
fn is_flag(own: &Traits) -> bool {
    own.strong && own.scope == Scope::Sys
}

impl HostStores {
    /// Of a launch that has stored nothing yet; `None` if no memory is mapped.
    pub(super) fn new(memory: &Memory, grain: Grain) -> Option<HostStores> {
        let mapped = memory.allocations().iter().filter(|it| it.is_mapped).map(|it| Mapped {
            address: it.address,
            bytes: it.bytes,
            epochs: (0..grain.count(it.bytes)).map(|_| AtomicU64::new(0)).collect(),
        });
        let arrays: Vec<Mapped> = mapped.collect();
        (!arrays.is_empty()).then(|| HostStores { grain, arrays, announced: Mutex::default() })
    }

    /// The cells of an access with their addresses, where it is one to mapped memory.
    fn cells(&self, address: u64, bytes: u64) -> impl Iterator<Item = (u64, &AtomicU64)> {
        let is_there = |it: &&Mapped| {
            let offset = address.wrapping_sub(it.address);
            offset < it.bytes && bytes <= it.bytes - offset
        };
        self.arrays.iter().find(is_there).into_iter().flat_map(move |it| {
            let offset = address - it.address;
            let cells = self.grain.cells(offset, bytes);
            cells.map(|cell| (it.address + cell * self.grain.bytes(), &it.epochs[cell as usize]))
        })
    }
}

impl BlockHazards {
    /// Notes stores and atomics for the host; call it before they are executed.
    pub(super) fn tells_host(&self, facts: &Facts, host: &HostStores, cx: &Context, touch: &Touch) {
        if !matches!(touch.kind, Kind::Store | Kind::Atomic) {
            return;
        }
        let own = &facts.traits[touch.at as usize];
        let tick = self.clocks.now() - self.began + 1;
        for (lane, address) in touch.active() {
            let thread = touch.warp * LANES as u32 + lane as u32;
            let epoch = Epoch::new(self.number, own.number, thread, tick);
            for (cell, place) in host.cells(address, touch.bytes) {
                if !is_flag(own) {
                    place.store(epoch.0, Relaxed);
                    continue;
                }
                let arrival = Arrival { warp: touch.warp, mask: 1 << lane, at: touch.at };
                let message = self.remote.message(arrival, self.since(), &self.clocks);
                let mut all = host.announced.lock().unwrap_or_else(PoisonError::into_inner);
                place.store(epoch.0, Relaxed);
                let announced = all.entry(cell).or_insert_with(|| {
                    let before = content(cx.spaces.memory, cell, host.grain.bytes());
                    Announced { message: Message::default(), before }
                });
                if touch.kind == Kind::Atomic {
                    announced.message.add(&message);
                } else {
                    announced.message = message;
                }
            }
        }
    }
}

/// What is in a cell.
fn content(memory: &Memory, address: u64, bytes: u64) -> u64 {
    let Some(index) = memory.find(address, bytes) else { return 0 };
    let allocation = &memory.allocations()[index];
    allocation.storage.load(address - allocation.address, bytes)
}
