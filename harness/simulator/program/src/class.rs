//! Kinds of instructions.

/// What kind of work an instruction is, as far as a GPU's pipelines tell kinds apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Class {
    /// Single-precision add, subtract, minimum, maximum, negate, absolute value.
    Fp32Add,
    /// Single-precision multiply.
    Fp32Mul,
    /// Single-precision fused multiply-add.
    Fp32Fma,
    /// One instruction of the special function unit: `rsqrt`, `ex2`, `sin` … `.approx`.
    Mufu,
    /// The same where subnormal numbers are kept (no `.ftz`): real hardware scales before and after.
    MufuSubnormal,
    /// `sqrt.rn`: a sequence of instructions on real hardware.
    SqrtRn,
    /// `rcp.rn`: a sequence of instructions on real hardware.
    RcpRn,
    /// `div` in single precision: a sequence of instructions on real hardware.
    DivRn,
    /// Any double-precision arithmetic.
    Fp64,
    /// Integer add, logic, shift, bit operations.
    Integer,
    /// Integer multiply and multiply-add.
    IntegerMul,
    /// Integer division and remainder: a long sequence on real hardware.
    IntegerDiv,
    /// Conversion between types.
    Conversion,
    /// Copies, address conversions, special registers.
    Move,
    /// Comparisons, selections and logic on predicates.
    Predicate,
    /// Load from global (or generic) memory.
    LoadGlobal,
    /// Store to global (or generic) memory.
    StoreGlobal,
    /// Load from shared memory.
    LoadShared,
    /// Store to shared memory.
    StoreShared,
    /// Load from constant memory.
    LoadConst,
    /// Load of a kernel parameter.
    LoadParam,
    /// Load from or store to local memory.
    Local,
    /// Atomic operation on memory.
    Atomic,
    /// Branch, call, return, exit.
    Branch,
    /// Barrier of a block.
    Barrier,
    /// Exchange between the lanes of a warp: shuffle, vote, match, reduce, transpose.
    Shuffle,
    /// Matrix multiply-add of a warp (`mma`).
    Tensor,
    /// Memory fence.
    Fence,
    /// Anything else.
    Other,
}

impl Class {
    /// Number of classes.
    pub const COUNT: usize = Class::ALL.len();

    /// Every class, in the order of `Events::classes`.
    pub const ALL: [Class; 29] = [
        Class::Fp32Add,
        Class::Fp32Mul,
        Class::Fp32Fma,
        Class::Mufu,
        Class::MufuSubnormal,
        Class::SqrtRn,
        Class::RcpRn,
        Class::DivRn,
        Class::Fp64,
        Class::Integer,
        Class::IntegerMul,
        Class::IntegerDiv,
        Class::Conversion,
        Class::Move,
        Class::Predicate,
        Class::LoadGlobal,
        Class::StoreGlobal,
        Class::LoadShared,
        Class::StoreShared,
        Class::LoadConst,
        Class::LoadParam,
        Class::Local,
        Class::Atomic,
        Class::Branch,
        Class::Barrier,
        Class::Shuffle,
        Class::Tensor,
        Class::Fence,
        Class::Other,
    ];
}
