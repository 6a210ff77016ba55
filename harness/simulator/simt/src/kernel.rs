//! A kernel as data: its instructions as a model of time sees them, and the program that the executor runs.

use std::collections::{BTreeMap, HashSet};
use std::sync::{Arc, OnceLock};

use crate::cfg::{self, Loop};
use crate::class::Class;
use crate::communication::Communication;
use crate::program::{Constant, Instruction, Program, Special, counting, unwritten};
use crate::registers::Register;

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

/// Where in a source an instruction comes from.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Line {
    /// The CUDA file, as the compiler was told its name; the PTX file where there is no line information.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
}

/// A kernel, ready to run.
#[derive(Debug)]
pub struct Kernel {
    pub(crate) name: String,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) shared_bytes: u32,
    /// Threads of a block at most.
    pub(crate) most_threads: Option<u64>,
    /// The block that it must have.
    pub(crate) required_block: Option<[u32; 3]>,
    pub(crate) blocks: Vec<Block>,
    pub(crate) program: Program,
    /// For each place in the program the index of its instruction in [`Kernel::instructions`].
    pub(crate) instruction_at: Vec<u32>,
    /// The name under which the PTX was parsed.
    pub(crate) file: String,
    /// Names of the CUDA sources by their numbers.
    pub(crate) source_files: Arc<BTreeMap<u32, String>>,
    /// Found when somebody asks for them.
    pub(crate) loops: OnceLock<Vec<Loop>>,
    /// As well.
    pub(crate) communication: OnceLock<Communication>,
    /// As well.
    pub(crate) counting: OnceLock<Option<Vec<Instruction>>>,
    /// As well.
    pub(crate) unwritten: OnceLock<Option<Vec<Register>>>,
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

    /// The instruction at a place in the program.
    pub(crate) fn instruction(&self, at: u32) -> &Summary {
        let mut index = self.instruction_at[at as usize] as usize;
        for block in &self.blocks {
            match block.instructions.get(index) {
                Some(found) => return found,
                None => index -= block.instructions.len(),
            }
        }
        unreachable!("each place is an instruction's")
    }

    /// The blocks that may follow each block.
    pub(crate) fn edges(&self) -> Vec<Vec<u32>> {
        let Program { code, blocks, .. } = &self.program;
        (0..blocks.len()).map(|block| cfg::successors(code, blocks, block)).collect()
    }

    /// Its loops.
    pub(crate) fn loops(&self) -> &[Loop] {
        self.loops.get_or_init(|| {
            let edges = self.edges();
            cfg::loops(&edges, &cfg::dominators(&edges))
        })
    }

    /// Whether it has barriers of the whole grid, as `cooperative_groups::this_grid().sync()` is compiled: they need a
    /// cooperative launch ([`crate::Watch::together`]).
    pub fn synchronises_grid(&self) -> bool {
        let is_workspace =
            |constant: &Constant| matches!(constant, Constant::Special(Special::GridWorkspace(_)));
        self.program.constants.iter().any(|(_, constant)| is_workspace(constant))
    }

    /// Its code for launches of which only the counts matter; `None` if what threads store may decide what is counted.
    pub(crate) fn counting(&self) -> Option<&[Instruction]> {
        self.counting.get_or_init(|| counting::code(self)).as_deref()
    }

    /// The registers that need a value when a block begins, beyond constants; `None` if all do.
    pub(crate) fn unwritten(&self) -> Option<&[Register]> {
        self.unwritten.get_or_init(|| unwritten::registers(self)).as_deref()
    }

    /// Whether its blocks may see what others of the same launch do, whatever its arguments are: through atomics whose
    /// results it uses, or fences.
    pub fn communicates(&self) -> bool {
        self.communication().is_certain()
    }

    /// What its blocks may communicate by.
    pub(crate) fn communication(&self) -> &Communication {
        self.communication.get_or_init(|| Communication::new(self))
    }

    /// The registers that some instruction reads.
    pub(crate) fn used(&self) -> HashSet<u16> {
        self.instructions().flat_map(|instruction| instruction.sources.iter().copied()).collect()
    }

    /// The last instruction of a block.
    pub(crate) fn last_of(&self, block: usize) -> &Summary {
        self.instruction(self.program.blocks[block].end - 1)
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
