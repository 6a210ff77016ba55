//! Notes which code runs: blocks that executed are counted anyway, and here are guards and rounds of loops.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::cfg::Loop;
use crate::coverage::Ran;
use crate::events::BlockCount;
use crate::exec::context::Context;
use crate::kernel::Kernel;
use crate::program::{Guard, Instruction, Operation};

/// What all CPU threads that run a launch share.
pub(crate) struct LaunchCoverage {
    /// For each block the loops of which it ends a round, and those that have been left where it runs.
    marks: Vec<Marks>,
    /// For each place in the program: its guard let a lane through.
    passed: Vec<AtomicBool>,
    /// For each loop: a thread ended a second round.
    repeated: Vec<AtomicBool>,
}

#[derive(Clone, Default)]
struct Marks {
    ends_round_of: Vec<usize>,
    is_after: Vec<usize>,
}

/// What is known of one block of the grid: for each warp and loop the lanes that have ended a round since they came to
/// the loop.
pub(super) struct BlockCoverage {
    in_loop: Vec<u32>,
}

fn flags(count: usize) -> Vec<AtomicBool> {
    (0..count).map(|_| AtomicBool::new(false)).collect()
}

/// Sets a flag that many threads set: only the first time does it have to be written.
fn set(flag: &AtomicBool) {
    if !flag.load(Ordering::Relaxed) {
        flag.store(true, Ordering::Relaxed);
    }
}

impl LaunchCoverage {
    pub(crate) fn new(kernel: &Kernel) -> LaunchCoverage {
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

    pub(super) fn begin(&self, cx: &Context) -> BlockCoverage {
        let warps = cx.threads.iter().product::<u32>().div_ceil(32) as usize;
        BlockCoverage { in_loop: vec![0; warps * self.repeated.len()] }
    }

    pub(super) fn enters(&self, own: &mut BlockCoverage, block: u32, warp: u32, mask: u32) {
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

    /// A guard lets lanes through.
    pub(super) fn passes(&self, at: u32) {
        set(&self.passed[at as usize]);
    }

    /// What ran, in a launch whose blocks ran so often.
    pub(crate) fn ran(&self, kernel: &Kernel, blocks: &[BlockCount]) -> Ran {
        let is_set = |flag: &AtomicBool| flag.load(Ordering::Relaxed);
        let program = kernel.program();
        let mut ran = Ran::nothing(kernel);
        for (block, count) in program.blocks.iter().zip(blocks) {
            for place in (block.first..block.end).filter(|_| count.executions > 0) {
                let Instruction { operation, guard, .. } = program.code[place as usize];
                // Where a branch or an exit is not taken, it was executed all the same.
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
