//! Data races: two accesses to the same bytes that nothing orders.

use ptx::{Origin, Space};

/// Kind of a memory access.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AccessKind {
    /// A load.
    Read,
    /// A store.
    Write,
    /// An atomic operation.
    Atomic,
}

impl std::fmt::Display for AccessKind {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str(match self {
            AccessKind::Read => "read",
            AccessKind::Write => "write",
            AccessKind::Atomic => "atomic",
        })
    }
}

/// One side of a race.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RacingAccess {
    /// Read, write or atomic.
    pub kind: AccessKind,
    /// Line in the PTX.
    pub line: u32,
    /// Where the CUDA source has it, if the PTX has line information.
    pub cuda: Option<Origin>,
    /// Index of the block in the grid.
    pub block: [u32; 3],
    /// Index of the thread in its block.
    pub thread: [u32; 3],
}

/// The smallest group of threads that contains both sides of a race, which decides what could order them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum RaceScope {
    /// Lanes of one warp that execute the same instruction together.
    Instruction,
    /// Lanes of one warp.
    Warp,
    /// Warps of one block.
    Block,
    /// Blocks of one cluster, in shared memory.
    Cluster,
    /// Blocks of one grid.
    Grid,
}

/// What it would take to order two accesses of different threads (PTX ISA, chapter "Memory Consistency Model").
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Missing {
    /// The later thread, or its block, has not read what the earlier wrote after its access.
    Order,
    /// The same, but another lane of the warp that read has announced the read for all, and no `__syncwarp` comes between: the
    /// GPUs of today order what the lanes of a warp read by one instruction before what any of them does later.
    OrderOfLanes,
    /// A fence before the strong write that the later block read, or `.release` at it.
    Release,
    /// A fence after that read, or `.acquire` at it: a relaxed read acquires nothing, not even with a barrier after it.
    Acquire,
    /// The same where an atomic read it and a barrier of the block followed: the GPUs of today order that.
    AcquireOfTicket,
    /// One thread that initialises an `mbarrier`: several lanes do, by one instruction and with the same count, which the GPUs of
    /// today do not notice.
    Election,
    /// A scope of both accesses that includes the other's block.
    Scope,
}

/// Two accesses to the same bytes, at least one of them a write, that nothing orders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Race {
    /// The state space of the bytes.
    pub space: Space,
    /// The variable or allocation, if known.
    pub name: Option<String>,
    /// Offset of the bytes in it; their address if there is no name.
    pub offset: u64,
    /// The smallest group of threads that contains both sides.
    pub scope: RaceScope,
    /// What would order them.
    pub missing: Missing,
    /// The side that comes first in the program, if that is known.
    pub first: RacingAccess,
    /// The other side.
    pub second: RacingAccess,
    /// Whether the race is loop-carried: `second` races with `first` of the next iteration.
    pub loop_carried: bool,
}

impl std::fmt::Display for Race {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(
            f,
            "race: {} and {} of the same bytes of {} memory",
            self.first.kind, self.second.kind, self.space
        )?;
        match &self.name {
            Some(name) => write!(f, ", at offset {} of `{name}`", self.offset)?,
            None => write!(f, ", at address {:#x}", self.offset)?,
        }
        f.write_str(match self.scope {
            RaceScope::Instruction if self.missing == Missing::Election => {
                "; several lanes initialise the same mbarrier at once"
            }
            RaceScope::Instruction => {
                "; two lanes write different values at once, and either may win"
            }
            RaceScope::Block | RaceScope::Warp if self.missing == Missing::Acquire => {
                "; they are in different threads of a block: the flag or atomic that announces the first was read, but no \
                 fence comes between that read and the second"
            }
            RaceScope::Warp => "; they are in different lanes of one warp, and nothing orders them",
            RaceScope::Block if self.missing == Missing::OrderOfLanes => {
                "; they are in different warps: one lane announces the read for its warp, and has not waited for the others"
            }
            RaceScope::Block => "; they are in different warps, and nothing orders them",
            RaceScope::Cluster => match self.missing {
                Missing::Order | Missing::OrderOfLanes | Missing::Election | Missing::Scope => {
                    "; they are in different blocks of a cluster, and nothing orders them"
                }
                _ => {
                    "; they are in different blocks of a cluster: the first is announced and the announcement is read, but \
                     without a release before it or an acquire after it"
                }
            },
            RaceScope::Grid => match self.missing {
                Missing::Order | Missing::OrderOfLanes | Missing::Election => {
                    "; they are in different blocks, and nothing orders them"
                }
                Missing::Release => {
                    "; they are in different blocks: no fence of the device comes after the first and before the flag or \
                     atomic that announces it"
                }
                Missing::Acquire | Missing::AcquireOfTicket => {
                    "; they are in different blocks: the flag or atomic that announces the first was read, but no fence \
                     of the device comes between that read and the second, and a barrier is none"
                }
                Missing::Scope => {
                    "; they are in different blocks, and one is atomic within its own block only (scope cta)"
                }
            },
        })
    }
}
