//! The state of calls while a kernel is lowered.

use std::collections::{HashMap, VecDeque};

use ptx::ast::Variable;

/// Sizes of results and parameters in bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Signature {
    pub results: Vec<u64>,
    pub parameters: Vec<u64>,
}

impl Signature {
    pub(super) fn new(results: &[Variable], parameters: &[Variable]) -> Signature {
        let sizes = |all: &[Variable]| all.iter().map(|variable| variable.bytes).collect();
        Signature { results: sizes(results), parameters: sizes(parameters) }
    }
}

/// The stack frame of the function being lowered, in bytes.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Frame {
    pub used: u64,
    pub most: u64,
    pub align: u64,
}

/// The state of calls while a kernel is lowered.
#[derive(Debug, Default)]
pub(super) struct Calls {
    /// Functions being inlined, and the label to which each returns.
    pub active: Vec<(usize, u32)>,
    /// The frame, if a called function is being lowered.
    pub frame: Option<Frame>,
    /// Signatures named by `.callprototype` and `.calltargets`.
    pub signatures: Vec<Signature>,
    /// Index in the program of each called function, by its index in the file.
    pub called: HashMap<usize, u32>,
    /// Called functions that are not lowered yet.
    pub waiting: VecDeque<usize>,
    /// Signatures of calls through pointers.
    pub through_pointers: Vec<Signature>,
}
