//! Machine instructions of a launch: what the chip issues for PTX that the simulator counted.
//!
//! PTX is not what a GPU runs. ptxas turns it into machine code (SASS) that differs in number of instructions and in
//! unrolling, and no simulator can run that: its meaning is not published. But its shape is known: nvdisasm prints it
//! with source lines. So [`MachineCode`] holds a kernel's machine instructions block by block, and
//! [`MachineCode::count`] multiplies each block by how often it ran, which follows from the simulator's exact counts of
//! the PTX's blocks:
//!
//! ```text
//! landmark    instructions that PTX and machine code have in common: loads, stores, MUFU, arithmetic, barriers …
//! align       which machine blocks stand for which PTX blocks: the reading with most landmarks in common
//! settle      blocks of a pair run equally often; loops that only one side unrolled are divided up by their copies
//! executions  the whole: what the pairs leave open follows from landmarks' totals and from the control flow
//! rotated     loops whose test is in another place than in the PTX
//! ```
//!
//! Where there is no machine code, [`MachineCounts::expanded`] takes the PTX instruction by instruction.

mod align;
mod code;
mod counts;
mod executions;
mod expand;
mod flow;
mod kind;
mod landmark;
pub mod order;
mod rotated;
mod settle;

pub use code::{BadCode, Code, MachineBlock, MachineCode, Mix, Place};
pub use counts::{Basis, Chain, Fp32, MachineCounts, OF_PRODUCT};
pub use kind::{MachineKind, Wait};

use counts::{is_wide_product, register_reads, warps};

use events::Events;
use program::Kernel;

impl MachineCode {
    /// Machine instructions that warps issue in a launch of `kernel` that the simulator counted as `events`. Slow paths
    /// (subnormal operands of a square root or division) are taken to run never. Without a mix (before sm_75) it is
    /// [`MachineCounts::expanded`].
    pub fn count(&self, kernel: &Kernel, events: &Events) -> MachineCounts {
        let Some(mix) = &self.mix else {
            return MachineCounts::expanded(kernel, events);
        };
        let mut counts = MachineCounts::new(Basis::MachineCode, warps(events));
        for (block, executions) in mix.blocks.iter().zip(mix.executions(kernel, events)) {
            for (opcode, count) in block.code.opcodes() {
                let count = f64::from(count) * executions;
                let kind = MachineKind::of(opcode);
                counts.add(kind, count);
                if kind == MachineKind::Tensor {
                    counts.add_products(opcode, count);
                }
                if kind == MachineKind::IntegerMul && is_wide_product(opcode) {
                    counts.wide_products += count;
                }
                counts.register_reads += register_reads(opcode) * count;
                counts.fp32 += Fp32::of_opcode(opcode).times(count);
            }
            let mut chain =
                Chain { issues: f64::from(block.code.instructions()), ..Chain::default() };
            block.waits.iter().for_each(|(wait, times)| chain.waits[*wait as usize] = *times);
            counts.chain += chain.times(executions / counts.warps);
        }
        counts
    }
}

impl Mix {
    /// How often each block ran, in warps, in a launch of `kernel` that the simulator counted as `events`.
    pub fn executions(&self, kernel: &Kernel, events: &Events) -> Vec<f64> {
        executions::executions(self, kernel, events)
    }
}
