//! Records coverage: guards that passed, and loops that ran more than one iteration. Executions of basic blocks are
//! counted elsewhere.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::BlockCount;
use crate::ExecutedLines;
use execution::context::Context;
use program::Kernel;
use program::cfg::Loop;
use program::{Guard, Instruction, Operation};
/// Coverage of a launch, shared by all CPU threads.
pub struct LaunchCoverage {
    /// For each basic block the loops of which it ends an iteration, and those that a thread has left when it gets
    /// there.
    marks: Vec<Marks>,
    /// For each instruction, whether its guard was true for some lane.
    passed: Vec<AtomicBool>,
    /// For each loop, whether some thread finished a second iteration.
    repeated: Vec<AtomicBool>,
}

#[derive(Clone, Default)]
struct Marks {
    ends_round_of: Vec<usize>,
    is_after: Vec<usize>,
}

/// For each warp of a block and each loop, the lanes that have finished an iteration since they entered the loop.
pub struct BlockCoverage {
    in_loop: Vec<u32>,
}

fn flags(count: usize) -> Vec<AtomicBool> {
    (0..count).map(|_| AtomicBool::new(false)).collect()
}

/// Sets a flag that many threads set. It reads first, to write only once.
fn set(flag: &AtomicBool) {
    if !flag.load(Ordering::Relaxed) {
        flag.store(true, Ordering::Relaxed);
    }
}

impl LaunchCoverage {
    /// Of a launch in which nothing ran yet.
    pub fn new(kernel: &Kernel) -> LaunchCoverage {
        let (loops, edges) = (kernel.loops(), kernel.edges());
        let mut marks = vec![Marks::default(); edges.len()];
        for (index, Loop { latches, inside, .. }) in loops.iter().enumerate() {
            for &latch in latches {
                marks[latch].ends_round_of.push(index);
            }
            for (to, _) in edges.iter().zip(inside).filter(|(_, inside)| **inside) {
                for &to in to.iter().filter(|&&to| !inside[to as usize]) {
                    marks[to as usize].is_after.push(index);
                }
            }
        }
        LaunchCoverage {
            marks,
            passed: flags(kernel.program().code.len()),
            repeated: flags(loops.len()),
        }
    }

    /// A block begins.
    pub fn begin(&self, cx: &Context) -> BlockCoverage {
        let warps = cx.threads.iter().product::<u32>().div_ceil(32) as usize;
        BlockCoverage { in_loop: vec![0; warps * self.repeated.len()] }
    }

    /// Lanes of a warp begin a basic block.
    pub fn enters(&self, own: &mut BlockCoverage, block: u32, warp: u32, mask: u32) {
        let Marks { ends_round_of, is_after } = &self.marks[block as usize];
        let at = |index: usize| warp as usize * self.repeated.len() + index;
        for &index in is_after {
            own.in_loop[at(index)] &= !mask;
        }
        for &index in ends_round_of {
            let lanes = &mut own.in_loop[at(index)];
            if *lanes & mask != 0 {
                set(&self.repeated[index]);
            }
            *lanes |= mask;
        }
    }

    /// A guard is true for some lane.
    pub fn guard_holds(&self, at: u32) {
        set(&self.passed[at as usize]);
    }

    /// The code that ran in a launch with these counts of basic blocks.
    pub fn ran(&self, kernel: &Kernel, blocks: &[BlockCount]) -> ExecutedLines {
        let is_set = |flag: &AtomicBool| flag.load(Ordering::Relaxed);
        let program = kernel.program();
        let mut ran = ExecutedLines::nothing(kernel);
        for (block, count) in program.blocks.iter().zip(blocks) {
            for place in (block.first..block.end).filter(|_| count.executions > 0) {
                let Instruction { operation, guard, .. } = program.code[place as usize];
                // A branch or an exit that is not taken was executed nevertheless.
                let always = matches!(
                    operation,
                    Operation::Branch(_) | Operation::Exit | Operation::Return | Operation::Call(_)
                );
                if always || guard == Guard::NONE || is_set(&self.passed[place as usize]) {
                    ran.executed(kernel.instruction_at()[place as usize]);
                }
            }
        }
        let repeated = self.repeated.iter().enumerate().filter(|(_, flag)| is_set(flag));
        repeated.for_each(|(index, _)| ran.repeated(index));
        ran
    }
}
