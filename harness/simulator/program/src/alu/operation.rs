//! The arithmetic that is composed from operation, type and modifiers, as data.

use super::half::{Clamp, Conversion};
use super::scalar::Scalar;
use semantics::Rounding;
use semantics::bits::PermuteMode;
use semantics::compare::{Comparison, Property};
use semantics::half::Format;
use semantics::video::Video;

/// Operations on every integer type; operands and result have that type unless noted.
#[expect(missing_docs, reason = "named as PTX names the operations")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Integral {
    Add,
    Sub,
    MulLo,
    MulHi,
    MadLo,
    MadHi,
    Div,
    Rem,
    Abs,
    Neg,
    Min,
    Max,
    Sad,
    /// The sum goes to `d`, the carry comes from and goes to the register `c`.
    AddCarry,
    SubBorrow,
}

/// Operations on bits; counts and positions are 32-bit.
#[expect(missing_docs, reason = "named as PTX names the operations")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bitwise {
    And,
    Or,
    Xor,
    Not,
    Cnot,
    Shl,
    Shr,
    Popc,
    Clz,
    /// With `.shiftamt` or not.
    Bfind(bool),
    Brev,
    Bfe,
    Bfi,
}

/// Operations that exist for 32 bits only.
#[expect(missing_docs, reason = "named as PTX names the operations")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arithmetic32 {
    AddSat,
    SubSat,
    MadHiSat,
    /// The 24-bit ones: signed or not.
    Mul24Lo(bool),
    Mul24Hi(bool),
    Mad24Lo(bool),
    Mad24Hi(bool),
    Mad24HiSat,
    /// Signedness of `a` and `b`.
    Dp4a(bool, bool),
    /// The same, and whether the upper half of `b` is meant.
    Dp2a(bool, bool, bool),
    Lop3(u8),
    Prmt(PermuteMode),
    /// Wraps, or clamps at 32.
    Bmsk(bool),
    /// Signed or not; wraps or clamps.
    Szext(bool, bool),
    Fns,
    ShfLeft(bool),
    ShfRight(bool),
    MulWide16(bool),
    MadWide16(bool),
}

/// Operations on floating-point numbers.
#[expect(missing_docs, reason = "named as PTX names the operations")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Float {
    Add,
    Sub,
    Mul,
    Fma,
    Div,
    DivApprox,
    DivFull,
    Rcp,
    RcpApprox,
    Sqrt,
    SqrtApprox,
    RsqrtApprox,
    Ex2,
    Lg2,
    Sin,
    Cos,
    Tanh,
    /// Whether a NaN wins.
    Min(bool),
    Max(bool),
    /// The same of the magnitudes, with the product's sign.
    MinMagnitude(bool),
    MaxMagnitude(bool),
    Neg,
    Abs,
    Copysign,
}

/// `.rn` …, `.ftz`, `.sat`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FloatModifiers {
    /// How results are rounded.
    pub rounding: Rounding,
    /// `.ftz`: subnormal numbers count as 0.
    pub ftz: bool,
    /// `.sat`: results lie between 0 and 1.
    pub sat: bool,
}

/// Operations on numbers of 16 bits.
#[expect(missing_docs, reason = "named as PTX names the operations")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Half {
    Add,
    Sub,
    Mul,
    Fma,
    /// The least or the greatest; whether a NaN wins; whether it is that of the magnitudes, with the product's sign.
    Extreme {
        greatest: bool,
        nan: bool,
        product_sign: bool,
    },
    Neg,
    Abs,
    Ex2,
    Tanh,
}

/// Their type and modifiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HalfModifiers {
    /// Format of the operands: `f16` or `bf16`.
    pub format: Format,
    /// Two numbers in a register.
    pub pair: bool,
    /// `.ftz`: subnormal numbers count as 0.
    pub ftz: bool,
    /// What is done to results out of range.
    pub clamp: Clamp,
}

/// An operation with its type and modifiers.
#[expect(missing_docs, reason = "named as PTX names the operations")]
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum General {
    Integral(Integral, Scalar),
    Bitwise(Bitwise, Scalar),
    Arithmetic32(Arithmetic32),
    Float32(Float, FloatModifiers),
    Float64(Float, FloatModifiers),
    Half(Half, HalfModifiers),
    /// On parts of registers: one, or two or four at once.
    Video(Video, u8),
    /// From or to a number of few bits.
    HalfConvert(Conversion),
    /// To a predicate; `.ftz` or not.
    Compare(Scalar, Comparison, bool),
    Test(Scalar, Property),
    /// The data's type and that of the number whose sign chooses; `.ftz` or not.
    Select(Scalar, Scalar, bool),
    /// From, to. Without a rounding modifier the conversion is exact or between integers.
    Convert(Scalar, Scalar, Option<Rounding>, FloatModifiers),
}
