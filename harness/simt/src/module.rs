//! PTX that was parsed, checked and lowered: what a simulator runs.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::events::{Class, Line};
use crate::lower::lower;
use crate::lower::program::Program;
use crate::ptx::ast::Variable;
use crate::ptx::{Error, parser};

/// A text that is no PTX, or uses what the simulator does not support.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}: {message}")]
pub struct PtxError {
    /// The name that the text was parsed under.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// What is wrong.
    pub message: String,
}

/// One PTX file, immutable. Several launches may share it.
#[derive(Debug)]
pub struct Module {
    pub(crate) file: String,
    pub(crate) source_files: Arc<BTreeMap<u32, String>>,
    pub(crate) variables: Vec<Variable>,
    pub(crate) kernels: Vec<Kernel>,
}

impl Module {
    /// Parses, checks and lowers a text; `file` names it in messages.
    ///
    /// # Errors
    /// Syntax errors, undeclared names, and instructions that the simulator does not support.
    pub fn parse(file: &str, text: &str) -> Result<Module, PtxError> {
        let name = file;
        let place =
            |e: Error| PtxError { file: name.to_string(), line: e.line, message: e.message };
        let file = parser::parse(text).map_err(place)?;
        let mut kernels = lower(&file).map_err(place)?;
        let source_files = Arc::new(file.files);
        for kernel in &mut kernels {
            kernel.file = name.to_string();
            kernel.source_files = source_files.clone();
        }
        Ok(Module { file: name.to_string(), source_files, variables: file.variables, kernels })
    }

    /// A kernel by its name.
    pub fn kernel(&self, name: &str) -> Option<&Kernel> {
        self.kernels.iter().find(|k| k.name == name)
    }

    /// All kernels, in the order of the text.
    pub fn kernels(&self) -> impl Iterator<Item = &Kernel> {
        self.kernels.iter()
    }
}

/// A kernel's parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// Its name in the PTX.
    pub name: String,
    /// Its size.
    pub bytes: u32,
    /// Its alignment.
    pub align: u32,
}

/// An instruction, for a model of time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    /// As written, with its modifiers: `ld.shared.f32`.
    pub opcode: String,
    /// What kind of work it is.
    pub class: Class,
    /// Its basic block: an index into [`Kernel::blocks`].
    pub block: usize,
    /// Whether it may go on elsewhere (and is no call, return or exit).
    pub is_branch: bool,
    /// The registers that it writes; ids are unique in the kernel.
    pub destinations: Vec<u16>,
    /// The registers that it reads, its guard included.
    pub sources: Vec<u16>,
    /// Its line in the PTX.
    pub line: u32,
    /// Its line in the CUDA source; 0 if unknown.
    pub cuda_line: u32,
    /// The number of that source among [`Module`]'s files.
    pub(crate) cuda_file: u32,
}

/// A basic block: instructions that run one after the other.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Block {
    /// Its instructions, the branch at its end included.
    pub instructions: Vec<Summary>,
}

/// A kernel, ready to run.
#[derive(Debug)]
pub struct Kernel {
    pub(crate) name: String,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) shared_bytes: u32,
    pub(crate) blocks: Vec<Block>,
    pub(crate) program: Program,
    /// For each place in the program the index of its instruction in [`Kernel::instructions`].
    pub(crate) instruction_at: Vec<u32>,
    /// The name under which the PTX was parsed.
    pub(crate) file: String,
    /// Names of the CUDA sources by their numbers.
    pub(crate) source_files: Arc<BTreeMap<u32, String>>,
}

impl Kernel {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its parameters, in order.
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// Shared memory that it declares; a launch may add to it.
    pub fn shared_bytes(&self) -> u32 {
        self.shared_bytes
    }

    /// Its basic blocks. Device functions that it calls are part of them, once for each call.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// All its instructions, block by block.
    pub fn instructions(&self) -> impl Iterator<Item = &Summary> {
        self.blocks.iter().flat_map(|block| &block.instructions)
    }

    /// Where one of its instructions comes from: the CUDA line, or the PTX line where none is known.
    pub fn line_of(&self, instruction: &Summary) -> Line {
        match self.source_files.get(&instruction.cuda_file) {
            Some(file) if instruction.cuda_line > 0 => {
                Line { file: file.clone(), line: instruction.cuda_line }
            }
            _ => Line { file: self.file.clone(), line: instruction.line },
        }
    }
}
