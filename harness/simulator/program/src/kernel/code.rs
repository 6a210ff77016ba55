//! A kernel's code in two forms: its instructions as written, and the program that the executor runs.

use std::collections::HashSet;

use crate::cfg;
use crate::class::Class;
use crate::instruction::Program;

/// An instruction, for a model of time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    /// As written, with its modifiers: `ld.shared.f32`.
    pub opcode: String,
    /// What kind of work it is.
    pub class: Class,
    /// Its basic block: an index into [`Kernel::blocks`](super::Kernel::blocks).
    pub block: usize,
    /// Whether it may branch; `false` for calls, returns and exits.
    pub is_branch: bool,
    /// The registers that it writes; ids are unique in the kernel.
    pub destinations: Vec<u16>,
    /// The registers that it reads, its guard included.
    pub sources: Vec<u16>,
    /// Its line in the PTX.
    pub line: u32,
    /// Its line in the CUDA source; 0 if unknown.
    pub cuda_line: u32,
    /// The number of that source among [`Module`](crate::Module)'s files.
    pub cuda_file: u32,
}

impl Summary {
    /// Whether an engine beside the warp does it: the copy engine, or the tensor cores for a group of four warps.
    pub fn is_of_engine(&self) -> bool {
        ["cp.async.bulk.", "cp.reduce.async.bulk.", "wgmma.mma_async."]
            .iter()
            .any(|name| self.opcode.starts_with(name))
    }

    /// The columns of a product of four warps (`wgmma`), which has 64 rows.
    pub fn group_columns(&self) -> Option<u32> {
        group_columns(&self.opcode)
    }
}

/// The columns of a product of four warps in an opcode of PTX ("wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16") or
/// machine code ("HGMMA.64x256x16.F32.BF16"); none for other instructions.
pub fn group_columns(opcode: &str) -> Option<u32> {
    let shape = |word: &str| {
        let rest = word.strip_prefix("m64n").or_else(|| word.strip_prefix("64x"))?;
        rest.split(['k', 'x']).next()?.parse().ok()
    };
    opcode.split('.').find_map(shape)
}

/// A basic block: instructions that run one after the other.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Block {
    /// Its instructions, the branch at its end included.
    pub instructions: Vec<Summary>,
}

/// A kernel's code.
#[derive(Debug)]
pub struct Code {
    /// Its instructions as written, block by block.
    pub blocks: Vec<Block>,
    /// What the executor runs.
    pub program: Program,
    /// For each place in the program the index of its instruction in [`Code::instructions`].
    pub instruction_at: Vec<u32>,
}

impl Code {
    /// All its instructions, block by block.
    pub fn instructions(&self) -> impl Iterator<Item = &Summary> {
        self.blocks.iter().flat_map(|block| &block.instructions)
    }

    /// The instruction at a place in the program.
    pub fn instruction(&self, at: u32) -> &Summary {
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
    pub fn edges(&self) -> Vec<Vec<u32>> {
        let Program { code, blocks, .. } = &self.program;
        (0..blocks.len()).map(|block| cfg::successors(code, blocks, block)).collect()
    }

    /// The registers that some instruction reads.
    pub fn used(&self) -> HashSet<u16> {
        self.instructions().flat_map(|instruction| instruction.sources.iter().copied()).collect()
    }
}
