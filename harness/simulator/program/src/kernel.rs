//! A kernel as data: its instructions as a model of time sees them, and the program that the executor runs.

mod code;
mod counting;
mod in_flight;
mod unwritten;

use std::collections::{BTreeMap, HashSet};
use std::sync::{Arc, OnceLock};

use crate::cfg::{self, Loop};
use crate::communication::Communication;
use crate::instruction::{Constant, Instruction, Program, Special};
use crate::registers::Register;
pub use code::Code;
pub use code::{Block, Summary, group_columns};
pub use in_flight::Unfinished;
use ptx::{Line, Origin};

/// A kernel's parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// Its name in the PTX.
    pub name: String,
    /// Size in bytes.
    pub bytes: u32,
    /// Alignment in bytes.
    pub align: u32,
}

/// A kernel, ready to run.
#[derive(Debug)]
pub struct Kernel {
    pub(crate) name: String,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) shared_bytes: u32,
    /// Most threads of a block (`.maxntid`).
    pub(crate) most_threads: Option<u64>,
    /// The required block shape (`.reqntid`).
    pub(crate) required_block: Option<[u32; 3]>,
    /// The blocks of a cluster (`.reqnctapercluster`).
    pub(crate) required_cluster: Option<[u32; 3]>,
    /// It runs in clusters only (`.explicitcluster`).
    pub(crate) needs_cluster: bool,
    pub(crate) code: Code,
    /// The name under which the PTX was parsed.
    pub(crate) file: String,
    /// Names of the CUDA sources by their numbers.
    pub(crate) source_files: Arc<BTreeMap<u32, String>>,
    /// Computed on first use, as are those below.
    pub(crate) loops: OnceLock<Vec<Loop>>,
    pub(crate) communication: OnceLock<Communication>,
    pub(crate) counting: OnceLock<Option<Vec<Instruction>>>,
    pub(crate) unwritten: OnceLock<Option<Vec<Register>>>,
    pub(crate) undefined_reads: OnceLock<Vec<Option<u32>>>,
    pub(crate) unfinished: OnceLock<Vec<Option<(u32, Unfinished)>>>,
}

impl Kernel {
    /// Its name in the PTX.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Names of the CUDA sources by their numbers, as [`Summary::cuda_file`] has them.
    pub fn source_files(&self) -> &BTreeMap<u32, String> {
        &self.source_files
    }

    /// Its parameters, in order.
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// Bytes of shared memory that it declares. A launch may add dynamic shared memory.
    pub fn shared_bytes(&self) -> u32 {
        self.shared_bytes
    }

    /// Most threads of a block, if it was compiled for a limit (`__launch_bounds__`).
    pub fn most_threads(&self) -> Option<u64> {
        self.most_threads
    }

    /// The only block shape that it can be launched with, in x, y, z, if it was compiled for one.
    pub fn required_block(&self) -> Option<[u32; 3]> {
        self.required_block
    }

    /// The blocks of a cluster in x, y, z, if it was compiled for a shape (`__cluster_dims__`).
    pub fn required_cluster(&self) -> Option<[u32; 3]> {
        self.required_cluster
    }

    /// Whether it must be launched in clusters (`.explicitcluster`).
    pub fn needs_cluster(&self) -> bool {
        self.needs_cluster
    }

    /// Its basic blocks. Device functions that it calls are part of them, once for each call.
    pub fn blocks(&self) -> &[Block] {
        &self.code.blocks
    }

    /// All its instructions, block by block.
    pub fn instructions(&self) -> impl Iterator<Item = &Summary> {
        self.code.instructions()
    }

    /// Its code in both forms.
    pub fn code(&self) -> &Code {
        &self.code
    }

    /// The program that the executor runs.
    pub fn program(&self) -> &Program {
        &self.code.program
    }

    /// The instruction at a place in the program.
    pub fn instruction(&self, at: u32) -> &Summary {
        self.code.instruction(at)
    }

    /// For each place in the program the index of its instruction in [`Kernel::instructions`].
    pub fn instruction_at(&self) -> &[u32] {
        &self.code.instruction_at
    }

    /// The blocks that may follow each block.
    pub fn edges(&self) -> Vec<Vec<u32>> {
        self.code.edges()
    }

    /// Its natural loops.
    pub fn loops(&self) -> &[Loop] {
        self.loops.get_or_init(|| {
            let edges = self.edges();
            cfg::loops(&edges, &cfg::dominators(&edges))
        })
    }

    /// Whether it has barriers of the whole grid, as `cooperative_groups::this_grid().sync()` is compiled: they need a
    /// cooperative launch.
    pub fn synchronises_grid(&self) -> bool {
        let is_workspace =
            |constant: &Constant| matches!(constant, Constant::Special(Special::GridWorkspace(_)));
        self.code.program.constants.iter().any(|(_, constant)| is_workspace(constant))
    }

    /// Its code for launches of which only the counts matter; `None` if what threads store may decide what is counted.
    pub fn counting(&self) -> Option<&[Instruction]> {
        self.counting.get_or_init(|| counting::code(&self.code)).as_deref()
    }

    /// The registers that may be read before they are written, constants left out; `None` if that is unknown.
    pub fn unwritten(&self) -> Option<&[Register]> {
        self.unwritten.get_or_init(|| unwritten::registers(&self.code)).as_deref()
    }

    /// For each basic block the place in the program of its first instruction that reads a register which nothing has
    /// written, on whatever way one comes there.
    pub fn undefined_reads(&self) -> &[Option<u32>] {
        self.undefined_reads.get_or_init(|| unwritten::undefined_reads(&self.code))
    }

    /// For each basic block the place in the program of its first instruction that uses a register of a `wgmma` wrongly, on
    /// some way there.
    pub fn unfinished(&self) -> &[Option<(u32, Unfinished)>] {
        self.unfinished.get_or_init(|| in_flight::unfinished(&self.code))
    }

    /// Whether its blocks may see what others of the same launch do, whatever its arguments are: through atomics whose
    /// results it uses, or fences.
    pub fn communicates(&self) -> bool {
        self.communication().is_certain()
    }

    /// How its blocks may communicate.
    pub fn communication(&self) -> &Communication {
        self.communication.get_or_init(|| Communication::new(&self.code))
    }

    /// The registers that some instruction reads.
    pub fn used(&self) -> HashSet<u16> {
        self.code.used()
    }

    /// The last instruction of a block.
    pub fn last_of(&self, block: usize) -> &Summary {
        self.code.instruction(self.code.program.blocks[block].end - 1)
    }

    /// Where the CUDA source has the instruction at a place in the program, if that is known.
    pub fn origin(&self, at: u32) -> Option<Origin> {
        let (_, location) = self.code.program.lines[at as usize];
        let line = |(file, line): (u32, u32)| {
            let file = self.source_files.get(&file).filter(|_| line > 0)?.clone();
            Some(Line { file, line })
        };
        let own = line((location.file, location.line))?;
        Some(match line(location.caller) {
            Some(at) => Origin { at, inlined: Some(own) },
            None => Origin { at: own, inlined: None },
        })
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
