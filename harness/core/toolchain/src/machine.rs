//! The machine code that stands for a source on the modelled GPU: committed with it, or made here.

use simt::machine::MachineCode;

use crate::sass::{self, Committed};
use crate::source::Source;

/// Machine code of a source's kernels.
#[derive(Clone)]
pub enum Machine {
    /// As committed, for many architectures; boxed, since it is large.
    Committed(Box<Committed>),
    /// As the compiler and the disassembler on this machine make it for one architecture; by kernel.
    MadeHere(Vec<(String, MachineCode)>),
}

impl Machine {
    /// What is committed with a source, if it was made from it as it is now; else what can be made here for `arch`; else
    /// nothing: few have the programs. PTX without a `.cu` has what is committed, or nothing.
    pub fn of(source: &Source, arch: &str) -> Option<Machine> {
        let committed = source.machine.as_deref().and_then(|text| Committed::parse(text).ok());
        match committed.filter(|it| it.is_of(source)) {
            Some(committed) => Some(Machine::Committed(Box::new(committed))),
            None if source.cuda.is_none() => None,
            None => sass::disassemble(source, arch).ok().map(Machine::MadeHere),
        }
    }

    /// The code of a kernel for an architecture, e.g. "sm_90".
    pub fn code(&self, kernel: &str, arch: &str) -> Option<MachineCode> {
        match self {
            Machine::Committed(committed) => committed.machine_code(kernel, arch),
            Machine::MadeHere(kernels) => kernels
                .iter()
                .find(|(name, code)| name == kernel && code.arch == arch)
                .map(|(_, code)| code.clone()),
        }
    }
}
