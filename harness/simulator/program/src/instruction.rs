//! A kernel as the executor wants it: registers resolved, constants in registers, basic blocks.

mod access;
mod call;
mod cluster;
mod constant;
mod matrix;
mod texture;
mod warp;

use crate::alu::lanewise::Compared;
use crate::alu::matrix::Product;
use crate::alu::{Fast, General};
use crate::registers::{File, Operands, Register};
pub use access::{
    Access, AsyncCopy, Atomic, AtomicOperation, AtomicType, BulkCopy, Cell, Copying, Groups, Order,
    Part, Scope, TensorCopy,
};
pub use call::{Call, Callee, Function, Place, Service, function_address};
pub use cluster::{ClusterAddress, OfCluster};
pub use constant::{Constant, Half, Special};
pub use matrix::{Fragment, Matrix, MatrixRows};
use ptx::Space;
use ptx::ast::Location;
use semantics::compare::Comparison;
pub use texture::{
    Coordinates, Detail, Outcome, Outside, Query, Sample, SurfaceAccess, SurfaceData, Texturing,
};
pub use warp::{Barrier, BarrierResult, Exchange, ExchangeKind, Reduction, Shuffle};

/// A predicate that switches an instruction off, or none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Guard(u32);

impl Guard {
    /// No predicate: all lanes pass.
    pub const NONE: Guard = Guard(u32::MAX);

    /// The lanes pass where the predicate is true, or where it is false.
    pub fn new(predicate: u16, negated: bool) -> Guard {
        Guard(u32::from(predicate) << 1 | u32::from(negated))
    }

    /// The one that all other lanes pass; none if there are no others.
    pub fn inverted(self) -> Option<Guard> {
        self.get().map(|(predicate, negated)| Guard::new(predicate, !negated))
    }

    /// The predicate and whether it is negated.
    #[inline(always)]
    pub fn get(self) -> Option<(u16, bool)> {
        (self != Guard::NONE).then_some(((self.0 >> 1) as u16, self.0 & 1 != 0))
    }
}

/// Logic on predicates.
#[expect(missing_docs, reason = "named as PTX names the operations")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Logic {
    And,
    Or,
    Xor,
    Not,
    Move,
}

/// What a fence shows to the asynchronous proxy of what its threads did (PTX ISA, "fence").
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proxied {
    /// All of their accesses: `fence.proxy`.
    All,
    /// The `mbarrier`s that they have initialised, which other blocks of the cluster see too: `fence.mbarrier_init`.
    Barriers,
    /// The tensor maps that they have changed: `fence.proxy.tensormap` that releases.
    Maps,
}

/// What is done to the end of a lane's stack, which is an address of local memory (PTX ISA, "Stack Manipulation Instructions").
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OfStack {
    /// `d` gets the address of `a` bytes that are added, at a multiple of this power of two.
    Allocate(u8),
    /// `d` gets the end.
    Save,
    /// The end becomes `a`.
    Restore,
}

/// What an instruction does. Its operands are in [`Instruction`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Operation {
    /// Arithmetic that kernels use most.
    Fast(Fast),
    /// All other arithmetic.
    General(General),
    /// `d = a cmp b` on 32-bit types, by far the most frequent comparisons.
    Compare(Compared, Comparison),
    /// `d = a op b` on predicates.
    Predicate(Logic),
    /// Index into `Program::accesses`.
    Load(u32),
    /// Index into `Program::accesses`.
    Store(u32),
    /// Index into `Program::atomics`.
    Atomic(u32),
    /// Index into `Program::exchanges`.
    Exchange(u32),
    /// What all lanes of a warp must do together.
    Matrix(Matrix),
    /// Texture and surface objects.
    Texture(Texturing),
    /// Copies into shared memory.
    Copying(Copying),
    /// What the blocks of a cluster do together.
    Cluster(OfCluster),
    /// `clock`, `clock64`, `globaltimer`: into a register of 32 or 64 bits.
    Clock(File),
    /// Whether the generic address `a` is in a space.
    IsSpace(Space),
    /// Accesses are sequentially consistent enough as they are: nothing to do but to tell who watches.
    Fence {
        /// The threads for which it orders accesses.
        scope: Scope,
        /// `fence.sc`, `membar`: of sequential consistency.
        sequential: bool,
    },
    /// Groups of `wgmma` products.
    Products(Groups),
    /// Between ways of access to the same memory.
    ProxyFence(Proxied),
    /// `fence.proxy.tensormap` that acquires the map at the generic address `a`, which may be none.
    AcquireMap,
    /// `setmaxnreg`: so many registers for each lane. It changes nothing here.
    Registers(u32),
    /// What changes nothing here: `prefetch`, `nanosleep`.
    Nothing,
    /// To a block, for the lanes that the guard lets through.
    Branch(u32),
    /// Ends the lanes.
    Exit,
    /// To the caller of the function.
    Return,
    /// Index into `Program::calls`: a call that lanes come back from.
    Call(u32),
    /// Index into `Program::calls`: one that is done at once.
    Service(u32),
    /// The end of each lane's own stack.
    Stack(OfStack),
    /// Stops the launch.
    Trap,
    /// Index into `Program::barriers`.
    Barrier(u32),
}

/// An instruction: an operation, a destination, sources.
#[derive(Debug, Clone, Copy)]
pub struct Instruction {
    /// What it does.
    pub operation: Operation,
    /// The predicate that decides which lanes execute it.
    pub guard: Guard,
    /// Indices of the destination and source registers.
    pub operands: Operands,
}

// The executor walks over them: what makes them larger makes it slower.
const _: () = assert!(size_of::<Instruction>() <= 32);

/// A basic block.
#[derive(Debug, Clone, Copy)]
pub struct BasicBlock {
    /// Index of its first instruction in `Program::code`.
    pub first: u32,
    /// Index after its last instruction.
    pub end: u32,
    /// Where lanes that part here meet again; [`NOWHERE`] if only at the end.
    pub meet: u32,
}

/// No block: lanes that part meet again only at the end.
pub const NOWHERE: u32 = u32::MAX;
/// No block: where lanes of a call meet again when all of them have returned.
pub const RETURN: u32 = u32::MAX - 1;

/// A kernel as it is executed: instructions, and the tables into which they index.
#[derive(Debug, Default)]
pub struct Program {
    /// All instructions.
    pub code: Vec<Instruction>,
    /// For each instruction of `code`: line in the PTX, from 1, and place in the CUDA source.
    pub lines: Vec<(u32, Location)>,
    /// Basic blocks, in the order of their code.
    pub blocks: Vec<BasicBlock>,
    /// Loads and stores.
    pub accesses: Vec<Access>,
    /// For each access the first in its basic block with the same addresses but for [`Access::plus`]: mostly itself.
    pub like: Vec<u32>,
    /// Atomic operations.
    pub atomics: Vec<Atomic>,
    /// Exchanges between lanes.
    pub exchanges: Vec<Exchange>,
    /// Matrix products.
    pub products: Vec<Product>,
    /// Loads and stores of matrices.
    pub matrix_rows: Vec<MatrixRows>,
    /// Operands of matrix products in shared memory.
    pub fragments: Vec<Fragment>,
    /// Where `wgmma.wait_group` is, and how many groups it leaves under way.
    pub product_waits: Vec<(u32, u64)>,
    /// Asynchronous copies: `cp.async`.
    pub copies: Vec<AsyncCopy>,
    /// Bulk copies: `cp.async.bulk`, `cp.reduce.async.bulk`.
    pub bulk_copies: Vec<BulkCopy>,
    /// Copies of boxes of tensors: `cp.async.bulk.tensor`, `cp.reduce.async.bulk.tensor`.
    pub tensor_copies: Vec<TensorCopy>,
    /// Texture samples.
    pub samples: Vec<Sample>,
    /// Surface accesses.
    pub surfaces: Vec<SurfaceAccess>,
    /// Barriers of the block.
    pub barriers: Vec<Barrier>,
    /// Whether it uses the barrier of the cluster.
    pub meets_clusters: bool,
    /// Calls of functions and of the system's services.
    pub calls: Vec<Call>,
    /// Functions that calls lead to, in the order of their code.
    pub functions: Vec<Function>,
    /// The register of each lane's frame, if there are functions.
    pub frame: Option<u16>,
    /// What registers hold before the first instruction.
    pub constants: Vec<(Register, Constant)>,
    /// Registers that only pass a value on within an instruction.
    pub scratch: Vec<Register>,
    /// Registers in each [`File`].
    pub registers: [u16; 3],
    /// Local memory of each thread, without its stack, bytes.
    pub local_bytes: u64,
    /// Threads allocate on their stack, or save its end.
    pub uses_stack: bool,
    /// Size of all parameters, bytes.
    pub parameter_bytes: u32,
    /// Variables in shared memory, by offset; what the launch adds comes after them.
    pub shared: Vec<SharedVariable>,
    /// Where the shared memory is that the system keeps for libraries such as cooperative groups, if the kernel uses it.
    pub reserved_offset: Option<u64>,
    /// The name of the array in the shared memory that a launch adds, if the kernel uses it.
    pub dynamic_shared: Option<String>,
}

/// Bytes of shared memory that the system keeps for itself since compute capability 8.0.
pub const RESERVED_SHARED: u64 = 1024;

/// A variable in shared memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedVariable {
    /// Name in the PTX.
    pub name: String,
    /// Bytes from the start of the block's shared memory.
    pub offset: u64,
    /// Size, bytes.
    pub bytes: u64,
}

impl Program {
    /// The shared memory that the system keeps: it is 0 at first.
    pub fn reserved_shared(&self) -> Option<std::ops::Range<usize>> {
        let first = self.reserved_offset? as usize;
        Some(first..first + RESERVED_SHARED as usize)
    }

    /// A register's number, as in [`crate::Summary`].
    #[inline]
    pub fn number(&self, register: Register) -> u16 {
        let [words, doubles, _] = self.registers;
        match register.file {
            File::Words => register.index,
            File::Doubles => words + register.index,
            File::Predicates => words + doubles + register.index,
        }
    }

    /// Whether the load at a place goes past the L1 cache: `.cg`, and where another thread's store must be seen
    /// (`.volatile`, `.relaxed` …).
    #[inline]
    pub fn is_past_l1(&self, at: u32) -> bool {
        match self.code[at as usize].operation {
            Operation::Load(k) => {
                let access = &self.accesses[k as usize];
                access.strong || access.past_l1
            }
            Operation::Copying(Copying::Begin(k)) => self.copies[k as usize].past_l1,
            _ => false,
        }
    }

    /// Whether the load or store at a place is one that other threads are promised to see, or to be seen by.
    #[inline]
    pub fn is_strong(&self, at: u32) -> bool {
        match self.code[at as usize].operation {
            Operation::Load(k) | Operation::Store(k) => {
                let Access { strong, order, .. } = self.accesses[k as usize];
                strong || order.acquire || order.release
            }
            _ => false,
        }
    }

    /// Whether it allocates memory or frees it.
    pub fn allocates(&self) -> bool {
        self.calls.iter().any(Call::allocates)
    }

    /// Whether a block does nothing but end the threads.
    #[inline]
    pub fn ends(&self, block: u32) -> bool {
        let Some(block) = self.blocks.get(block as usize) else { return true };
        let first = &self.code[block.first as usize];
        first.operation == Operation::Exit && first.guard.get().is_none()
    }
}
