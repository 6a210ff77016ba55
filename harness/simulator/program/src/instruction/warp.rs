//! What lanes of a warp exchange, and what threads of a block wait for.

use crate::registers::File;

/// The four shuffles.
#[expect(missing_docs, reason = "named as PTX names the operations")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shuffle {
    Up,
    Down,
    Butterfly,
    Index,
}

/// A reduction over lanes.
#[expect(missing_docs, reason = "named as PTX names the operations")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reduction {
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
        /// The greatest, not the least.
        greatest: bool,
        /// Whether absolute values are compared (`.abs`).
        absolute: bool,
        /// `.NaN`: the result is NaN if any value is.
        nan: bool,
    },
}

/// What lanes of a warp exchange.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExchangeKind {
    /// From `a`, by `b`, within `c`; `second` takes the predicate.
    Shuffle(Shuffle),
    /// The lanes' predicates `a`, complemented or not.
    All(bool),
    /// Whether any is true.
    Any(bool),
    /// Whether all are equal.
    Uniform(bool),
    /// One bit for each lane.
    Ballot(bool),
    /// The lanes that are there.
    ActiveMask,
    /// The lowest lane; `second` is set there.
    Elect,
    /// Lanes with the same `a` of the file.
    MatchAny(File),
    /// Whether all lanes have the same `a` of the file.
    MatchAll(File),
    /// Sums and the like of the lanes' `a`.
    Reduce(Reduction),
    /// Only waits for the lanes.
    Synchronise,
}

/// An exchange's particulars; its data registers are the instruction's.
#[derive(Debug, Clone, Copy)]
pub struct Exchange {
    /// What is exchanged.
    pub kind: ExchangeKind,
    /// Register with the mask of lanes that take part; without it, the active lanes.
    pub members: Option<u16>,
    /// A second destination, a predicate.
    pub second: Option<u16>,
}

/// What a barrier computes from the threads' predicates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BarrierResult {
    /// Nothing.
    None,
    /// Whether all are true.
    And,
    /// Whether any is true.
    Or,
    /// How many are true.
    Count,
}

/// A barrier's particulars: number and threads are in registers `a` and `b`.
#[derive(Debug, Clone, Copy)]
pub struct Barrier {
    /// What it computes.
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
