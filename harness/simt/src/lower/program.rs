//! A kernel as the executor wants it: registers resolved, constants in registers, basic blocks.

use crate::alu::{Fast, General};
use crate::fault::Space;
use crate::ptx::ast::Location;
use crate::semantics::compare::Comparison;

/// A register file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(usize)]
pub(crate) enum File {
    /// 32 bits and less.
    Words,
    /// 64 bits.
    Doubles,
    /// One bit.
    Predicates,
}

/// A register: its file and its place there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Register {
    pub file: File,
    pub index: u16,
}

/// What a register holds before the first instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Constant {
    /// The same bits in every lane.
    Bits(u64),
    /// The address of the module's variable of this index, plus an offset.
    Address(u32, i64),
    /// The start of the launch's own shared memory, plus an offset.
    DynamicShared(i64),
    /// A special register that does not change while a block runs.
    Special(Special),
}

/// Special registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Special {
    Thread(u8),
    Threads(u8),
    Block(u8),
    Blocks(u8),
    Lane,
    Warp,
    Warps,
    /// Lanes equal to, below, up to, from, above one's own.
    LaneMask(std::cmp::Ordering, bool),
    Processor,
    Processors,
    Grid,
    DynamicSharedBytes,
    SharedBytes,
    /// Reads as 0: environment registers and the like.
    Zero,
}

/// A predicate that switches an instruction off, or none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Guard(u32);

impl Guard {
    pub(crate) const NONE: Guard = Guard(u32::MAX);

    pub(crate) fn new(predicate: u16, negated: bool) -> Guard {
        Guard(u32::from(predicate) << 1 | u32::from(negated))
    }

    /// The predicate and whether it is negated.
    #[inline(always)]
    pub(crate) fn get(self) -> Option<(u16, bool)> {
        (self != Guard::NONE).then_some(((self.0 >> 1) as u16, self.0 & 1 != 0))
    }
}

/// Logic on predicates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Logic {
    And,
    Or,
    Xor,
    Not,
    Move,
}

/// A type of which the executor has a fast comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(usize)]
pub(crate) enum Compared {
    U32,
    I32,
    F32,
}

/// The numbers that a matrix product multiplies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Element {
    F16,
    Bf16,
    Tf32,
}

/// `mma.sync`: 16×k times k×8, plus 16×8.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Product {
    pub element: Element,
    /// k: columns of the first operand and rows of the second.
    pub depth: u8,
    pub d: [u16; 4],
    /// Of these registers as many are used as the depth asks for.
    pub a: [u16; 4],
    pub b: [u16; 2],
    pub c: [u16; 4],
}

/// `ldmatrix`: 8×8 matrices of 16-bit numbers from shared memory.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MatrixLoad {
    pub space: Space,
    /// Matrices: 1, 2 or 4. Lane i has the address of row i modulo 8 of matrix i / 8.
    pub count: u8,
    pub transposed: bool,
    pub data: [u16; 4],
    pub address: Register,
    pub plus: i64,
}

impl MatrixLoad {
    /// Bytes of a row.
    pub(crate) const ROW: u64 = 16;

    /// The lanes whose addresses count.
    pub(crate) fn lanes(&self) -> u32 {
        u32::MAX >> (32 - 8 * u32::from(self.count))
    }
}

/// What a whole warp does with matrices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Matrix {
    /// Index into `Program::products`.
    Multiply(u32),
    /// Register `a` transposed into `d`.
    Transpose,
    /// Index into `Program::matrix_loads`.
    Load(u32),
}

/// `cp.async`: from global to shared memory, there when it is waited for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AsyncCopy {
    /// In shared memory.
    pub to: Register,
    pub to_plus: i64,
    /// In global memory.
    pub from: Register,
    pub from_plus: i64,
    /// 4, 8 or 16 for each lane.
    pub bytes: u64,
}

/// What threads do about copies for which they do not wait at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Copying {
    /// Index into `Program::copies`.
    Begin(u32),
    /// Those begun since the last time are a group.
    Commit,
    /// Waits until no more than so many groups, the latest, are under way; without a number, for all copies.
    Wait(Option<u32>),
}

/// What an instruction does. Its operands are in [`Instruction`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Operation {
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
    Store(u32),
    /// Index into `Program::atomics`.
    Atomic(u32),
    /// Index into `Program::exchanges`.
    Exchange(u32),
    /// What all lanes of a warp must do together.
    Matrix(Matrix),
    /// Copies into shared memory.
    Copying(Copying),
    /// `clock`, `clock64`, `globaltimer`: into a register of 32 or 64 bits.
    Clock(File),
    /// Whether the generic address `a` is in a space.
    IsSpace(Space),
    /// Accesses are sequentially consistent enough as they are: nothing to do but to tell who watches.
    Fence,
    /// What changes nothing here: `prefetch`, `nanosleep`.
    Nothing,
    /// To a block, for the lanes that the guard lets through.
    Branch(u32),
    Exit,
    Trap,
    /// Index into `Program::barriers`.
    Barrier(u32),
}

/// An instruction: an operation, a destination, sources.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Instruction {
    pub operation: Operation,
    pub guard: Guard,
    pub d: u16,
    pub a: u16,
    pub b: u16,
    pub c: u16,
    pub e: u16,
}

/// The type of one element in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cell {
    U8,
    I8,
    U16,
    I16,
    B32,
    /// Sign-extended into a 64-bit register.
    I32,
    B64,
}

impl Cell {
    #[inline(always)]
    pub(crate) fn bytes(self) -> u64 {
        match self {
            Cell::U8 | Cell::I8 => 1,
            Cell::U16 | Cell::I16 => 2,
            Cell::B32 | Cell::I32 => 4,
            Cell::B64 => 8,
        }
    }
}

/// A load's or store's particulars.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Access {
    pub space: Space,
    pub cell: Cell,
    /// Elements: 1, 2 or 4.
    pub count: u8,
    /// The file of the data registers.
    pub file: File,
    pub data: [u16; 4],
    /// Bit k: element k is `_`, not kept.
    pub dropped: u8,
    pub address: Register,
    pub plus: i64,
    /// The address is the same in all lanes, whatever they compute.
    pub uniform: bool,
    /// It is never torn, and may wait for another thread's store: that counts towards giving others a turn.
    pub strong: bool,
    pub order: Order,
}

/// How an access orders others, by its own modifiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Order {
    /// `.acquire`, `.acq_rel`: what comes after it sees what was released.
    pub acquire: bool,
    /// `.release`, `.acq_rel`: who acquires sees what came before it.
    pub release: bool,
}

/// An atomic's operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AtomicOperation {
    And,
    Or,
    Xor,
    Exchange,
    Add,
    Increment,
    Decrement,
    Min,
    Max,
    CompareExchange,
}

/// An atomic's value type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AtomicType {
    U32,
    I32,
    F32,
    U64,
    I64,
    F64,
    /// Compare-and-swap and exchange only.
    U16,
}

impl AtomicType {
    pub(crate) fn bytes(self) -> u64 {
        match self {
            AtomicType::U16 => 2,
            AtomicType::U32 | AtomicType::I32 | AtomicType::F32 => 4,
            AtomicType::U64 | AtomicType::I64 | AtomicType::F64 => 8,
        }
    }
}

/// An atomic's particulars.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Atomic {
    pub space: Space,
    pub operation: AtomicOperation,
    pub value: AtomicType,
    /// Elements of a vector `red`.
    pub count: u8,
    pub data: [u16; 4],
    /// The second operand of `cas`.
    pub other: u16,
    /// Where the old value goes; `red` has none.
    pub result: Option<u16>,
    pub address: Register,
    pub plus: i64,
    pub order: Order,
}

/// The four shuffles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shuffle {
    Up,
    Down,
    Butterfly,
    Index,
}

/// A reduction over lanes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reduction {
    Add,
    And,
    Or,
    Xor,
    MinUnsigned,
    MaxUnsigned,
    MinSigned,
    MaxSigned,
}

/// What lanes of a warp exchange.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ExchangeKind {
    /// From `a`, by `b`, within `c`; `second` takes the predicate.
    Shuffle(Shuffle),
    /// The lanes' predicates `a`, complemented or not.
    All(bool),
    Any(bool),
    Uniform(bool),
    Ballot(bool),
    ActiveMask,
    /// Lanes with the same `a` of the file.
    MatchAny(File),
    MatchAll(File),
    Reduce(Reduction),
    /// Only waits for the lanes.
    Synchronise,
}

/// An exchange's particulars; its data registers are the instruction's.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Exchange {
    pub kind: ExchangeKind,
    /// The lanes that take part; without it, those that are there.
    pub members: Option<u16>,
    /// A second destination, a predicate.
    pub second: Option<u16>,
}

/// What a barrier computes from the threads' predicates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BarrierResult {
    None,
    And,
    Or,
    Count,
}

/// A barrier's particulars: number and threads are in registers `a` and `b`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Barrier {
    pub result: BarrierResult,
    /// Complements the predicate (in `c`).
    pub negated: bool,
    /// Whether the number of threads is given.
    pub counted: bool,
    /// `bar.arrive`: goes on without waiting.
    pub arrive: bool,
    /// All threads of a warp must execute it together: `bar`, and `barrier` with `.aligned`.
    pub aligned: bool,
}

/// A basic block.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BasicBlock {
    /// Its instructions in `Program::code`.
    pub first: u32,
    pub end: u32,
    /// Where lanes that part here meet again; [`NOWHERE`] if only at the end.
    pub meet: u32,
}

/// No block.
pub(crate) const NOWHERE: u32 = u32::MAX;

/// A kernel.
#[derive(Debug, Default)]
pub(crate) struct Program {
    pub code: Vec<Instruction>,
    /// For each instruction.
    pub lines: Vec<(u32, Location)>,
    pub blocks: Vec<BasicBlock>,
    pub accesses: Vec<Access>,
    pub atomics: Vec<Atomic>,
    pub exchanges: Vec<Exchange>,
    pub products: Vec<Product>,
    pub matrix_loads: Vec<MatrixLoad>,
    pub copies: Vec<AsyncCopy>,
    pub barriers: Vec<Barrier>,
    pub constants: Vec<(Register, Constant)>,
    /// Registers in each [`File`].
    pub registers: [u16; 3],
    pub local_bytes: u64,
    pub parameter_bytes: u32,
    /// Variables in shared memory, by offset; what the launch adds comes after them.
    pub shared: Vec<SharedVariable>,
    /// The name of the array in the shared memory that a launch adds, if the kernel uses it.
    pub dynamic_shared: Option<String>,
}

/// A variable in shared memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SharedVariable {
    pub name: String,
    pub offset: u64,
    pub bytes: u64,
}

impl Program {
    /// Whether the instruction at a place is an access that another thread's must be seen by: `.volatile`, `.relaxed` …
    pub(crate) fn is_strong(&self, at: u32) -> bool {
        match self.code[at as usize].operation {
            Operation::Load(k) | Operation::Store(k) => self.accesses[k as usize].strong,
            _ => false,
        }
    }
}
