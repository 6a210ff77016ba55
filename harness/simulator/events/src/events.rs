//! What a launch did, counted: instructions by class, executions of every basic block, and, where it was watched, what
//! each instruction asked of memory.

use crate::ExecutedLines;
use crate::counts::Counts;
use crate::trace::Trace;
use execution::{BlockCount, Fault};
use program::Class;
use program::Kernel;
use ptx::Line;
/// Instructions of one class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ClassCount {
    /// Instructions issued by warps.
    pub warps: u64,
    /// The same, times the threads active in each.
    pub threads: u64,
}

/// What a launch did. Exact, and for a kernel without races the same in every run, whatever the number of CPU threads.
///
/// An instruction counts for every thread that reaches it, also where its own guard (`@%p`) then switches it off,
/// as it takes an issue slot on a GPU too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Events {
    /// Instructions issued by warps.
    pub warp_instructions: u64,
    /// The same, times the threads active in each.
    pub thread_instructions: u64,
    /// Instructions by class, in the order of [`Class::ALL`].
    pub classes: [ClassCount; Class::COUNT],
    /// Executions of each basic block, in the order of [`Kernel::blocks`].
    pub blocks: Vec<BlockCount>,
    /// What each instruction did, in the order of [`Kernel::instructions`]; empty unless traffic was watched.
    pub instructions: Vec<Counts>,
    /// Hazards, those of the first block first; empty unless they were looked for.
    pub hazards: Vec<Fault>,
    /// What the first warps did, if that was asked for.
    pub trace: Option<Trace>,
    /// Which code ran, if that was asked for.
    pub ran: Option<ExecutedLines>,
    /// Where the kernel's blocks may see what others do, if they may: they then took turns on one CPU thread, in the same
    /// order in every run.
    pub in_order: Option<Line>,
    /// Instructions of the warp that issued most; 0 unless traffic was watched.
    pub longest_warp: u64,
    /// Clocks of the slowest block for what goes between blocks through the L2 cache, had it nothing else to do; 0 unless
    /// traffic was watched.
    pub message_clocks: u64,
    /// Clocks of all blocks for what engines do beside their warps, had each of these a multiprocessor for itself; 0 unless
    /// traffic was watched.
    pub engine_clocks: u64,
    /// Blocks that ran: all of the grid's, unless only some multiprocessors were watched.
    pub blocks_run: u64,
}

impl Events {
    /// Derives the totals from the blocks' counts and their static mix of classes.
    pub fn from_blocks(kernel: &Kernel, blocks: Vec<BlockCount>) -> Events {
        let mut classes = [ClassCount::default(); Class::COUNT];
        for (block, count) in kernel.blocks().iter().zip(&blocks) {
            for instruction in &block.instructions {
                let class = &mut classes[instruction.class as usize];
                class.warps += count.executions;
                class.threads += count.lanes;
            }
        }
        Events {
            warp_instructions: classes.iter().map(|c| c.warps).sum(),
            thread_instructions: classes.iter().map(|c| c.threads).sum(),
            classes,
            blocks,
            instructions: Vec::new(),
            hazards: Vec::new(),
            trace: None,
            ran: None,
            in_order: None,
            longest_warp: 0,
            message_clocks: 0,
            engine_clocks: 0,
            blocks_run: 0,
        }
    }

    /// Adds what was watched, and what the blocks' counts say of each instruction.
    pub fn with_counts(mut self, kernel: &Kernel, mut watched: Vec<Counts>) -> Events {
        for (counts, instruction) in watched.iter_mut().zip(kernel.instructions()) {
            let block = self.blocks[instruction.block];
            counts.warps = block.executions;
            counts.threads = block.lanes;
            counts.branches = if instruction.is_branch { block.executions } else { 0 };
            counts.barriers =
                if instruction.class == Class::Barrier { block.executions } else { 0 };
        }
        self.instructions = watched;
        self
    }

    /// The count of one class.
    pub fn class(&self, class: Class) -> ClassCount {
        self.classes[class as usize]
    }

    /// All instructions' counts together; only the instructions themselves if traffic was not watched.
    pub fn total(&self) -> Counts {
        let watched: Counts = self.instructions.iter().copied().sum();
        Counts { warps: self.warp_instructions, threads: self.thread_instructions, ..watched }
    }

    /// The counts of a watched launch by source line, in the order of the lines.
    pub fn lines(&self, kernel: &Kernel) -> Vec<(Line, Counts)> {
        let mut lines = std::collections::BTreeMap::<Line, Counts>::new();
        for (instruction, counts) in kernel.instructions().zip(&self.instructions) {
            *lines.entry(kernel.line_of(instruction)).or_default() += *counts;
        }
        lines.into_iter().collect()
    }

    /// The same for `factor` times the blocks: of a launch of which only some multiprocessors were watched.
    pub fn scaled(&self, factor: f64) -> Events {
        let scale = |count: u64| (count as f64 * factor).round() as u64;
        let mut scaled = self.clone();
        scaled.warp_instructions = scale(self.warp_instructions);
        scaled.thread_instructions = scale(self.thread_instructions);
        for class in &mut scaled.classes {
            *class = ClassCount { warps: scale(class.warps), threads: scale(class.threads) };
        }
        for block in &mut scaled.blocks {
            *block = BlockCount { executions: scale(block.executions), lanes: scale(block.lanes) };
        }
        for counts in &mut scaled.instructions {
            *counts = counts.scaled(factor);
        }
        scaled.engine_clocks = scale(self.engine_clocks);
        scaled.blocks_run = scale(self.blocks_run);
        scaled
    }
}
