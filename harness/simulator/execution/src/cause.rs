//! Why a thread cannot go on.

pub use crate::fault::StackOverflow;
use crate::fault::{AccessError, Assertion, InvalidFree};
use ptx::Space;

/// Why a thread cannot go on.
#[derive(Debug)]
pub enum Cause {
    Access {
        problem: AccessError,
        write: bool,
        space: Space,
        bytes: u32,
        address: u64,
    },
    Trap,
    /// A call for which the thread's stack has no room.
    StackOverflow(StackOverflow),
    /// A call of what cannot be executed: of what, and why.
    Missing(String),
    /// `__assertfail`
    Assertion(Assertion),
    /// `free` of what `malloc` did not give, or not any more.
    Free(InvalidFree),
    /// A texture or surface object that cannot be used so.
    Object(String),
    /// A surface access outside of its surface.
    Outside(String),
    /// The launch is past its deadline.
    Overdue,
    /// Only some lanes of a warp came to an instruction that all must execute together.
    PartialWarp {
        came: u32,
        elsewhere: u32,
        ended: u32,
    },
    /// Bytes that come to an `mbarrier` after the phase in which their copy began.
    Unannounced(String),
    /// An arrival, or bytes, at an `mbarrier` that nobody has initialised.
    TooEarly,
    /// A thread that does not take part in its cluster as it must.
    Cluster(String),
    Deadlock(String),
    Livelock(String),
    /// All blocks that have begun wait, and others have no room.
    Residency {
        begun: u64,
        to_come: u64,
    },
    /// Lanes of a warp that spin without progress, and for each group of lanes that waits for them the place where it will
    /// go on.
    WarpDeadlock {
        spinning: u32,
        waiting: Vec<(u32, u32)>,
    },
}

/// A thread that cannot go on: its lane and warp, and its instruction.
#[derive(Debug)]
pub struct Failure {
    pub cause: Cause,
    pub lane: usize,
    pub warp: u32,
    /// Index of the instruction in `Program::code`.
    pub at: u32,
}
