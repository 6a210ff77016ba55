//! Runs programs: a warp's registers and lanes, memory, barriers, one block at a time.

mod atomics;
mod barrier;
pub(crate) mod block;
mod control;
mod copies;
mod exchange;
mod matrix;
pub(crate) mod memory;
pub(crate) mod registers;
mod run;
mod stillness;
mod stuck;
mod turns;
mod window;
pub(crate) use window::{Place, Refused, nearest, place};

use crate::alu::Build;
use crate::fault::{Problem, Space};
use crate::lower::program::Program;
use crate::memory::{Memory, Storage};
use crate::{BlockCount, Scheduling};

/// Why a thread cannot go on.
#[derive(Debug)]
pub(crate) enum Cause {
    Access {
        problem: Problem,
        write: bool,
        space: Space,
        bytes: u32,
        address: u64,
    },
    Trap,
    /// Only some lanes of a warp came to an instruction that all must execute together.
    PartialWarp {
        came: u32,
        elsewhere: u32,
        ended: u32,
    },
    Deadlock(String),
    Livelock(String),
    /// Lanes of a warp that go round in circles, and for each group of lanes that waits for them the place where it will
    /// go on.
    WarpDeadlock {
        spinning: u32,
        waiting: Vec<(u32, u32)>,
    },
}

/// A thread that cannot go on: its lane and warp, and its instruction.
#[derive(Debug)]
pub(crate) struct Failure {
    pub cause: Cause,
    pub lane: usize,
    pub warp: u32,
    /// Index into `Program::code`.
    pub at: u32,
}

/// What the threads of a block share.
pub(crate) struct Context<'a> {
    /// Arithmetic for this CPU.
    pub build: Build,
    pub program: &'a Program,
    pub memory: &'a Memory,
    /// Addresses of the module's variables.
    pub addresses: &'a [u64],
    pub parameters: &'a Storage,
    pub grid: [u32; 3],
    pub threads: [u32; 3],
    pub block: [u32; 3],
    pub shared: Storage,
    pub shared_bytes: u64,
    pub dynamic_shared_bytes: u32,
    /// Decides the order of the warps' turns; 0 for ascending.
    pub warp_seed: u64,
    pub scheduling: Scheduling,
    pub counts: Vec<BlockCount>,
    /// For each access the allocation that it found last: it nearly always finds the same one.
    pub hints: Vec<u32>,
}
