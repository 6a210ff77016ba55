//! Static facts about a kernel's memory accesses.

mod chosen;
mod code;
mod requests;

use std::collections::BTreeSet;

use program::Kernel;
use program::{
    Access, AtomicOperation, AtomicType, Copying, Matrix, MatrixRows, NOWHERE, Operation, Order,
    Program, Scope, Texturing, Unfinished,
};
use ptx::Space;

use super::grain::Grain;
use super::origins::origins;
use chosen::{Kept, kept};
use code::{joins_cluster, looks, polls, reaches, used_bytes, used_elements};
use requests::Requests;

/// Static facts about one instruction.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Traits {
    /// An atomic, or an access that another thread may wait for (`volatile`, `relaxed` …).
    pub strong: bool,
    pub atomic: bool,
    /// It stores.
    pub stores: bool,
    /// It copies between global and shared memory.
    pub copies: bool,
    /// It copies in bulk, through the asynchronous proxy.
    pub bulk: bool,
    /// It copies from shared to global memory.
    pub sends: bool,
    /// It loads a device function's parameter or result, which the compiler placed in memory, not the source.
    pub parameter: bool,
    /// It reads a value that a compare-and-swap compares later, so a stale value does no harm.
    pub looks: bool,
    /// It reads a factor of a product that goes on while the threads do.
    pub product: bool,
    /// It initialises an `mbarrier`.
    pub begins: bool,
    /// It arrives at an `mbarrier`, or looks at its phase.
    pub mbarrier: bool,
    /// It polls an address until another thread writes there.
    pub polls: bool,
    /// What it does with a tensor map in global memory.
    pub map: MapUse,
    /// The lanes that keep what it loads, if not all.
    pub kept: Option<Kept>,
    pub order: Order,
    /// Of a strong access.
    pub scope: Scope,
    /// One bit for each element of a load that some instruction uses.
    used: u8,
    /// One bit for each byte that a lane accesses and some instruction uses.
    pub used_bytes: u64,
    /// Index among the kernel's accesses.
    pub number: u32,
    /// Set of shared arrays, one of which the access must hit; 0 if unknown.
    pub arrays: u64,
}

/// What an instruction does with a tensor map in global memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum MapUse {
    #[default]
    None,
    /// It changes one; `tensormap.cp_fenceproxy` releases it too.
    Changes { is_released: bool },
    /// It copies by one, whose address is in this register.
    Reads(u16),
}

impl Traits {
    /// Whether it stores to this space: a copy stores to global memory or to shared memory, and loads from the other.
    pub(super) fn stores_in(&self, space: Space) -> bool {
        self.stores && (!self.copies || (space == Space::Global) == self.sends)
    }
}

/// Static facts about a kernel, the same for all its launches.
#[derive(Debug)]
pub struct Facts {
    /// By instruction index.
    pub(super) traits: Vec<Traits>,
    /// Number of loads, stores and atomics.
    pub(super) accesses: u32,
    /// Instruction index of each access.
    pub(super) places: Vec<u32>,
    /// Whether there are products that go on while the threads do.
    pub(super) products: bool,
    /// Registers that warps ask for.
    pub(super) requests: Requests,
    /// Whether there are bulk copies.
    pub(super) bulk_copies: bool,
    /// Whether accesses can order others, because there is a fence, an acquire or a release.
    pub(super) orders: bool,
    /// Whether each arrival at the barrier of the cluster is followed at once by the wait, and releases.
    pub(super) joins_cluster: bool,
    /// Whether no access to global memory is atomic or strong.
    pub(super) plain_global: bool,
    /// Whether some are strong for their own block only.
    pub(super) narrow_global: bool,
    /// Whether some are, and they can order blocks, because there is a fence, an acquire, a release or a poll.
    pub(super) orders_blocks: bool,
    /// Instruction indices of the barriers that all threads of the block must reach, at most 64.
    pub(super) barriers: Vec<u32>,
    /// For each basic block the set of these barriers that a thread there has passed for the last time.
    pub(super) behind: Vec<u64>,
    /// For each basic block its first instruction that reads a register which nothing has written.
    pub(super) undefined_reads: Vec<Option<u32>>,
    /// The same of one that uses a register of a product under way.
    pub(super) unfinished: Vec<Option<(u32, Unfinished)>>,
    /// Bytes of a cell of shared memory: 4, or 1 if the kernel has accesses narrower than a word.
    pub(super) shared_grain: Grain,
    pub(super) global_grain: Grain,
}

impl Facts {
    /// Those of a kernel.
    pub fn new(kernel: &Kernel) -> Facts {
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
            products: false,
            requests: Requests::new(kernel),
            bulk_copies: false,
            orders: false,
            joins_cluster: joins_cluster(program),
            plain_global: true,
            narrow_global: false,
            orders_blocks: false,
            barriers: Vec::new(),
            behind: vec![0; program.blocks.len()],
            undefined_reads: kernel.undefined_reads().to_vec(),
            unfinished: kernel.unfinished().to_vec(),
            shared_grain: Grain::Word,
            global_grain: Grain::Word,
        };
        for (at, instruction) in program.code.iter().enumerate() {
            match instruction.operation {
                Operation::Load(k) => {
                    let access = &program.accesses[k as usize];
                    let elements = used_elements(program, access, &used);
                    let opcode = &kernel.instruction(at as u32).opcode;
                    let parameter = opcode.starts_with("ld.param");
                    let mbarrier = opcode.starts_with("mbarrier.");
                    let own = Traits { used: elements, parameter, mbarrier, ..Traits::default() };
                    facts.access(at, access, own);
                }
                Operation::Store(k) => {
                    let opcode = &kernel.instruction(at as u32).opcode;
                    let begins = opcode.starts_with("mbarrier.init");
                    let is_released = opcode.starts_with("tensormap.cp_fenceproxy");
                    let space = program.accesses[k as usize].space;
                    let map = match is_released || opcode.starts_with("tensormap.") {
                        true if space == Space::Global => MapUse::Changes { is_released },
                        _ => MapUse::None,
                    };
                    let own = Traits { stores: true, begins, map, ..Traits::default() };
                    facts.access(at, &program.accesses[k as usize], own);
                }
                Operation::Atomic(k) => {
                    let atomic = &program.atomics[k as usize];
                    let opcode = &kernel.instruction(at as u32).opcode;
                    let mut old = atomic.results().map(|register| program.number(register));
                    // The value that an exchange replaces does not matter if its result is unused.
                    let reads = atomic.operation != AtomicOperation::Exchange
                        || old.any(|old| used.contains(&old));
                    let elements = if reads { 0xf } else { 0 };
                    let own = Traits {
                        strong: true,
                        atomic: true,
                        mbarrier: atomic.value == AtomicType::Barrier,
                        bulk: opcode.contains("async.bulk"),
                        used: elements,
                        ..Traits::default()
                    };
                    facts.count(at, Traits { order: atomic.order, scope: atomic.scope, ..own });
                    facts.grains(atomic.space, atomic.value.bytes());
                    facts.strong(true, atomic.space, atomic.scope);
                }
                Operation::Matrix(matrix @ (Matrix::Load(k) | Matrix::Store(k))) => {
                    let stores = matches!(matrix, Matrix::Store(_));
                    facts.count(at, Traits { used: 0xf, stores, ..Traits::default() });
                    facts.grains(program.matrix_rows[k as usize].space, MatrixRows::ROW);
                }
                // It reads shared memory through the asynchronous proxy.
                Operation::Matrix(Matrix::Fragment(k)) => {
                    facts.products = true;
                    let own = Traits { used: 0xf, bulk: true, product: true, ..Traits::default() };
                    facts.count(at, own);
                    let fragment = &program.fragments[k as usize];
                    let bits = if fragment.transposed { fragment.bits } else { 32 };
                    facts.grains(Space::Shared, u64::from(bits) / 8);
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
                Operation::Copying(
                    which @ (Copying::Begin(_) | Copying::Bulk(_) | Copying::Tensor(_)),
                ) => {
                    let bulk = !matches!(which, Copying::Begin(_));
                    let sends = match which {
                        Copying::Bulk(k) => program.bulk_copies[k as usize].to.0 == Space::Global,
                        Copying::Tensor(k) => program.tensor_copies[k as usize].stores,
                        _ => false,
                    };
                    facts.bulk_copies |= bulk;
                    let own = Traits { stores: true, copies: true, bulk, ..Traits::default() };
                    let map = match which {
                        Copying::Tensor(k) => MapUse::Reads(program.tensor_copies[k as usize].map),
                        _ => MapUse::None,
                    };
                    facts.count(at, Traits { used: 0xf, sends, map, ..own });
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
        for (at, lanes) in kept(kernel) {
            facts.traits[at].kept = Some(lanes);
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
        self.count(
            at,
            Traits { strong: access.strong, order: access.order, scope: access.scope, ..own },
        );
        self.grains(access.space, access.cell.bytes());
        self.strong(access.strong, access.space, access.scope);
    }

    fn strong(&mut self, is_strong: bool, space: Space, scope: Scope) {
        let in_global = is_strong && !matches!(space, Space::Shared | Space::Cluster);
        self.plain_global &= !in_global;
        self.narrow_global |= in_global && !scope.spans_blocks();
    }

    /// A thread has passed a barrier for the last time if it executes a block that post-dominates it and from which no
    /// path leads back to it. A block that only exits does not count, because a thread may return early.
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
        if bytes < 4 && matches!(space, Space::Shared | Space::Cluster | Space::Generic) {
            self.shared_grain = Grain::Byte;
        }
        if bytes < 4 && matches!(space, Space::Global | Space::Generic) {
            self.global_grain = Grain::Byte;
        }
    }
}
