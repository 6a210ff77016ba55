//! What can go wrong.

use std::fmt;
use std::time::Duration;

use super::access::{Access, Overrun, Uninitialised};
use super::call::{Assertion, BadFree, Overflow};
use super::race::Race;

/// What went wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FaultKind {
    /// A memory access that is not allowed.
    Access(Access),
    /// A texture or surface object that is none, or not of the kind that the instruction reads.
    Object(String),
    /// An access outside of its surface.
    Surface(String),
    /// A `trap` instruction, as `__trap()` does.
    Trap,
    /// An assertion failed.
    Assertion(Assertion),
    /// A thread's stack has no room for another call.
    StackOverflow(Overflow),
    /// A call of what cannot be executed: a function without a body, or a pointer that leads nowhere.
    MissingFunction(String),
    /// `free` of what is no block of the heap.
    Free(BadFree),
    /// No block of the launch ended for so long.
    Overdue(Duration),
    /// Blocks ended, but the whole launch took so long.
    TooLong(Duration),
    /// Threads wait at a barrier that can never complete.
    Deadlock(String),
    /// Threads go round in circles and nothing changes any more.
    Livelock(String),
    /// All blocks for which there is room wait, and the others of the grid cannot begin.
    Residency(String),
    /// Lanes go round in circles for what lanes of their own warp do after the loop, and those wait for them: before
    /// compute capability 7.0.
    WarpDeadlock(String),
    /// Only some lanes of a warp came to an instruction that all must execute together.
    PartialWarp(String),
    /// Two accesses that nothing orders.
    Race(Box<Race>),
    /// A read of what nothing has written.
    Uninitialised(Uninitialised),
    /// An access by way of one array in shared memory that hits another.
    Overrun(Overrun),
    /// A barrier that only a part of a warp came to, or only some warps.
    DivergentBarrier(String),
    /// A shuffle, vote or the like with lanes that are not there.
    Exchange(String),
    /// Threads of one block that came to different barriers at once.
    MixedBarrier(String),
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            FaultKind::Access(access) => write!(f, "{access}"),
            FaultKind::Object(text) => write!(f, "texture or surface object: {text}"),
            FaultKind::Surface(text) => write!(f, "outside of a surface: {text}"),
            FaultKind::Trap => write!(f, "the kernel executed `trap`"),
            FaultKind::Assertion(it) => write!(f, "assertion `{}` failed", it.expression),
            FaultKind::StackOverflow(overflow) => write!(f, "{overflow}"),
            FaultKind::MissingFunction(text) => write!(f, "call of {text}"),
            FaultKind::Free(free) => write!(f, "{free}"),
            FaultKind::Overdue(limit) => {
                write!(
                    f,
                    "the launch was stopped after {} s in which no block of it ended",
                    limit.as_secs_f64()
                )
            }
            FaultKind::TooLong(limit) => {
                write!(f, "the launch was stopped after {} s", limit.as_secs_f64())
            }
            FaultKind::Deadlock(text) => write!(f, "deadlock: {text}"),
            FaultKind::Livelock(text) => write!(f, "livelock: {text}"),
            FaultKind::Residency(text) => write!(f, "deadlock of the grid: {text}"),
            FaultKind::WarpDeadlock(text) => write!(f, "deadlock of a warp: {text}"),
            FaultKind::PartialWarp(text) => write!(f, "a part of a warp: {text}"),
            FaultKind::Race(race) => write!(f, "{race}"),
            FaultKind::Uninitialised(read) => write!(f, "{read}"),
            FaultKind::Overrun(overrun) => write!(f, "{overrun}"),
            FaultKind::DivergentBarrier(text) => write!(f, "barrier in divergent code: {text}"),
            FaultKind::Exchange(text) => write!(f, "lanes that are not there: {text}"),
            FaultKind::MixedBarrier(text) => write!(f, "different barriers: {text}"),
        }
    }
}
