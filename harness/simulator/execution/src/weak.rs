//! Memory of threads that communicate, as weak as the memory model of PTX lets it be.
//!
//! The threads are warps: the lanes of one run in step. Each strong write to an address is kept with what its warp had
//! released by then, for its own block and for others. A strong read may return any of these values that does not come
//! before one that its warp knows of: one that it has read there, or one that a barrier, a fence or an `.acquire` has made
//! known to it (PTX ISA, "Release and Acquire Patterns", "Causality Order", "Coherence"). So values arrive late or out of
//! order wherever a fence, or its scope, is missing.
//!
//! A strong store may also take its place before writes of others that were executed already, but of which its warp does
//! not know ("Coherence Order": only what is ordered by causality must keep its order). So two writes change places (2+2W,
//! R, S). An atomic reads the write just before its own, and nothing comes between them ("Atomicity").
//!
//! A vector is as many accesses as it has elements, in no order ("Vector Data-types"): a load of 16 bytes may see a store of
//! 16 bytes in part.
//!
//! A load whose address was computed from what a strong read returned sees what that read, and no other, could acquire: PTX
//! does not promise it, but no GPU guesses addresses, and lock-free trees follow pointers in this way.
//!
//! A barrier passes on what a fence of any of its warps has released, and what a later fence of any can acquire: PTX wants
//! that fence in the thread that writes or reads the flag.
//!
//! Weaker than this a GPU may be in one point. No read sees a write that is executed later, so load buffering is not seen
//! though it is allowed. To show it, a thread would have to promise a write before the reads that precede it, and to prove
//! that it will keep the promise whatever they return (Kang, Hur, Lahav, Vafeiadis and Dreyer, "A Promising Semantics for
//! Relaxed-Memory Concurrency", 2017). That is to execute threads ahead of themselves, which this executor cannot do.

mod dependent;
mod pauses;
mod state;
mod unit;
mod view;

use std::collections::{HashMap, VecDeque};
use std::rc::Rc;

use dependent::{Source, dependent};
use program::{Code, Operation, Program, Scope};
use ptx::Space;
use state::{Block, Warp, Write, warp_of};
use unit::{content, is_shared, restore};
use view::{Mark, View, Writer, join};

pub(crate) use pauses::After;
pub(crate) use state::Actor;
pub(crate) use unit::shared_unit;

use crate::random::{coin, mix};
use crate::spaces::Spaces;

/// Most writes that are kept at an address.
const MOST: usize = 8;

/// Between the places of two writes, so that others fit in.
const GAP: u64 = 1 << 32;

/// One of how many stores takes its place before writes that were executed already, if it may.
const EARLY: usize = 4;

/// The strong writes of a launch.
pub(crate) struct WeakMemory {
    /// Bytes that are read and written as one value: those of the widest strong access, at least a word.
    pub(crate) unit: u64,
    /// Whether blocks communicate, which is through global memory.
    pub(crate) in_global: bool,
    /// Whether threads of a block may communicate through shared memory.
    pub(crate) in_shared: bool,
    /// In coherence order.
    writes: HashMap<u64, VecDeque<Write>>,
    blocks: HashMap<u64, Block>,
    /// What fences of sequential consistency whose scope includes other blocks have passed on to each other.
    fenced: View,
    /// By number of the access: the reads whose pointers it may follow.
    dependent: Vec<Vec<Source>>,
    /// By number of the read: whether one does.
    is_followed: Vec<bool>,
    /// Whether the first warp of all that accesses memory is still to be overtaken.
    overtakes: bool,
    /// Whether the first warp of all that passes a fence is still to be.
    overtakes_fence: bool,
    /// Whether warps begin one long after the other: then no pause lets a later one get ahead, and it reads what is there.
    staggered: bool,
    time: u64,
    seed: u64,
}

/// How a write changes a unit.
#[derive(Clone, Copy)]
pub(crate) struct Change {
    /// It is an atomic.
    pub is_atomic: bool,
    /// It leaves nothing of what was there.
    pub is_whole: bool,
    /// It is to take its place before a write that was executed already.
    pub is_early: bool,
}

impl WeakMemory {
    /// Of a launch of a kernel with this code, of which nothing has run yet. Blocks that do not `communicate` need none,
    /// unless they load from their shared memory what other warps may be about to write.
    pub(crate) fn new(
        code: &Code,
        seed: u64,
        (communicate, staggered): (bool, bool),
    ) -> Option<WeakMemory> {
        let (unit, in_shared, looks) = facts(&code.program);
        if !communicate && !looks {
            return None;
        }
        let dependent = dependent(code);
        let mut is_followed = vec![false; code.program.accesses.len() + code.program.atomics.len()];
        dependent.iter().flatten().for_each(|&source| is_followed[source] = true);
        Some(WeakMemory {
            unit,
            in_global: communicate,
            in_shared,
            writes: HashMap::new(),
            blocks: HashMap::new(),
            fenced: View::default(),
            dependent,
            is_followed,
            overtakes: coin(seed),
            overtakes_fence: coin(seed.rotate_left(32)),
            staggered,
            time: 0,
            seed,
        })
    }

    fn block(&mut self, block: u64) -> &mut Block {
        let seed = self.seed ^ mix(block.wrapping_add(1));
        self.blocks.entry(block).or_insert_with(|| Block::new(mix(seed)))
    }

    /// Whether a block's store is to take its place before others, where it may.
    pub(crate) fn hurries(&mut self, block: u64) -> bool {
        self.block(block).draw(EARLY) == 0
    }

    /// Whether there were strong writes.
    pub(crate) fn has_any(&self) -> bool {
        !self.writes.is_empty()
    }

    /// A fence; all those of sequential consistency whose scopes include each other's thread come one after another (PTX
    /// ISA, "Fence-SC").
    pub(crate) fn fence(&mut self, (block, warp): Writer, scope: Scope, sequential: bool) {
        let spans = scope.spans_blocks();
        self.block(block);
        let Some(own) = self.blocks.get_mut(&block) else { return };
        let (fenced, own) = (&mut own.fenced, warp_of(&mut own.warps, warp));
        own.learned = None;
        if spans {
            own.followed.clear();
        }
        for pending in &mut own.pending[..=usize::from(spans)] {
            join(&mut own.known, &std::mem::take(pending));
        }
        if sequential {
            let known = Rc::make_mut(&mut own.known);
            known.join(fenced);
            if spans {
                known.join(&self.fenced);
            }
        }
        own.perform((block, warp), self.time, spans);
        if sequential {
            fenced.join(&own.known);
            fenced.shorten();
            if spans {
                self.fenced.join(&own.known);
                self.fenced.shorten();
            }
        }
    }

    /// A warp arrives at a barrier of its block without waiting.
    pub(crate) fn arrives(&mut self, (block, warp): Writer, barrier: usize) {
        if let Some(own) = self.blocks.get_mut(&block) {
            let arrived = own.arrived.entry(barrier).or_default();
            arrived.join(warp_of(&mut own.warps, warp), (block, warp), self.time);
        }
    }

    /// Warps pass a barrier, `whole` if the block has no others: each knows what any of them knew.
    pub(crate) fn meet(&mut self, block: u64, barrier: usize, warps: &[u32], whole: bool) {
        let Some(own) = self.blocks.get_mut(&block) else { return };
        let mut sum = own.arrived.remove(&barrier).unwrap_or_default();
        for &warp in warps {
            sum.join(warp_of(&mut own.warps, warp), (block, warp), self.time);
        }
        if whole {
            Rc::make_mut(&mut sum.known).add_whole_block(block, self.time);
        }
        sum.performed[0] = Rc::clone(&sum.known);
        for &warp in warps {
            let warp = warp_of(&mut own.warps, warp);
            let followed = std::mem::take(&mut warp.followed);
            *warp = Warp { followed, ..sum.clone() };
        }
    }

    /// A block has ended.
    pub(crate) fn end(&mut self, block: u64) {
        for unit in self.blocks.remove(&block).into_iter().flat_map(|own| own.units) {
            self.writes.remove(&unit);
        }
    }

    /// Keeps what is in a unit before the first strong write to it.
    pub(crate) fn begin(&mut self, spaces: &Spaces, unit: u64, block: u64) {
        if self.writes.contains_key(&unit) {
            return;
        }
        if is_shared(unit) {
            self.block(block).units.push(unit);
        }
        let mark = Mark { writer: (0, 0), time: 0, place: GAP };
        let value = content(spaces, unit, self.unit);
        let first = Write { mark, value, follows: true, released: Default::default() };
        self.writes.insert(unit, VecDeque::from([first]));
    }

    /// A write has left this in a unit.
    pub(crate) fn write(&mut self, spaces: &Spaces, unit: u64, by: Actor, change: Change) {
        if !self.writes.contains_key(&unit) {
            return;
        }
        let earlier = if change.is_early { self.earlier(unit, by) } else { Vec::new() };
        let at = if earlier.is_empty() {
            None
        } else {
            Some(earlier[self.block(by.block).draw(earlier.len())])
        };
        let size = self.unit;
        self.time += 1;
        self.block(by.block);
        let (Some(writes), Some(own)) =
            (self.writes.get_mut(&unit), self.blocks.get_mut(&by.block))
        else {
            return;
        };
        let own = warp_of(&mut own.warps, by.warp);
        let reaches = by.reaches();
        if by.order.release {
            own.perform(by.writer(), self.time, reaches[1]);
        }
        let mut released = [0, 1].map(|to| match reaches[to] {
            true => Rc::clone(&own.performed[to]),
            false => Rc::default(),
        });
        // Who reads the sum of an atomic, or the rest of a unit that is written in part, acquires what was released before.
        if let Some(before) = writes.back().filter(|_| change.is_atomic || !change.is_whole) {
            if change.is_atomic {
                own.learn(before, by, self.is_followed[by.source]);
            }
            let of = usize::from(before.mark.writer.0 != by.block);
            for (to, from) in [(0, of), (1, 1)] {
                if !change.is_whole || reaches[from] {
                    join(&mut released[to], &before.released[from]);
                }
            }
        }
        let (writer, time, value) = (by.writer(), self.time, content(spaces, unit, size));
        let follows = change.is_atomic || !change.is_whole;
        let last = writes.len() - 1;
        let place = match at {
            Some(at) => writes[at - 1].mark.place.midpoint(writes[at].mark.place),
            None => writes[last].mark.place + GAP,
        };
        let mark = Mark { writer, time, place };
        writes.insert(at.unwrap_or(last + 1), Write { mark, value, follows, released });
        if at.is_some() {
            restore(spaces, unit, size, writes[last + 1].value);
        }
        if writes.len() > MOST {
            writes.pop_front();
        }
    }

    /// The places among a unit's writes, before the last, that a store of all of it may take.
    pub(crate) fn earlier(&self, unit: u64, by: Actor) -> Vec<usize> {
        let Some(writes) = self.writes.get(&unit) else { return Vec::new() };
        let first = self.oldest(unit, by, &[]) + 1;
        let is_free = |&at: &usize| {
            !writes[at].follows && writes[at].mark.place - writes[at - 1].mark.place > 1
        };
        (first..writes.len()).filter(is_free).collect()
    }

    /// The place among a unit's writes of the oldest that a read may return.
    fn oldest(&self, unit: u64, by: Actor, sources: &[Source]) -> usize {
        let own = self.blocks.get(&by.block).and_then(|own| own.warps.get(by.warp as usize));
        let known = |write: &Write| {
            write.mark.writer == by.writer()
                || own.is_some_and(|own| {
                    let followed = own.followed.iter().filter(|(it, _)| sources.contains(it));
                    let views = [&own.known].into_iter().chain(followed.map(|(_, view)| view));
                    views.into_iter().any(|it| it.knows(unit, &write.mark))
                })
        };
        self.writes[&unit].iter().rposition(known).unwrap_or(0)
    }

    /// What a strong read finds in a unit, if that is not what is there now.
    pub(crate) fn read(&mut self, unit: u64, by: Actor) -> Option<u64> {
        let last = self.writes.get(&unit)?.len() - 1;
        self.block(by.block);
        let newer = last - self.oldest(unit, by, &self.dependent[by.source]);
        let chosen = if newer == 0 || self.staggered {
            last
        } else {
            last - self.block(by.block).draw(newer + 1)
        };
        let write = &self.writes[&unit][chosen];
        let own = warp_of(&mut self.blocks.get_mut(&by.block)?.warps, by.warp);
        if write.mark.writer != by.writer() && !own.known.knows(unit, &write.mark) {
            Rc::make_mut(&mut own.known).add_unit(unit, write.mark);
        }
        own.learn(write, by, self.is_followed[by.source]);
        (chosen != last).then_some(write.value)
    }
}

/// The size of a unit, whether threads may communicate through shared memory, and whether strong loads do.
fn facts(program: &Program) -> (u64, bool, bool) {
    let (mut unit, mut in_shared, mut looks) = (4, false, false);
    for instruction in &program.code {
        let (bytes, space, is_load) = match instruction.operation {
            Operation::Load(k) | Operation::Store(k) if program.accesses[k as usize].strong => {
                let access = &program.accesses[k as usize];
                let is_load = matches!(instruction.operation, Operation::Load(_));
                (access.cell.bytes(), access.space, is_load)
            }
            Operation::Atomic(k) => {
                let atomic = &program.atomics[k as usize];
                (atomic.value.bytes(), atomic.space, false)
            }
            _ => continue,
        };
        unit = bytes.max(unit);
        in_shared |= space != Space::Global;
        looks |= is_load && space == Space::Shared;
    }
    (unit, in_shared, looks)
}
