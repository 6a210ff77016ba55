//! Machine instructions where there is no machine code: PTX instruction by instruction.

use super::{Basis, MachineCounts, MachineKind};
use crate::{Class, Events, Kernel};

impl MachineCounts {
    /// What a launch of `kernel` that the simulator counted as `events` would issue by the measured expansion of PTX
    /// instructions.
    pub fn expanded(kernel: &Kernel, events: &Events) -> MachineCounts {
        let mut counts = MachineCounts::new(Basis::Expansion, super::warps(events));
        for (block, ran) in kernel.blocks().iter().zip(&events.blocks) {
            for instruction in &block.instructions {
                for (kind, count) in expansion(instruction.class) {
                    counts.add(*kind, count * ran.executions as f64);
                }
            }
        }
        counts
    }
}

/// Machine instructions of one PTX instruction.
fn expansion(class: Class) -> &'static [(MachineKind, f64)] {
    match class {
        Class::Fp32Add | Class::Fp32Mul | Class::Fp32Fma => &[(MachineKind::Fp32, 1.0)],
        _ => &[(MachineKind::Other, 1.0)],
    }
}
