//! The kinds of work that a timeline tells apart.

use simt::Class;

/// What an instruction does, as far as a timeline shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Work {
    Fp32,
    /// Square roots, reciprocals, divisions, special functions, double precision.
    Special,
    /// Global or local memory.
    Global,
    Shared,
    /// Constants and parameters.
    Constant,
    /// Branches and comparisons.
    Control,
    Tensor,
    /// Barriers, fences, exchange between lanes.
    Together,
    /// Integer arithmetic, conversions, moves.
    Other,
}

impl Work {
    /// Every kind, in the order of the legend.
    pub const ALL: [Work; 9] = [
        Work::Fp32,
        Work::Special,
        Work::Other,
        Work::Control,
        Work::Constant,
        Work::Shared,
        Work::Global,
        Work::Together,
        Work::Tensor,
    ];

    pub fn of(class: Class) -> Work {
        match class {
            Class::Fp32Add | Class::Fp32Mul | Class::Fp32Fma => Work::Fp32,
            Class::Mufu
            | Class::MufuSubnormal
            | Class::SqrtRn
            | Class::RcpRn
            | Class::DivRn
            | Class::Fp64 => Work::Special,
            Class::LoadGlobal | Class::StoreGlobal | Class::Local | Class::Atomic => Work::Global,
            Class::LoadShared | Class::StoreShared => Work::Shared,
            Class::LoadConst | Class::LoadParam => Work::Constant,
            Class::Branch | Class::Predicate => Work::Control,
            Class::Barrier | Class::Shuffle | Class::Fence => Work::Together,
            Class::Tensor => Work::Tensor,
            Class::Integer
            | Class::IntegerMul
            | Class::IntegerDiv
            | Class::Conversion
            | Class::Move
            | Class::Other => Work::Other,
        }
    }

    pub fn name(self) -> &'static str {
        self.look().0
    }

    pub fn colour(self) -> &'static str {
        self.look().1
    }

    /// Its name and its colour. Colours are those of Okabe and Ito, told apart by readers with any colour vision; and one of
    /// Tol for want of a ninth that shows on light and dark pages.
    fn look(self) -> (&'static str, &'static str) {
        match self {
            Work::Fp32 => ("FP32 arithmetic", "#0072b2"),
            Work::Special => ("division, function, FP64", "#cc79a7"),
            Work::Global => ("global memory", "#d55e00"),
            Work::Shared => ("shared memory", "#e69f00"),
            Work::Constant => ("constant, parameter", "#f0e442"),
            Work::Control => ("comparison, branch", "#56b4e9"),
            Work::Tensor => ("matrix product", "#882255"),
            Work::Together => ("barrier, shuffle", "#009e73"),
            Work::Other => ("integer, move", "#999999"),
        }
    }

    /// Whether it asks something of memory outside the registers, and gets a mark.
    pub fn is_request(self) -> bool {
        matches!(self, Work::Global | Work::Shared)
    }
}
