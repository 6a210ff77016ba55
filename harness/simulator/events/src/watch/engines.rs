//! The time that a block takes for what engines do beside its warps: the copy engine and the tensor cores.
//!
//! Every warp has a clock. It advances by one for each instruction, and to the end of what it waits for: a phase of an
//! `mbarrier`, a group of products (`wgmma`), a barrier of the block. The copy engine begins a copy when it is done with
//! the one before, and a copy arrives some time after it has begun. Each of the four tensor cores multiplies for every fourth
//! warp. So a block takes longer where products have to wait for copies, because there is only one stage, than where they
//! hide them.

use std::collections::HashMap;

use crate::Engines;
use execution::context::Context;
use execution::listener::{Order, Touch};
use execution::peers::Named;
use program::registers::Registers;
use program::{AtomicOperation, AtomicType, Kernel, Operation};
use ptx::Space;
use ptx::space::{RANK_BYTES, SHARED_WINDOW};

/// Tensor cores of a multiprocessor.
const CORES: usize = 4;

/// The engines of one multiprocessor.
pub struct EnginesWatch {
    engines: Engines,
    /// Places of the program in order, and what warps do there.
    marks: Vec<(u32, Mark)>,
    /// For each place of the program its PTX instruction, and one more for its end.
    instruction_at: Vec<u32>,
    /// The places of each basic block.
    blocks: Vec<(u32, u32)>,
    /// Clocks of all blocks that have ended.
    clocks: f64,
}

/// What a warp does besides accesses.
#[derive(Clone, Copy)]
enum Mark {
    /// Begins a product that takes its tensor core so many clocks.
    Multiplies(f64),
    /// Closes a group of products.
    Closes,
    /// Waits until no more than so many groups are under way.
    Waits(usize),
    /// Looks whether a phase has ended.
    Looks,
}

/// The engines as one block uses them.
#[derive(Default)]
pub struct BlockEngines {
    warps: Vec<WarpTime>,
    /// When the copy engine has nothing left to do.
    copies: f64,
    /// The same for each tensor core.
    cores: [f64; CORES],
    /// By their places in shared memory.
    barriers: HashMap<u64, Phase>,
}

/// The clock of one warp.
#[derive(Default, Clone)]
struct WarpTime {
    clock: f64,
    /// How far it has come in the program, and where its basic block ends.
    at: u32,
    end: u32,
    /// When its last product ends.
    product: f64,
    /// When each group ends that it has closed.
    groups: Vec<f64>,
    /// Where it looked last for the end of a phase, and when, unless it did something else since then.
    looked: Option<(u32, f64)>,
}

/// The phases of an `mbarrier`.
#[derive(Default)]
struct Phase {
    parity: bool,
    /// The last arrival of this phase so far.
    current: f64,
    /// When the one before ended.
    complete: f64,
}

impl Phase {
    /// Goes on to the phase with this parity. Each arrival ends one phase at most.
    fn reach(&mut self, parity: bool) {
        if self.parity != parity {
            *self = Phase { parity, current: 0.0, complete: self.complete.max(self.current) };
        }
    }
}

impl EnginesWatch {
    /// Of a multiprocessor whose engines have done nothing; none where a kernel uses none.
    pub fn new(engines: Engines, kernel: &Kernel) -> Option<EnginesWatch> {
        let program = kernel.program();
        let instruction_at = kernel.instruction_at();
        let mut marks = Vec::new();
        let mut last = None;
        for (at, &index) in (0..).zip(instruction_at) {
            if last.replace(index) == Some(index) {
                continue;
            }
            let summary = kernel.instruction(at);
            let name = summary.opcode.as_str();
            let left = program.product_waits.iter().find(|(place, _)| *place == at);
            let mark = if let Some(columns) = summary.group_columns() {
                // Of the 64 rows, each tensor core has those of its warp. All types take as long as 16 terms of 16 bits.
                let work = f64::from(64 * 16 * columns);
                Mark::Multiplies(work / f64::from(engines.group_products))
            } else if let Some((_, left)) = left {
                Mark::Waits(*left as usize)
            } else if name.starts_with("wgmma.commit_group") {
                Mark::Closes
            } else if name.starts_with("mbarrier.try_wait")
                || name.starts_with("mbarrier.test_wait")
            {
                Mark::Looks
            } else {
                continue;
            };
            marks.push((at, mark));
        }
        let uses = kernel.instructions().any(|instruction| instruction.is_of_engine());
        let end = instruction_at.last().map_or(0, |last| last + 1);
        uses.then(|| EnginesWatch {
            engines,
            marks,
            instruction_at: instruction_at.iter().copied().chain([end]).collect(),
            blocks: program.blocks.iter().map(|block| (block.first, block.end)).collect(),
            clocks: 0.0,
        })
    }

    /// Clocks of all blocks that have ended.
    pub fn clocks(&self) -> f64 {
        self.clocks
    }

    /// A block has finished.
    pub fn end(&mut self, mut own: BlockEngines) {
        for warp in 0..own.warps.len() {
            self.advance(&mut own, warp, u32::MAX);
        }
        self.clocks += own.warps.iter().map(|warp| warp.clock).fold(0.0, f64::max);
    }

    /// Lanes of a warp enter a basic block.
    pub fn enters(&self, own: &mut BlockEngines, block: u32, warp: u32) {
        let warp = warp as usize;
        if own.warps.len() <= warp {
            own.warps.resize_with(warp + 1, WarpTime::default);
        }
        self.advance(own, warp, u32::MAX);
        let (first, end) = self.blocks[block as usize];
        (own.warps[warp].at, own.warps[warp].end) = (first, end);
    }

    /// A memory access.
    pub fn touches(&self, own: &mut BlockEngines, cx: &Context, r: &Registers, touch: &Touch) {
        let warp = touch.warp as usize;
        match cx.program.code[touch.at as usize].operation {
            Operation::Atomic(k) => {
                let atomic = &cx.program.atomics[k as usize];
                if atomic.value != AtomicType::Barrier {
                    return;
                }
                self.advance(own, warp, touch.at);
                own.warps[warp].looked = None;
                for (lane, address) in touch.active() {
                    let comes = match atomic.operation {
                        AtomicOperation::Complete => {
                            let bytes = r.double(atomic.data[0])[lane] as f64;
                            let begin = own.copies.max(own.warps[warp].clock);
                            own.copies = begin + bytes / f64::from(self.engines.copied_bytes);
                            own.copies + f64::from(self.engines.copy_clocks)
                        }
                        _ => own.warps[warp].clock,
                    };
                    if let Some(phase) = phase(own, cx, touch.space, address) {
                        phase.current = phase.current.max(comes);
                    }
                }
            }
            Operation::Load(_) => {
                let mark = self.marks.binary_search_by_key(&touch.at, |(at, _)| *at);
                let Ok(Mark::Looks) = mark.map(|index| self.marks[index].1) else { return };
                self.advance(own, warp, touch.at);
                let time = &mut own.warps[warp];
                match time.looked {
                    // It looks again and again; how often depends on the simulation.
                    Some((at, clock)) if at == touch.at => time.clock = clock,
                    _ => time.looked = Some((touch.at, time.clock)),
                }
                let ended = phase(own, cx, touch.space, touch.first()).map(|phase| phase.complete);
                let time = &mut own.warps[warp];
                time.clock = time.clock.max(ended.unwrap_or(0.0));
            }
            _ => {}
        }
    }

    /// A barrier.
    pub fn orders(&self, own: &mut BlockEngines, order: &Order) {
        let (Order::Passes { arrivals, .. } | Order::PassesCluster { arrivals, .. }) = order else {
            return;
        };
        let mut last = 0.0f64;
        for arrival in *arrivals {
            self.advance(own, arrival.warp as usize, arrival.at);
            last = last.max(own.warps[arrival.warp as usize].clock);
        }
        for arrival in *arrivals {
            own.warps[arrival.warp as usize].clock = last;
        }
    }

    /// Lets a warp do what it does in its basic block before a place.
    fn advance(&self, own: &mut BlockEngines, warp: usize, to: u32) {
        let time = &mut own.warps[warp];
        let (from, to) = (time.at, to.min(time.end));
        if to <= from {
            return;
        }
        time.at = to;
        let first = self.marks.partition_point(|(at, _)| *at < from);
        let marks = self.marks[first..].iter().take_while(|(at, _)| *at < to);
        for (_, mark) in marks {
            match *mark {
                Mark::Multiplies(clocks) => {
                    let core = &mut own.cores[warp % CORES];
                    *core = core.max(time.clock) + clocks;
                    time.product = *core;
                    time.looked = None;
                }
                Mark::Closes => {
                    time.groups.push(time.product + f64::from(self.engines.group_clocks));
                }
                Mark::Waits(left) => {
                    let over = time.groups.len().saturating_sub(left);
                    time.clock = time.groups.drain(..over).fold(time.clock, f64::max);
                }
                Mark::Looks => {}
            }
        }
        let instructions = self.instruction_at[to as usize] - self.instruction_at[from as usize];
        time.clock += f64::from(instructions);
    }
}

/// The phase of an `mbarrier` in the block's own shared memory.
fn phase<'b>(
    own: &'b mut BlockEngines,
    cx: &Context,
    space: Space,
    address: u64,
) -> Option<&'b mut Phase> {
    let address = match space {
        Space::Generic => address.wrapping_sub(SHARED_WINDOW),
        _ => address,
    };
    if !matches!(cx.spaces.peers.named(address), Named::Own) {
        return None;
    }
    let offset = address % RANK_BYTES;
    let phase = own.barriers.entry(offset).or_default();
    phase.reach(cx.spaces.parity(offset));
    Some(phase)
}
