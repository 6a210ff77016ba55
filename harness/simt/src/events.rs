//! What a launch did, counted: instructions by class and executions of every basic block.

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
    /// Exchange between the lanes of a warp: shuffle, vote, match, reduce.
    Shuffle,
    /// Memory fence.
    Fence,
    /// Anything else.
    Other,
}

impl Class {
    /// Number of classes.
    pub const COUNT: usize = Class::ALL.len();

    /// Every class, in the order of `Events::classes`.
    pub const ALL: [Class; 28] = [
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
        Class::Fence,
        Class::Other,
    ];
}

/// Instructions of one class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ClassCount {
    /// Instructions issued by warps.
    pub warps: u64,
    /// The same, times the threads active in each.
    pub threads: u64,
}

/// How often one basic block ran.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BlockCount {
    /// Executions by warps (or by the part of a warp that came along).
    pub executions: u64,
    /// Active threads, summed over the executions.
    pub lanes: u64,
}

/// What a launch did. Exact; for a kernel without races it is the same whatever the number of CPU threads.
///
/// An instruction counts for every thread that reaches it, also where its own guard (`@%p`) then switches it off,
/// as it takes an issue slot on a GPU too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Events {
    /// Instructions issued by warps.
    pub warp_instructions: u64,
    /// The same, times the threads active in each.
    pub thread_instructions: u64,
    /// Instructions by class, in the order of [`Class::ALL`].
    pub classes: [ClassCount; Class::COUNT],
    /// Executions of each basic block, in the order of [`crate::Kernel::blocks`].
    pub blocks: Vec<BlockCount>,
}

impl Events {
    /// Derives the totals from the blocks' counts and their static mix of classes.
    pub(crate) fn from_blocks(kernel: &crate::Kernel, blocks: Vec<BlockCount>) -> Events {
        let mut classes = [ClassCount::default(); Class::COUNT];
        for (block, count) in kernel.blocks().iter().zip(&blocks) {
            for instruction in &block.instructions {
                let class = &mut classes[instruction.class as usize];
                class.warps += count.executions;
                class.threads += count.lanes;
            }
        }
        Events {
            warp_instructions: classes.iter().map(|c| c.warps).sum(),
            thread_instructions: classes.iter().map(|c| c.threads).sum(),
            classes,
            blocks,
        }
    }

    /// The count of one class.
    pub fn class(&self, class: Class) -> ClassCount {
        self.classes[class as usize]
    }
}
