//! Kinds of instructions.

ptx::kinds! {
    /// What kind of work an instruction is, as far as a GPU's pipelines tell kinds apart.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
    #[repr(u8)]
    pub enum Class {
        /// Single-precision add, subtract, minimum, maximum, negate, absolute value.
        Fp32Add = "FP32 add",
        /// Single-precision multiply.
        Fp32Mul = "FP32 multiply",
        /// Single-precision fused multiply-add.
        Fp32Fma = "FP32 multiply-add",
        /// One instruction of the special function unit: `rsqrt`, `ex2`, `sin` … `.approx`.
        Mufu = "special function",
        /// The same where subnormal numbers are kept (no `.ftz`): real hardware scales before and after.
        MufuSubnormal = "special function (no FTZ)",
        /// `sqrt.rn`: a sequence of instructions on real hardware.
        SqrtRn = "square root",
        /// `rcp.rn`: a sequence of instructions on real hardware.
        RcpRn = "reciprocal",
        /// `div` in single precision: a sequence of instructions on real hardware.
        DivRn = "division",
        /// Any double-precision arithmetic.
        Fp64 = "FP64",
        /// Integer add, logic, shift, bit operations.
        Integer = "integer",
        /// Integer multiply and multiply-add.
        IntegerMul = "integer multiply",
        /// Integer division and remainder: a long sequence on real hardware.
        IntegerDiv = "integer division",
        /// Conversion between types.
        Conversion = "conversion",
        /// Copies, address conversions, special registers.
        Move = "move",
        /// Comparisons, selections and logic on predicates.
        Predicate = "compare, select",
        /// Load from global (or generic) memory.
        LoadGlobal = "global load",
        /// Store to global (or generic) memory.
        StoreGlobal = "global store",
        /// Load from shared memory.
        LoadShared = "shared load",
        /// Store to shared memory.
        StoreShared = "shared store",
        /// Load from constant memory.
        LoadConst = "constant load",
        /// Load of a kernel parameter.
        LoadParam = "parameter load",
        /// Load from or store to local memory.
        Local = "local memory",
        /// Atomic operation on memory.
        Atomic = "atomic",
        /// Branch, call, return, exit.
        Branch = "branch",
        /// Barrier of a block.
        Barrier = "barrier",
        /// Exchange between the lanes of a warp: shuffle, vote, match, reduce, transpose.
        Shuffle = "shuffle, vote",
        /// Matrix multiply-add of a warp (`mma`).
        Tensor = "matrix product",
        /// Memory fence.
        Fence = "fence",
        /// Anything else.
        Other = "other",
    }
}
