//! A lower bound of the time that the blocks of a launch spend communicating with each other.
//!
//! Every warp has a clock that advances only for communication between blocks through the L2 cache: atomics whose
//! result is used, device-scope fences, and strong loads. A word is available when its store has reached L2. A warp
//! that polls it waits for the first store since its last read, and reads the word half a round trip later on average.
//! A block begins when another has finished in its slot. So the largest clock belongs to the longest chain of blocks
//! that waited for each other, or to the slot with most communication.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use crate::Machine;
use execution::context::Context;
use execution::listener::{Kind, Order, Touch};
use execution::spaces::{Place, place};
use program::Kernel;
use program::Operation;

/// The communication between the blocks of one launch. Times are in clocks.
pub struct LaunchMessages {
    /// Latency from a multiprocessor to L2, one way.
    way: f64,
    atomic: f64,
    fence: f64,
    fence_after_store: f64,
    /// Block slots of a multiprocessor.
    resident: usize,
    /// For each instruction, whether it is an atomic whose result is used.
    awaited: Vec<bool>,
    /// The times at which each word was stored, in the order of the simulation.
    stored: Mutex<HashMap<u64, Vec<f64>>>,
}

/// The communication of one block.
#[derive(Default)]
pub struct BlockMessages {
    /// When it began; known from its first message on.
    begun: Option<f64>,
    /// The warps up to the last one that stored or communicated.
    warps: Vec<WarpClock>,
    /// How many stores of a word the block has seen.
    seen: HashMap<u64, usize>,
}

/// The clock of one warp.
#[derive(Clone)]
struct WarpClock {
    clock: f64,
    /// Whether it stored since its last fence.
    stored: bool,
}

/// The block slots of one multiprocessor.
pub struct Places {
    /// For each free slot, the time since when it is free.
    free: Vec<f64>,
    /// When the last block finished.
    pub end: f64,
}

impl LaunchMessages {
    /// Of a launch whose blocks have told each other nothing.
    pub fn new(machine: &Machine, kernel: &Kernel) -> LaunchMessages {
        let program = kernel.program();
        let used = kernel.used();
        let awaited = program.code.iter().map(|instruction| match instruction.operation {
            Operation::Atomic(k) => {
                let atomic = &program.atomics[k as usize];
                atomic.results().any(|register| used.contains(&program.number(register)))
            }
            _ => false,
        });
        LaunchMessages {
            way: f64::from(machine.l2_clocks) / 2.0,
            atomic: f64::from(machine.atomic_clocks),
            fence: f64::from(machine.fence_clocks),
            fence_after_store: f64::from(machine.fence_after_store_clocks),
            resident: machine.resident_blocks.max(1) as usize,
            awaited: awaited.collect(),
            stored: Mutex::default(),
        }
    }

    /// The block slots of one multiprocessor, before the launch.
    pub fn places(&self) -> Places {
        Places { free: vec![0.0; self.resident], end: 0.0 }
    }

    /// A block has finished.
    pub fn end(mut own: BlockMessages, places: &mut Places) {
        let begun = own.begun(places);
        let end = own.warps.iter().map(|warp| warp.clock).fold(begun, f64::max);
        places.free.push(end);
        places.end = places.end.max(end);
    }

    /// A memory access.
    pub fn touches(
        &self,
        own: &mut BlockMessages,
        places: &mut Places,
        cx: &Context,
        touch: &Touch,
    ) {
        let first = touch.first();
        if !matches!(place(&cx.spaces, touch.space, first), Place::Global) {
            return;
        }
        let is_message = match touch.kind {
            Kind::Load => cx.program.is_strong(touch.at),
            Kind::Store => {
                own.warp(touch.warp, places).stored = true;
                cx.program.is_strong(touch.at)
            }
            Kind::Atomic => true,
            Kind::Announcement => false,
        };
        if !is_message {
            return;
        }
        let mut stored = self.stored.lock().unwrap_or_else(PoisonError::into_inner);
        let begun = own.warp(touch.warp, places).clock;
        let way = if touch.kind == Kind::Atomic { self.atomic / 2.0 } else { self.way };
        let (mut there, mut last) = (begun + way, None);
        for (_, address) in touch.active() {
            if last.replace(address) == Some(address) {
                continue;
            }
            let seen = own.seen.entry(address).or_default();
            let stores = stored.entry(address).or_default();
            if touch.kind != Kind::Store
                && let Some(&at) = stores.get(*seen)
                && at > there
            {
                // A poll reads the word half a round trip after it arrived.
                there = if touch.kind == Kind::Load { at + way } else { at };
            }
            if touch.kind != Kind::Load {
                stores.push(there);
            }
            *seen = stores.len();
        }
        if touch.kind == Kind::Load || self.awaited[touch.at as usize] {
            own.warp(touch.warp, places).clock = there + way;
        }
    }

    /// A barrier or a fence.
    pub fn orders(&self, own: &mut BlockMessages, places: &mut Places, order: &Order) {
        match order {
            Order::Fences { arrival, scope } if scope.spans_blocks() => {
                let warp = own.warp(arrival.warp, places);
                let stored = std::mem::take(&mut warp.stored);
                warp.clock += if stored { self.fence_after_store } else { self.fence };
            }
            Order::Passes { arrivals, .. } if !own.warps.is_empty() => {
                let mut last = 0.0f64;
                for arrival in *arrivals {
                    last = last.max(own.warp(arrival.warp, places).clock);
                }
                for arrival in *arrivals {
                    own.warp(arrival.warp, places).clock = last;
                }
            }
            _ => {}
        }
    }
}

impl BlockMessages {
    /// When the block began, in the slot that has been free for longest. It takes a slot only at its first message,
    /// because blocks that the simulation runs later may finish earlier.
    fn begun(&mut self, places: &mut Places) -> f64 {
        *self.begun.get_or_insert_with(|| {
            let order = |&a: &usize, &b: &usize| places.free[a].total_cmp(&places.free[b]);
            let first = (0..places.free.len()).min_by(order);
            first.map_or(0.0, |first| places.free.swap_remove(first))
        })
    }

    fn warp(&mut self, warp: u32, places: &mut Places) -> &mut WarpClock {
        let (warp, clock) = (warp as usize, self.begun(places));
        if self.warps.len() <= warp {
            self.warps.resize(warp + 1, WarpClock { clock, stored: false });
        }
        &mut self.warps[warp]
    }
}
