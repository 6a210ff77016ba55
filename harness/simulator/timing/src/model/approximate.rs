//! Machine instructions of GPUs that neither round division and square roots correctly nor keep subnormal numbers.
//!
//! Capability 1.x computes them with one or two approximate functions and flushes subnormal numbers to zero (CUDA C++
//! Programming Guide 5.0, appendix on capability 1.x). The machine code that stands for it, of a newer architecture, has
//! longer sequences, which are taken out again.

use crate::machine::{MachineCounts, MachineKind, Wait};
use events::Events;
use program::Class;

/// What newer machine code has more (or, below zero, less) for one PTX instruction of a class.
struct Excess {
    class: Class,
    kinds: &'static [(MachineKind, f64)],
    /// Waits for arithmetic, nominal.
    waits: f64,
}

/// The fast paths that ptxas 12.9 writes for sm_75 against one or two MUFU instructions.
const EXCESS: [Excess; 4] = [
    // Scale up, MUFU, scale down against MUFU.
    Excess {
        class: Class::MufuSubnormal,
        kinds: &[(MachineKind::Fp32, 2.0), (MachineKind::Compare, 1.0)],
        waits: 2.25,
    },
    // MUFU and a Newton step behind a test of the exponent, against reciprocal square root and reciprocal.
    Excess {
        class: Class::SqrtRn,
        kinds: &[
            (MachineKind::Fp32, 4.0),
            (MachineKind::Integer, 1.0),
            (MachineKind::Compare, 1.0),
            (MachineKind::Branch, 3.0),
            (MachineKind::Mufu, -1.0),
        ],
        waits: 3.5,
    },
    Excess {
        class: Class::RcpRn,
        kinds: &[
            (MachineKind::Fp32, 3.0),
            (MachineKind::Integer, 2.0),
            (MachineKind::Compare, 1.0),
            (MachineKind::Branch, 3.0),
        ],
        waits: 3.5,
    },
    // Against reciprocal and product.
    Excess {
        class: Class::DivRn,
        kinds: &[(MachineKind::Fp32, 4.0), (MachineKind::Compare, 1.0), (MachineKind::Branch, 3.0)],
        waits: 3.5,
    },
];

/// The machine instructions of the same launch on a GPU without exact division.
pub(super) fn approximate(counts: &MachineCounts, events: &Events) -> MachineCounts {
    let mut found = counts.clone();
    for Excess { class, kinds, waits } in &EXCESS {
        let executed = events.class(*class).warps as f64;
        let of_warp = executed / counts.warps;
        for (kind, count) in *kinds {
            found[*kind] -= count * executed;
            found.total -= count * executed;
            found.chain.issues -= count * of_warp;
            if *kind == MachineKind::Fp32 {
                // Scaling is done by products, Newton's iteration by multiply-adds.
                let fp32 = &mut found.fp32;
                let of = if *class == Class::MufuSubnormal { &mut fp32.mul } else { &mut fp32.fma };
                *of = (*of - count * executed).max(0.0);
            }
        }
        let alu = &mut found.chain.waits[Wait::Alu as usize];
        *alu = (*alu - waits * of_warp).max(0.0);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::{Basis, Chain, Fp32};
    use events::BlockCount;
    use program::Module;

    #[test]
    fn exact_sequences_become_one_or_two_functions() {
        let text = ".version 7.8\n.target sm_50\n.address_size 64\n.visible .entry k()\n{\n.reg .f32 %f<9>;\n\
                    mov.f32 %f1, 0f40000000;\nsqrt.rn.f32 %f2, %f1;\nrcp.rn.f32 %f3, %f2;\n\
                    rsqrt.approx.f32 %f4, %f3;\n ret;\n}\n";
        let module = Module::parse("k.ptx", text).unwrap();
        let kernel = module.kernel("k").unwrap();
        let six = BlockCount { executions: 6, lanes: 6 * 32 };
        let events = Events::from_blocks(kernel, vec![six; kernel.blocks().len()]);
        // Six warps, each with 10 instructions for the root, 10 for the reciprocal, 4 for the last.
        let mut counts = MachineCounts {
            total: 6.0 * 24.0,
            kinds: [0.0; MachineKind::COUNT],
            tensor: 0.0,
            group_tensor: 0.0,
            wide_products: 0.0,
            register_reads: 0.0,
            fp32: Fp32 { mul: 6.0 * 2.0, fma: 6.0 * 7.0, ..Fp32::default() },
            chain: Chain { issues: 24.0, ..Chain::default() },
            warps: 6.0,
            basis: Basis::MachineCode,
        };
        counts[MachineKind::Mufu] = 6.0 * 3.0;
        counts[MachineKind::Fp32] = 6.0 * 9.0;
        counts.chain.waits[Wait::Alu as usize] = 10.0;
        let found = approximate(&counts, &events);
        // Left are two, one and one MUFU instructions.
        assert_eq!((found.total, found[MachineKind::Mufu]), (6.0 * 4.0, 6.0 * 4.0));
        assert_eq!((found[MachineKind::Fp32], found.chain.issues), (0.0, 4.0));
        assert_eq!(found.fp32, Fp32::default());
        assert_eq!(found.chain.wait(Wait::Alu), 0.75);
    }
}
