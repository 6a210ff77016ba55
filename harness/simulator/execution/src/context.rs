//! What the threads of a block share.

use super::build::Build;
use super::cluster::Clusters;
use super::counts::BlockCount;
use super::deadline::Deadline;
use super::reads::Reads;
use super::spaces::Spaces;
use super::stale::Stale;
use super::weak::WeakMemory;
use crate::printed::Prints;
use crate::scheduling::Scheduling;
use program::Kernel;
use program::registers::{LANES, Register, Registers};
use program::{Constant, Instruction, Program, Special};
use textures::Objects;

/// What the threads of a block share.
pub struct Context<'a> {
    /// Arithmetic for this CPU.
    pub build: Build,
    /// What runs.
    pub(crate) kernel: &'a Kernel,
    /// Its program.
    pub program: &'a Program,
    /// The program's code, or only the part that affects the counts.
    pub(crate) code: &'a [Instruction],
    /// Addresses of the module's variables.
    pub(crate) addresses: &'a [u64],
    /// Blocks of the grid in x, y, z.
    pub grid: [u32; 3],
    /// Threads of a block in x, y, z.
    pub threads: [u32; 3],
    /// Index of the running block in the grid, in x, y, z.
    pub block: [u32; 3],
    /// How blocks are grouped in clusters.
    pub clusters: Clusters,
    /// What its threads can access.
    pub spaces: Spaces<'a>,
    /// Bytes of each thread's stack, for calls.
    pub(crate) stack_bytes: u64,
    /// What the blocks have printed.
    pub(crate) prints: Prints,
    pub(crate) objects: &'a Objects,
    pub(crate) stale: &'a Stale,
    /// Bytes of dynamic shared memory.
    pub dynamic_shared_bytes: u32,
    /// Address of the workspace of grid barriers; 0 if the launch is not cooperative.
    pub(crate) grid_workspace: u64,
    /// Decides the order of the warps' turns; 0 for ascending.
    pub(crate) seed: u64,
    /// Whether warps begin one long after the other, where blocks communicate.
    pub(crate) staggered: bool,
    pub(crate) scheduling: Scheduling,
    pub(crate) counts: Vec<BlockCount>,
    /// When the launch is to be stopped.
    pub(crate) deadline: Option<Deadline<'a>>,
    /// How often [`Context::is_late`] was asked.
    pub(crate) asked: u8,
    /// By number of the access: whether it loads what no thread of the launch writes.
    pub(crate) settled: &'a [bool],
    /// What the block reads, where that must be known.
    pub(crate) reads: Reads,
    /// Strong writes, where others may see them late.
    pub(crate) weak: Option<WeakMemory>,
    /// Whether what bulk copies bring lands some rounds after they began.
    pub(crate) lands_late: bool,
    /// The lanes whose store takes its place before a write that was executed already.
    pub(crate) early: u32,
    /// For each access the allocation that it found last: it nearly always finds the same one.
    pub(crate) hints: Vec<u32>,
    /// For each access what [`Step`](super::transfer::Step) found last, if it looks for itself and not as [another
    /// one](Program::like).
    pub(crate) steps: Vec<Option<u8>>,
    /// What the registers of each of a block's warps hold before the first instruction, as far as it is known.
    pub(crate) starts: Vec<Registers>,
    /// Those that differ from block to block, and what they hold.
    pub(crate) of_block: Vec<(Register, Special)>,
}

/// The registers that differ from block to block, and what they hold.
pub(crate) fn of_block(program: &Program) -> Vec<(Register, Special)> {
    let constants = program.constants.iter();
    let of_block = |&(register, constant)| match constant {
        Constant::Special(special) if special.is_of_block() => Some((register, special)),
        _ => None,
    };
    constants.filter_map(of_block).collect()
}

impl Context<'_> {
    /// Linear index of the block in the grid.
    #[inline]
    pub(super) fn block_number(&self) -> u64 {
        let ([x, y, z], [columns, rows, _]) = (self.block.map(u64::from), self.grid.map(u64::from));
        (z * rows + y) * columns + x
    }

    /// Whether the store of a lane that is about to be executed takes its place before another write that was executed
    /// already: nobody will find what it releases.
    #[inline]
    pub fn is_early(&self, lane: usize) -> bool {
        self.early >> lane & 1 != 0
    }

    /// Index of a thread in its block, in x, y, z, from its warp and lane.
    #[inline]
    pub fn thread(&self, warp: u32, lane: usize) -> [u32; 3] {
        let linear = warp * LANES as u32 + lane as u32;
        let [x, y, _] = self.threads;
        [linear % x, linear / x % y, linear / x / y]
    }

    /// Whether the launch has exceeded its limit; reads the clock on every 64th call.
    #[inline]
    pub(super) fn is_late(&mut self) -> bool {
        self.asked = (self.asked + 1) % 64;
        self.asked == 0 && self.deadline.as_ref().is_some_and(Deadline::is_over)
    }
}
