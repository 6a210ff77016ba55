//! The calls that a kernel makes, as far as it is lowered.

use std::collections::{HashMap, VecDeque};

use crate::ptx::ast::Variable;

/// Sizes of results and parameters.
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

/// The frame of a function that is being lowered.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Frame {
    pub used: u64,
    pub most: u64,
    pub align: u64,
}

/// What is known of calls while a kernel is lowered.
#[derive(Debug, Default)]
pub(super) struct Calls {
    /// Functions whose bodies are being inlined, and where each returns to.
    pub active: Vec<(usize, u32)>,
    /// The frame, if a function is lowered and not the kernel.
    pub frame: Option<Frame>,
    /// What `.callprototype` and `.calltargets` name.
    pub signatures: Vec<Signature>,
    /// The functions that are called, by their indices in the file: their indices in the program.
    pub called: HashMap<usize, u32>,
    /// Those that are not lowered yet.
    pub waiting: VecDeque<usize>,
    /// What pointers are called for.
    pub through_pointers: Vec<Signature>,
}
