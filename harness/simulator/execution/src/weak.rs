//! Global memory of blocks that communicate, as weak as the memory model of PTX lets it be.
//!
//! Each strong write to an address is kept with what its block had released by then. A strong read of another block may
//! return any of these values that are not older than one that it knows of: one that it or its block has read there, or one
//! that a fence or an `.acquire` has made known to it (PTX ISA, "Release and Acquire Patterns", "Causality Order",
//! "Coherence"). So values arrive late or out of order wherever a fence, or its scope, is missing.
//!
//! A load whose address was computed from what a strong read returned sees what that read could acquire: PTX does not promise
//! it, but no GPU guesses addresses, and lock-free trees follow pointers in this way.
//!
//! Weaker than this a GPU may be in two points. Writes take effect in the order in which they are executed, and no read sees
//! a later write: outcomes of load buffering and of two writes that change places (2+2W, R, S) are not seen. And the threads of
//! one block always see each other's writes: what they lack is found as a race.

mod dependent;

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::rc::Rc;

use dependent::dependent;
use memory::Memory;
use program::{Code, Order};

use crate::random::{STEP, mix};

/// Bytes that are read and written as one value.
pub(crate) const UNIT: u64 = 8;

/// Most writes that are kept at an address.
const MOST: usize = 8;

/// Most units that a view has by themselves.
const MOST_UNITS: usize = 64;

/// Which writes are known.
#[derive(Clone, Default)]
struct View {
    /// For each block the time up to which all of its writes are.
    blocks: BTreeMap<u64, u64>,
    /// By unit the latest write that was read there: its block and its time.
    units: HashMap<u64, (u64, u64)>,
}

impl View {
    fn is_empty(&self) -> bool {
        self.blocks.is_empty() && self.units.is_empty()
    }

    fn join(&mut self, other: &View) {
        other.blocks.iter().for_each(|(&block, &time)| self.add_block(block, time));
        other.units.iter().for_each(|(&unit, &write)| self.add_unit(unit, write));
    }

    fn add_block(&mut self, block: u64, time: u64) {
        let known = self.blocks.entry(block).or_default();
        *known = time.max(*known);
    }

    fn add_unit(&mut self, unit: u64, write: (u64, u64)) {
        let known = self.units.entry(unit).or_default();
        *known = if write.1 > known.1 { write } else { *known };
    }

    /// Whether nothing older than a write may be read in its unit.
    fn knows(&self, unit: u64, write: &Write) -> bool {
        let of_block = self.blocks.get(&write.block).copied().unwrap_or(0);
        let of_unit = self.units.get(&unit).map_or(0, |&(_, time)| time);
        write.time <= of_block.max(of_unit)
    }

    /// Where it has many units, it knows all that their blocks wrote before instead: that is more than it must, and short.
    fn shorten(&mut self) {
        if self.units.len() > MOST_UNITS {
            for (_, (block, time)) in std::mem::take(&mut self.units) {
                self.add_block(block, time);
            }
        }
    }
}

/// A write, or what was there before the first.
struct Write {
    block: u64,
    time: u64,
    /// What it left in the unit.
    value: u64,
    released: Rc<View>,
}

/// What a block knows of others' writes.
#[derive(Default)]
struct Block {
    known: View,
    /// What it has released.
    performed: Rc<View>,
    /// By warp what it observed since its last fence.
    pending: HashMap<u32, View>,
    /// The same of warps that have arrived at a barrier since.
    met: View,
}

/// The strong writes of a launch.
pub(crate) struct WeakMemory {
    writes: HashMap<u64, VecDeque<Write>>,
    blocks: HashMap<u64, Block>,
    /// What fences of sequential consistency have passed on to each other.
    fenced: View,
    /// By number of the access: whether it follows a pointer that was read.
    pub(crate) dependent: Vec<bool>,
    time: u64,
    random: u64,
}

/// Who accesses memory, and how strongly.
#[derive(Clone, Copy)]
pub(crate) struct Actor {
    pub block: u64,
    pub warp: u32,
    pub order: Order,
    /// Whether other blocks are in its scope.
    pub spans: bool,
}

impl WeakMemory {
    /// Of a launch of a kernel with this code, of which nothing has run yet.
    pub(crate) fn new(code: &Code, seed: u64) -> WeakMemory {
        let (writes, blocks) = (HashMap::new(), HashMap::new());
        let (fenced, dependent) = (View::default(), dependent(code));
        WeakMemory { writes, blocks, fenced, dependent, time: 0, random: seed }
    }

    fn draw(&mut self, count: usize) -> usize {
        self.random = self.random.wrapping_add(STEP);
        (mix(self.random) % count as u64) as usize
    }

    /// Whether a block that could go on does not, so that others get ahead of it.
    pub(crate) fn stops(&mut self) -> bool {
        self.draw(2) == 0
    }

    /// Whether a warp that has just executed a fence, an atomic or a strong access leaves the turn to others.
    pub(crate) fn interrupts(&mut self) -> bool {
        self.draw(4) == 0
    }

    /// Whether there were strong writes.
    pub(crate) fn has_any(&self) -> bool {
        !self.writes.is_empty()
    }

    /// A fence whose scope includes other blocks; all those of sequential consistency come one after another (PTX ISA,
    /// "Fence-SC").
    pub(crate) fn fence(&mut self, block: u64, warp: u32, sequential: bool) {
        let own = self.blocks.entry(block).or_default();
        let pending = own.pending.remove(&warp).unwrap_or_default();
        for view in [pending, std::mem::take(&mut own.met)] {
            own.known.join(&view);
        }
        if sequential {
            own.known.join(&self.fenced);
        }
        own.perform(block, self.time);
        if sequential {
            self.fenced.join(&own.performed);
            self.fenced.shorten();
        }
    }

    /// A warp arrives at a barrier of its block.
    pub(crate) fn meet(&mut self, block: u64, warp: u32) {
        if let Some(own) = self.blocks.get_mut(&block)
            && let Some(pending) = own.pending.remove(&warp)
        {
            own.met.join(&pending);
        }
    }

    /// Keeps what is in a unit before the first strong write to it.
    pub(crate) fn begin(&mut self, memory: &Memory, unit: u64) {
        self.writes.entry(unit).or_insert_with(|| {
            let (value, released) = (content(memory, unit), Rc::default());
            VecDeque::from([Write { block: 0, time: 0, value, released }])
        });
    }

    /// A write has left this in a unit. Of the rest of the unit, where it wrote a part, a reader acquires what was released
    /// with it before.
    pub(crate) fn write(
        &mut self,
        memory: &Memory,
        unit: u64,
        by: Actor,
        (is_atomic, is_part): (bool, bool),
    ) {
        let Some(writes) = self.writes.get_mut(&unit) else { return };
        self.time += 1;
        let own = self.blocks.entry(by.block).or_default();
        if by.order.release && by.spans {
            own.perform(by.block, self.time);
        }
        let mut released = if by.spans { own.performed.clone() } else { Rc::default() };
        if let Some(before) = writes.back().filter(|_| is_atomic || is_part) {
            if is_atomic && by.spans {
                own.learn(before, by);
            }
            if !before.released.is_empty() {
                Rc::make_mut(&mut released).join(&before.released);
            }
        }
        let value = content(memory, unit);
        writes.push_back(Write { block: by.block, time: self.time, value, released });
        if writes.len() > MOST {
            writes.pop_front();
        }
    }

    /// The place among a unit's writes of the oldest that a read may return.
    fn oldest(&self, unit: u64, by: Actor, is_dependent: bool) -> usize {
        let Some(own) = self.blocks.get(&by.block) else { return 0 };
        let pending = own.pending.get(&by.warp).into_iter().chain([&own.met]);
        let pending = pending.filter(|_| is_dependent);
        let known = |write: &Write| {
            write.block == by.block
                || own.known.knows(unit, write)
                || pending.clone().any(|view| view.knows(unit, write))
        };
        self.writes[&unit].iter().rposition(known).unwrap_or(0)
    }

    /// What a strong read finds in a unit, if that is not what is there now.
    pub(crate) fn read(&mut self, unit: u64, by: Actor, is_dependent: bool) -> Option<u64> {
        let last = self.writes.get(&unit)?.len() - 1;
        let newer = last - self.oldest(unit, by, is_dependent);
        let chosen = if newer == 0 { last } else { last - self.draw(newer + 1) };
        let (write, own) = (&self.writes[&unit][chosen], self.blocks.entry(by.block).or_default());
        own.known.add_unit(unit, (write.block, write.time));
        if by.spans {
            own.learn(write, by);
        }
        (chosen != last).then_some(write.value)
    }
}

impl Block {
    /// What it knows and wrote is known to those who acquire what it writes next.
    fn perform(&mut self, block: u64, time: u64) {
        self.known.add_block(block, time);
        self.known.shorten();
        self.performed = Rc::new(self.known.clone());
    }

    /// A warp has read what a write left.
    fn learn(&mut self, write: &Write, by: Actor) {
        if !write.released.is_empty() {
            let pending = self.pending.entry(by.warp);
            let view = if by.order.acquire { &mut self.known } else { pending.or_default() };
            view.join(&write.released);
        }
    }
}

/// What is in a unit.
fn content(memory: &Memory, unit: u64) -> u64 {
    let half = |address| {
        let allocation = &memory.allocations()[memory.find(address, 4)?];
        Some(allocation.storage.load_whole(address - allocation.address, 4))
    };
    half(unit).unwrap_or(0) | half(unit + 4).unwrap_or(0) << 32
}
