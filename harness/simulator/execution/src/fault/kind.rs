//! Kinds of faults and hazards.

use std::fmt;
use std::time::Duration;

use super::access::{InvalidAccess, Overrun, Uninitialised};
use super::call::{Assertion, InvalidFree, StackOverflow};
use super::early::EarlyRead;
use super::race::Race;
use program::{Proxied, Unfinished};

/// What went wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FaultKind {
    /// An invalid memory access.
    InvalidAccess(InvalidAccess),
    /// A texture or surface object that does not exist, or is of another kind than the instruction reads.
    Object(String),
    /// An access outside a surface.
    Surface(String),
    /// A `trap` instruction, as from `__trap()`.
    Trap,
    /// A failed `assert`.
    Assertion(Assertion),
    /// A call that does not fit on the stack of its thread.
    StackOverflow(StackOverflow),
    /// A call of a function without a body, or through a pointer to no function.
    MissingFunction(String),
    /// An invalid `free`.
    Free(InvalidFree),
    /// No block finished within this time.
    BlockTimeout(Duration),
    /// Blocks finished, but not all of them within this time.
    LaunchTimeout(Duration),
    /// Threads wait at a barrier that can never complete.
    Deadlock(String),
    /// A block may exit before another block of its cluster accesses its shared memory.
    EarlyExit(String),
    /// An asynchronous copy uses what a thread has written, without a fence between the two proxies.
    MissingProxyFence(Proxied, String),
    /// A write to shared memory that a `wgmma` under way reads.
    Overwritten(String),
    /// Shared memory that a bulk copy uses for which nobody has waited.
    Unwaited(Unwaited, String),
    /// Bytes of a bulk copy that come to an `mbarrier` after the phase in which the copy began.
    Unannounced(String),
    /// An arrival at an `mbarrier` that nobody has initialised yet, or bytes of a copy that come there.
    TooEarly,
    /// A register of a `wgmma` that is used while the product is under way, or was not fenced before it.
    Unfinished(Unfinished),
    /// Warps of a block that ask by `setmaxnreg` for more registers than it has: the last of them waits for ever.
    Registers {
        /// Those of all its threads.
        asked: u32,
        /// Those with which it begins, at most.
        has: u32,
    },
    /// A thread that arrives at the barrier of its cluster twice, or waits there without having arrived.
    Cluster(String),
    /// Threads spin without progress, and nothing can change what they wait for.
    InfiniteLoop(String),
    /// All resident blocks wait for blocks that cannot start.
    GridDeadlock(String),
    /// Lanes spin on what lanes of their own warp do after the loop, and those wait to reconverge with them: only before
    /// compute capability 7.0.
    WarpDeadlock(String),
    /// Only some lanes of a warp reached an instruction that needs all of them.
    PartialWarp(String),
    /// Two accesses to the same bytes that nothing orders.
    Race(Box<Race>),
    /// A read of uninitialised memory.
    Uninitialised(Uninitialised),
    /// A read of a register that no instruction has written, on whatever way the thread came there.
    UndefinedRegister,
    /// An index outside its array in shared memory.
    Overrun(Overrun),
    /// A barrier that only some lanes of a warp, or only some warps, reached.
    DivergentBarrier(String),
    /// A shuffle, vote or the like with a wrong mask or source lane.
    InvalidLanes(String),
    /// Threads of one block that wait at different barriers.
    MixedBarrier(String),
    /// What a thread stores is read by the host, which has not waited for it.
    EarlyRead(Box<EarlyRead>),
}

/// What becomes of shared memory while a bulk copy is under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unwaited {
    /// It is read, and the copy brings it.
    Read,
    /// It is written, and the copy reads it.
    Overwritten,
    /// Its block ends, and the copy brings it.
    Ended,
    /// Its block ends, and the copy reads it.
    Sent,
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            FaultKind::InvalidAccess(access) => write!(f, "{access}"),
            FaultKind::Object(text) => write!(f, "invalid texture or surface object: {text}"),
            FaultKind::Surface(text) => write!(f, "outside a surface: {text}"),
            FaultKind::Trap => write!(f, "the kernel executed `trap`"),
            FaultKind::Assertion(it) => write!(f, "assertion `{}` failed", it.expression),
            FaultKind::StackOverflow(overflow) => write!(f, "{overflow}"),
            FaultKind::MissingFunction(text) => write!(f, "call of {text}"),
            FaultKind::Free(free) => write!(f, "{free}"),
            FaultKind::BlockTimeout(limit) => {
                write!(f, "timeout: no block finished within {} s", limit.as_secs_f64())
            }
            FaultKind::LaunchTimeout(limit) => {
                write!(f, "timeout: the launch did not finish within {} s", limit.as_secs_f64())
            }
            FaultKind::Deadlock(text) => write!(f, "deadlock: {text}"),
            FaultKind::EarlyExit(text) => write!(f, "early exit: {text}"),
            FaultKind::MissingProxyFence(_, text) => write!(f, "missing proxy fence: {text}"),
            FaultKind::Overwritten(text) => write!(f, "operand overwritten: {text}"),
            FaultKind::Unwaited(_, text) => write!(f, "copy under way: {text}"),
            FaultKind::Unannounced(text) => write!(f, "unannounced bytes: {text}"),
            FaultKind::TooEarly => write!(
                f,
                "mbarrier used too early: an arrival or bytes of a copy come to it before it is initialised"
            ),
            FaultKind::Unfinished(Unfinished::Used) => {
                write!(
                    f,
                    "product under way: a register of a wgmma is used, and no wgmma.wait_group has waited for it"
                )
            }
            FaultKind::Unfinished(Unfinished::Unfenced) => {
                write!(
                    f,
                    "missing wgmma.fence: it is the first wgmma, or threads have written registers of it, and no fence comes between"
                )
            }
            FaultKind::Registers { asked, has } => write!(
                f,
                "too many registers: by setmaxnreg the warps of the block ask for {asked}, and it begins with {has} at most"
            ),
            FaultKind::Cluster(text) => write!(f, "cluster: {text}"),
            FaultKind::InfiniteLoop(text) => write!(f, "infinite loop: {text}"),
            FaultKind::GridDeadlock(text) => write!(f, "grid deadlock: {text}"),
            FaultKind::WarpDeadlock(text) => write!(f, "warp deadlock: {text}"),
            FaultKind::PartialWarp(text) => write!(f, "partial warp: {text}"),
            FaultKind::Race(race) => write!(f, "{race}"),
            FaultKind::Uninitialised(read) => write!(f, "{read}"),
            FaultKind::UndefinedRegister => {
                write!(f, "uninitialised: read of a register that nothing has written")
            }
            FaultKind::Overrun(overrun) => write!(f, "{overrun}"),
            FaultKind::DivergentBarrier(text) => write!(f, "barrier in divergent code: {text}"),
            FaultKind::InvalidLanes(text) => write!(f, "invalid lanes: {text}"),
            FaultKind::MixedBarrier(text) => write!(f, "different barriers: {text}"),
            FaultKind::EarlyRead(read) => write!(f, "{read}"),
        }
    }
}
