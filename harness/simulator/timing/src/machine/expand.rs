//! Machine instructions where there is no machine code: PTX instruction by instruction.
//!
//! What ptxas (12.9, sm_75 to sm_90) makes of each PTX instruction was counted, one instruction at a time; of sequences
//! with a slow path the fast one. The sum over a kernel would be too large, since ptxas also folds instructions into
//! others. Four rules stand for that:
//!
//! 1. copies, address conversions and kernel parameters cost nothing: they become operands of others;
//! 2. a 64-bit sum of a product that was just made (`mul.wide`, `add.s64`) is one multiply-add;
//! 3. up to four loads of single words of shared memory from the same address register become one load of 128 bits;
//! 4. a branch forwards that lanes may take apart has a `BSSY` and a `BSYNC` around what it skips; one to the end of the
//!    kernel is a guarded exit.

use std::collections::{HashMap, HashSet};

use super::counts::{Basis, Chain, Fp32, MachineCounts, warps};
use super::flow::successors;
use super::kind::{MachineKind, Wait};
use super::order::{self, Issued};
use events::Events;
use program::Class;
use program::{Block, Kernel, Summary};

impl MachineCounts {
    /// What a launch of `kernel` that the simulator counted as `events` would issue by the measured expansion of PTX
    /// instructions.
    pub fn expanded(kernel: &Kernel, events: &Events) -> MachineCounts {
        let next = successors(kernel);
        let code: Vec<Vec<(Machine, &Summary)>> =
            (0..next.len()).map(|block| expand(kernel.blocks(), &next, block)).collect();
        let waits = order::waits(&next, |_| false, |block| issued(&code[block]));
        let mut counts = MachineCounts::new(Basis::Expansion, warps(events));
        for ((code, waits), ran) in code.iter().zip(waits).zip(&events.blocks) {
            let executions = ran.executions as f64;
            let mut chain = Chain::default();
            for (machine, instruction) in code {
                for &(kind, count) in *machine {
                    counts.add(kind, f64::from(count) * executions);
                    chain.issues += f64::from(count);
                    let count = f64::from(count) * executions;
                    match kind {
                        MachineKind::Fp32 => {
                            counts.fp32 += operation(instruction.class).times(count);
                        }
                        MachineKind::Tensor => {
                            counts.add_products(&instruction.opcode, count);
                        }
                        _ => {}
                    }
                }
            }
            waits.into_iter().for_each(|(wait, times)| chain.waits[wait as usize] = times);
            counts.chain += chain.times(executions / counts.warps);
        }
        counts
    }
}

/// What each FP32 instruction does that a PTX instruction of a class becomes.
fn operation(class: Class) -> Fp32 {
    match class {
        Class::Fp32Add | Class::Atomic => Fp32 { add: 1.0, ..Fp32::default() },
        // Subnormal numbers are scaled before and after.
        Class::Fp32Mul | Class::MufuSubnormal => Fp32 { mul: 1.0, ..Fp32::default() },
        // Those of a root or a division are mostly steps of Newton's iteration.
        _ => Fp32 { fma: 1.0, ..Fp32::default() },
    }
}

/// What one PTX instruction becomes: kinds of machine instructions and how many of each, in order.
type Machine = &'static [(MachineKind, u32)];

/// The machine instructions of a block, by the PTX instruction that they come from.
fn expand<'a>(
    blocks: &'a [Block],
    next: &[Vec<usize>],
    block: usize,
) -> Vec<(Machine, &'a Summary)> {
    let mut products: HashSet<u16> = HashSet::new();
    let mut words: HashMap<&[u16], u32> = HashMap::new();
    let expand_one = |instruction: &'a Summary| {
        let opcode = instruction.opcode.as_str();
        let mut machine = expansion(instruction);
        if instruction.class == Class::Branch && instruction.is_branch {
            machine = branch(instruction, blocks, next, block);
        } else if opcode.starts_with("add.s64") || opcode.starts_with("add.u64") {
            // Rule 2. A product serves any number of sums, each a multiply-add of its own: so it costs nothing itself
            // only the first time.
            if instruction.sources.iter().any(|source| products.remove(source)) {
                machine = &[];
            }
        } else if instruction.class == Class::LoadShared && opcode.ends_with("32") {
            // Rule 3.
            let loaded = words.entry(&instruction.sources).or_default();
            *loaded += 1;
            if *loaded % 4 != 1 {
                machine = &[];
            } else {
                machine = &[(MachineKind::LoadShared128, 1)];
            }
        }
        if opcode.contains(".wide") {
            products.extend(&instruction.destinations);
        }
        (machine, instruction)
    };
    blocks[block].instructions.iter().map(expand_one).collect()
}

/// Rule 4.
fn branch(instruction: &Summary, blocks: &[Block], next: &[Vec<usize>], block: usize) -> Machine {
    let guarded = !instruction.sources.is_empty();
    let backwards = next[block].iter().any(|&to| to <= block);
    let ends = |&to: &usize| {
        to != block + 1 && blocks[to].instructions.iter().all(|i| i.opcode.starts_with("ret"))
    };
    if !guarded || backwards || instruction.opcode.contains(".uni") || next[block].iter().any(ends)
    {
        &[(MachineKind::Branch, 1)]
    } else {
        &[(MachineKind::Branch, 3)]
    }
}

/// What an instruction becomes by itself.
fn expansion(instruction: &Summary) -> Machine {
    use MachineKind as K;
    let opcode = instruction.opcode.as_str();
    let is_64 = opcode.ends_with("64");
    match instruction.class {
        Class::Fp32Add | Class::Fp32Mul | Class::Fp32Fma => &[(K::Fp32, 1)],
        Class::Mufu => &[(K::Mufu, 1)],
        // Compare, scale, approximate, scale back: what keeps subnormal numbers.
        Class::MufuSubnormal => &[(K::Compare, 1), (K::Fp32, 1), (K::Mufu, 1), (K::Fp32, 1)],
        Class::SqrtRn => {
            &[(K::Mufu, 1), (K::Integer, 1), (K::Compare, 1), (K::Branch, 3), (K::Fp32, 4)]
        }
        Class::RcpRn => {
            &[(K::Integer, 2), (K::Compare, 1), (K::Branch, 3), (K::Mufu, 1), (K::Fp32, 3)]
        }
        Class::DivRn => &[(K::Mufu, 1), (K::Compare, 1), (K::Fp32, 6), (K::Branch, 3)],
        Class::Fp64 if opcode.starts_with("div") => {
            &[(K::Mufu, 1), (K::Fp64, 11), (K::Compare, 1), (K::Branch, 3)]
        }
        Class::Fp64 if opcode.starts_with("sqrt") => {
            &[(K::Mufu, 1), (K::Fp64, 13), (K::Compare, 1), (K::Branch, 3)]
        }
        Class::Fp64 => &[(K::Fp64, 1)],
        Class::Integer if opcode.starts_with("bfe") => &[(K::Integer, 5)],
        Class::Integer if opcode.starts_with("bfi") => &[(K::Integer, 6)],
        Class::Integer if opcode.starts_with("popc") => &[(K::Conversion, 1)],
        Class::Integer if opcode.starts_with("clz") => &[(K::Conversion, 1), (K::Integer, 1)],
        Class::Integer if is_64 => &[(K::Integer, 2)],
        Class::Integer => &[(K::Integer, 1)],
        Class::IntegerMul if is_64 => &[(K::IntegerMul, 4)],
        Class::IntegerMul => &[(K::IntegerMul, 1)],
        Class::IntegerDiv if opcode.contains(".s") => &[
            (K::Integer, 6),
            (K::Conversion, 2),
            (K::Mufu, 1),
            (K::IntegerMul, 7),
            (K::Compare, 8),
        ],
        Class::IntegerDiv => &[
            (K::Integer, 4),
            (K::Conversion, 2),
            (K::Mufu, 1),
            (K::IntegerMul, 5),
            (K::Compare, 6),
        ],
        // Widening takes the sign's word, narrowing nothing.
        Class::Conversion if opcode.ends_with(".s64.s32") => &[(K::Integer, 1)],
        Class::Conversion if is_64 || opcode.contains("64.u32") => &[],
        // Widening half precision is a sum in it.
        Class::Conversion if opcode.ends_with(".f32.f16") => &[(K::Fp16, 1)],
        // Half a unit is added unless it is infinite or no number; what is left over is cut off.
        Class::Conversion if opcode.starts_with("cvt.rna.tf32") => {
            &[(K::Integer, 1), (K::Compare, 2), (K::Integer, 1)]
        }
        Class::Conversion => &[(K::Conversion, 1)],
        // Rule 1.
        Class::Move | Class::LoadParam => &[],
        Class::Predicate => &[(K::Compare, 1)],
        Class::LoadGlobal => &[(K::LoadGlobal, 1)],
        Class::StoreGlobal => &[(K::StoreGlobal, 1)],
        Class::LoadShared if opcode.contains(".v4") || opcode.contains(".x4") => {
            &[(K::LoadShared128, 1)]
        }
        Class::LoadShared if opcode.contains(".v2") || opcode.contains(".x2") || is_64 => {
            &[(K::LoadShared64, 1)]
        }
        Class::LoadShared => &[(K::LoadShared, 1)],
        Class::StoreShared => &[(K::StoreShared, 1)],
        Class::LoadConst => &[(K::Constant, 1)],
        Class::Local => &[(K::Local, 1)],
        // No instruction adds floats in shared memory: they are compared and exchanged until it worked.
        Class::Atomic if opcode.starts_with("atom.shared") && opcode.ends_with("add.f32") => {
            &[(K::LoadShared, 1), (K::Fp32, 1), (K::Atomic, 1), (K::Compare, 1), (K::Branch, 4)]
        }
        Class::Atomic => &[(K::Atomic, 1)],
        Class::Branch => &[(K::Branch, 1)],
        Class::Barrier | Class::Fence => &[(K::Barrier, 1)],
        Class::Shuffle => &[(K::Shuffle, 1)],
        Class::Tensor => &[(K::Tensor, 1)],
        Class::Other => &[(K::Other, 1)],
    }
}

/// The instructions of a block as a warp issues them; those of a sequence each need the one before.
fn issued(code: &[(Machine, &Summary)]) -> Vec<Issued<u32>> {
    /// No register of a kernel: what a sequence hands on within itself.
    const WITHIN: u32 = u32::MAX;
    let mut issued = Vec::new();
    for (machine, instruction) in code {
        let ids = |registers: &[u16]| registers.iter().map(|&id| u32::from(id)).collect::<Vec<_>>();
        let (written, read) = (ids(&instruction.destinations), ids(&instruction.sources));
        let kinds = machine.iter().flat_map(|&(kind, count)| (0..count).map(move |_| kind));
        let kinds: Vec<MachineKind> = kinds.collect();
        for (index, kind) in kinds.iter().enumerate() {
            let (first, last) = (index == 0, index + 1 == kinds.len());
            issued.push(Issued {
                written: if last { written.clone() } else { vec![WITHIN] },
                read: if first { read.clone() } else { vec![WITHIN] },
                wait: Wait::of_kind(*kind),
                may_miss: *kind == MachineKind::LoadGlobal,
            });
        }
    }
    issued
}
