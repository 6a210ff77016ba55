//! What lanes of a warp exchange, and what threads of a block wait for.

use crate::registers::File;

/// The four shuffles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shuffle {
    Up,
    Down,
    Butterfly,
    Index,
}

/// A reduction over lanes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reduction {
    Add,
    And,
    Or,
    Xor,
    MinUnsigned,
    MaxUnsigned,
    MinSigned,
    MaxSigned,
    /// The least or greatest `f32`, of absolute values, NaN if any is one.
    Single {
        greatest: bool,
        absolute: bool,
        nan: bool,
    },
}

/// What lanes of a warp exchange.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ExchangeKind {
    /// From `a`, by `b`, within `c`; `second` takes the predicate.
    Shuffle(Shuffle),
    /// The lanes' predicates `a`, complemented or not.
    All(bool),
    Any(bool),
    Uniform(bool),
    Ballot(bool),
    ActiveMask,
    /// The lowest lane; `second` is set there.
    Elect,
    /// Lanes with the same `a` of the file.
    MatchAny(File),
    MatchAll(File),
    Reduce(Reduction),
    /// Only waits for the lanes.
    Synchronise,
}

/// An exchange's particulars; its data registers are the instruction's.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Exchange {
    pub kind: ExchangeKind,
    /// The lanes that take part; without it, those that are there.
    pub members: Option<u16>,
    /// A second destination, a predicate.
    pub second: Option<u16>,
}

/// What a barrier computes from the threads' predicates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BarrierResult {
    None,
    And,
    Or,
    Count,
}

/// A barrier's particulars: number and threads are in registers `a` and `b`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Barrier {
    pub result: BarrierResult,
    /// Complements the predicate (in `c`).
    pub negated: bool,
    /// Whether the number of threads is given.
    pub counted: bool,
    /// `bar.arrive`: goes on without waiting.
    pub arrive: bool,
    /// All threads of a warp must execute it together: `bar`, and `barrier` with `.aligned`.
    pub aligned: bool,
}
