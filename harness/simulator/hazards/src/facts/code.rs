//! What a kernel's code says of its accesses: what is used of them, what waits, and where paths lead.

use std::collections::BTreeSet;

use program::cfg::successors;
use program::registers::{File, Register};
use program::{Access, AtomicOperation, ExchangeKind, Kernel, OfCluster, Operation, Program};

use crate::bytes::mask;

/// Whether each arrival at the barrier of the cluster is followed at once by the wait, and releases.
pub(super) fn joins_cluster(program: &Program) -> bool {
    let mut pairs = program.code.windows(2).map(|pair| [pair[0].operation, pair[1].operation]);
    pairs.all(|[one, next]| match one {
        Operation::Cluster(OfCluster::Arrive) => next == Operation::Cluster(OfCluster::Wait),
        Operation::Cluster(OfCluster::ArriveRelaxed) => false,
        _ => true,
    })
}

/// Whether a path leads from one basic block to another.
pub(super) fn reaches(program: &Program, from: usize, to: usize) -> bool {
    let mut seen = vec![false; program.blocks.len()];
    let mut open = vec![from];
    while let Some(block) = open.pop() {
        if block == to {
            return true;
        }
        if !std::mem::replace(&mut seen[block], true) {
            let next = successors(&program.code, &program.blocks, block);
            open.extend(next.into_iter().map(|next| next as usize));
        }
    }
    false
}

/// One bit for each used element of a load.
pub(super) fn used_elements(program: &Program, access: &Access, used: &BTreeSet<u16>) -> u8 {
    (0..access.count)
        .filter(|&k| access.dropped >> k & 1 == 0)
        .filter(|&k| {
            let register = Register { file: access.file, index: access.data[usize::from(k)] };
            used.contains(&program.number(register))
        })
        .fold(0, |mask, k| mask | 1 << k)
}

/// One bit for each used byte: those of the used elements of a load or an atomic, all bytes of other accesses.
pub(super) fn used_bytes(program: &Program, operation: Operation, used: u8) -> u64 {
    let (element, count) = match operation {
        Operation::Load(k) => {
            let access = &program.accesses[k as usize];
            (access.cell.bytes(), access.count)
        }
        Operation::Atomic(k) => {
            let atomic = &program.atomics[k as usize];
            (atomic.value.bytes(), atomic.count)
        }
        _ => return u64::MAX,
    };
    (0..u64::from(count))
        .filter(|k| used >> k & 1 != 0)
        .fold(0, |bytes, k| bytes | mask(element) << (k * element))
}

/// Loads whose value a compare-and-swap compares, perhaps after moves and selects.
pub(super) fn looks(program: &Program) -> Vec<usize> {
    let mut compared = BTreeSet::new();
    for atomic in &program.atomics {
        if atomic.operation == AtomicOperation::CompareExchange {
            let file = if atomic.value.bytes() == 8 { File::Doubles } else { File::Words };
            compared.insert(program.number(Register { file, index: atomic.data[0] }));
        }
    }
    let mut loads = BTreeSet::new();
    loop {
        let count = compared.len();
        for (at, i) in program.code.iter().enumerate() {
            match i.operation {
                Operation::Fast(fast) if fast.is_move() => {
                    let (inputs, output) = fast.signature();
                    let file = if output.bits == 64 { File::Doubles } else { File::Words };
                    let of = |index| program.number(Register { file, index });
                    if compared.contains(&of(i.operands.d)) {
                        let sources = [i.operands.a, i.operands.b].into_iter().take(inputs.len());
                        compared.extend(sources.map(of));
                    }
                }
                Operation::Load(k) => {
                    let access = &program.accesses[k as usize];
                    let index = access.data[0];
                    if compared.contains(&program.number(Register { file: access.file, index })) {
                        loads.insert(at);
                    }
                }
                _ => {}
            }
        }
        if compared.len() == count {
            return loads.into_iter().collect();
        }
    }
}

/// Accesses in a loop that keeps their address and in which nothing else orders memory.
pub(super) fn polls(kernel: &Kernel) -> BTreeSet<u32> {
    let program = kernel.program();
    let mut found = BTreeSet::new();
    for (last, block) in program.blocks.iter().enumerate() {
        let branches = program.code[block.first as usize..block.end as usize].iter();
        let targets = branches.filter_map(|i| match i.operation {
            Operation::Branch(target) if target as usize <= last => Some(target as usize),
            _ => None,
        });
        for first in targets {
            let range = program.blocks[first].first..block.end;
            let code = &program.code[range.start as usize..range.end as usize];
            let orders = |i: &program::Instruction| match i.operation {
                Operation::Barrier(_) => true,
                Operation::Exchange(k) => {
                    program.exchanges[k as usize].kind == ExchangeKind::Synchronise
                }
                _ => false,
            };
            if code.iter().any(orders) {
                continue;
            }
            let changed: BTreeSet<u16> = kernel.blocks()[first..=last]
                .iter()
                .flat_map(|block| &block.instructions)
                .flat_map(|i| i.destinations.iter().copied())
                .collect();
            for (at, i) in range.zip(code) {
                let address = match i.operation {
                    Operation::Load(k) => program.accesses[k as usize].address,
                    Operation::Atomic(k) => program.atomics[k as usize].address,
                    _ => continue,
                };
                if !changed.contains(&program.number(address)) {
                    found.insert(at);
                }
            }
        }
    }
    found
}
