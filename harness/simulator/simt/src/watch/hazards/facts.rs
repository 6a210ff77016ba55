//! What is known of a kernel's accesses before it runs.

use std::collections::BTreeSet;

use crate::cfg::successors;
use crate::kernel::Kernel;
use crate::program::{
    Access, AtomicOperation, Copying, ExchangeKind, Matrix, MatrixRows, NOWHERE, Operation, Order,
    Program, Texturing,
};
use crate::registers::{File, Register};
use crate::space::Space;

use super::bytes::mask;
use super::origins::origins;

/// What is known of one instruction.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Traits {
    /// An atomic, or an access that another thread may wait for (`volatile`, `relaxed` …).
    pub strong: bool,
    pub atomic: bool,
    /// A store.
    pub stores: bool,
    /// It loads from global memory what it stores in shared memory.
    pub copies: bool,
    /// It loads a device function's parameter or result: a compiler's matter, not the source's.
    pub parameter: bool,
    /// It reads what a compare-and-swap compares afterwards: if it is out of date by then, nothing is lost.
    pub looks: bool,
    /// It reads the same place again and again until another thread has written it.
    pub polls: bool,
    pub order: Order,
    /// The elements of a load that any instruction uses; a vector may have some that none does.
    used: u8,
    /// The same for the bytes that each lane accesses.
    pub used_bytes: u64,
    /// Its number among the kernel's accesses.
    pub number: u32,
    /// The arrays in shared memory, one bit for each, of which it must hit one; 0 if that is not known.
    pub arrays: u64,
}

impl Traits {
    /// Whether it is a store where such memory is concerned.
    pub(super) fn stores_in(&self, space: Space) -> bool {
        self.stores && !(self.copies && space == Space::Global)
    }
}

/// What is known of a kernel.
#[derive(Debug)]
pub(super) struct Facts {
    /// For each place in the program.
    pub traits: Vec<Traits>,
    /// Loads, stores and atomics.
    pub accesses: u32,
    /// For each access its place in the program.
    pub places: Vec<u32>,
    /// Whether accesses order others: there is a fence, or one acquires or releases.
    pub orders: bool,
    /// Whether accesses to global memory are neither atomics nor strong.
    pub plain_global: bool,
    /// Whether they are, and blocks may count on that: there is an order, or one waits for another.
    pub orders_blocks: bool,
    /// Barriers that all threads of the block must come to: their places, at most 64.
    pub barriers: Vec<u32>,
    /// For each block one bit for each of them that a thread here has behind it for good.
    pub behind: Vec<u64>,
    /// Bytes that are told apart: 4, or 1 where the kernel has accesses narrower than a word.
    pub shared_grain: u64,
    pub global_grain: u64,
}

impl Facts {
    pub(super) fn new(kernel: &Kernel) -> Facts {
        let program = kernel.program();
        let used: BTreeSet<u16> = kernel
            .blocks()
            .iter()
            .flat_map(|block| &block.instructions)
            .flat_map(|i| i.sources.iter().copied())
            .collect();
        let mut facts = Facts {
            traits: vec![Traits::default(); program.code.len()],
            accesses: 0,
            places: Vec::new(),
            orders: false,
            plain_global: true,
            orders_blocks: false,
            barriers: Vec::new(),
            behind: vec![0; program.blocks.len()],
            shared_grain: 4,
            global_grain: 4,
        };
        for (at, instruction) in program.code.iter().enumerate() {
            match instruction.operation {
                Operation::Load(k) => {
                    let access = &program.accesses[k as usize];
                    let elements = used_elements(program, access, &used);
                    let parameter = kernel.instruction(at as u32).opcode.starts_with("ld.param");
                    let own = Traits { used: elements, parameter, ..Traits::default() };
                    facts.access(at, access, own);
                }
                Operation::Store(k) => {
                    let own = Traits { stores: true, ..Traits::default() };
                    facts.access(at, &program.accesses[k as usize], own);
                }
                Operation::Atomic(k) => {
                    let atomic = &program.atomics[k as usize];
                    let mut old = atomic.results().map(|register| program.number(register));
                    // Whatever an exchange replaces, it does not matter if nobody looks at it.
                    let reads = atomic.operation != AtomicOperation::Exchange
                        || old.any(|old| used.contains(&old));
                    let elements = if reads { 0xf } else { 0 };
                    let own =
                        Traits { strong: true, atomic: true, used: elements, ..Traits::default() };
                    facts.count(at, Traits { order: atomic.order, ..own });
                    facts.grains(atomic.space, atomic.value.bytes());
                    facts.plain_global &= atomic.space == Space::Shared;
                }
                Operation::Matrix(matrix @ (Matrix::Load(k) | Matrix::Store(k))) => {
                    let stores = matches!(matrix, Matrix::Store(_));
                    facts.count(at, Traits { used: 0xf, stores, ..Traits::default() });
                    facts.grains(program.matrix_rows[k as usize].space, MatrixRows::ROW);
                }
                Operation::Texture(Texturing::Sample(_)) => {
                    facts.count(at, Traits { used: 0xf, ..Traits::default() });
                }
                Operation::Texture(Texturing::Surface(k)) => {
                    let access = &program.surfaces[k as usize];
                    let own = Traits { stores: access.stores(), used: 0xf, ..Traits::default() };
                    facts.count(at, own);
                    facts.grains(Space::Global, access.bytes);
                }
                Operation::Copying(Copying::Begin(_) | Copying::Bulk(_)) => {
                    let own = Traits { stores: true, copies: true, ..Traits::default() };
                    facts.count(at, Traits { used: 0xf, ..own });
                }
                Operation::Fence { .. } => facts.orders = true,
                _ => {}
            }
        }
        for (own, instruction) in facts.traits.iter_mut().zip(&program.code) {
            own.used_bytes = used_bytes(program, instruction.operation, own.used);
        }
        facts.barriers(program);
        for (own, arrays) in facts.traits.iter_mut().zip(origins(kernel)) {
            own.arrays = arrays;
        }
        for at in looks(program) {
            facts.traits[at].looks = true;
        }
        for at in polls(kernel) {
            facts.traits[at as usize].polls = facts.traits[at as usize].strong;
        }
        let waits = facts.traits.iter().any(|own| own.polls);
        facts.orders_blocks = (facts.orders || waits) && !facts.plain_global;
        facts
    }

    fn access(&mut self, at: usize, access: &Access, own: Traits) {
        self.count(at, Traits { strong: access.strong, order: access.order, ..own });
        self.grains(access.space, access.cell.bytes());
        self.plain_global &= !access.strong || access.space == Space::Shared;
    }

    /// A barrier is behind a thread that executes what all threads come to after it, from where no way leads back to
    /// it. A block that only ends the thread is no such place: a thread may return early.
    fn barriers(&mut self, program: &Program) {
        let (code, blocks) = (&program.code, &program.blocks);
        for (index, block) in blocks.iter().enumerate() {
            let last = block.end - 1;
            let Operation::Barrier(k) = code[last as usize].operation else { continue };
            let barrier = &program.barriers[k as usize];
            if barrier.counted || barrier.arrive || self.barriers.len() == 64 {
                continue;
            }
            let bit = 1 << self.barriers.len();
            self.barriers.push(last);
            let mut after = block.meet;
            while after != NOWHERE && !program.ends(after) {
                if !reaches(program, after as usize, index) {
                    self.behind[after as usize] |= bit;
                }
                after = blocks[after as usize].meet;
            }
        }
    }

    fn count(&mut self, at: usize, own: Traits) {
        self.traits[at] = Traits { number: self.accesses, ..own };
        self.places.push(at as u32);
        self.accesses += 1;
        self.orders |= own.order != Order::default();
    }

    fn grains(&mut self, space: Space, bytes: u64) {
        if bytes < 4 && matches!(space, Space::Shared | Space::Generic) {
            self.shared_grain = 1;
        }
        if bytes < 4 && matches!(space, Space::Global | Space::Generic) {
            self.global_grain = 1;
        }
    }
}

/// Whether a way leads from one block to another.
fn reaches(program: &Program, from: usize, to: usize) -> bool {
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

/// One bit for each element of a load that is used.
fn used_elements(program: &Program, access: &Access, used: &BTreeSet<u16>) -> u8 {
    (0..access.count)
        .filter(|&k| access.dropped >> k & 1 == 0)
        .filter(|&k| {
            let register = Register { file: access.file, index: access.data[usize::from(k)] };
            used.contains(&program.number(register))
        })
        .fold(0, |mask, k| mask | 1 << k)
}

/// The same for bytes, one bit for each: of a load or an atomic those of the elements, of anything else all.
fn used_bytes(program: &Program, operation: Operation, used: u8) -> u64 {
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

/// Loads whose value a compare-and-swap compares, perhaps after moves and choices.
fn looks(program: &Program) -> Vec<usize> {
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

/// Accesses in a loop that does not change their address, and in which nothing else orders memory.
fn polls(kernel: &Kernel) -> BTreeSet<u32> {
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
            let orders = |i: &crate::program::Instruction| match i.operation {
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
