//! The instructions that kernels spend their time in: one table of opcode, types, semantics, class.

use super::isa::Isa;
use super::lanewise::Lanewise;
use crate::class::Class;
use crate::registers::{Operands, Registers};
use ptx::ast::Type;
use semantics::Rounding::Nearest;
use semantics::float32::{self, SCALE, flush, flush_scaled};
use semantics::{approximate, bits, convert, float64, fma, half, integer};

#[inline(always)]
fn fma_f32<I: Isa>(a: f32, b: f32, c: f32) -> f32 {
    if I::FUSED { fma::fma_f32::<true>(a, b, c) } else { fma::fma_f32::<false>(a, b, c) }
}

#[inline(always)]
fn fma_f64<I: Isa>(a: f64, b: f64, c: f64) -> f64 {
    if I::FUSED { fma::fma_f64::<true>(a, b, c) } else { fma::fma_f64::<false>(a, b, c) }
}

#[inline(always)]
fn mul_ftz(a: f32, b: f32) -> f32 {
    flush_scaled(float32::mul(a, b, Nearest), SCALE * a * b)
}

#[inline(always)]
fn div_ftz(a: f32, b: f32) -> f32 {
    flush_scaled(approximate::div(a, b), approximate::div(SCALE * a, b))
}

#[inline(always)]
fn fma_ftz<I: Isa>(a: f32, b: f32, c: f32) -> f32 {
    if I::FUSED { fma::fma_ftz_f32::<true>(a, b, c) } else { fma::fma_ftz_f32::<false>(a, b, c) }
}

macro_rules! table {
    ($($class:ident { $($name:ident $($opcode:literal)|* ($($input:ident),+) -> $output:ident = $how:ident $function:expr;)+ })+) => {
        /// A row of the table.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Fast {
            $($(
                #[doc = concat!(stringify!($name), ":" $(, " `", $opcode, "`")*)]
                $name,
            )+)+
        }

        impl Fast {
            /// How many rows there are.
            pub const COUNT: usize = [$($(Fast::$name,)+)+].len();

            /// The row of an opcode with all its modifiers.
            pub fn from_opcode(opcode: &str) -> Option<Fast> {
                match opcode {
                    $($($($opcode => Some(Fast::$name),)*)+)+
                    _ => None,
                }
            }

            /// Whether the result is one of the first two sources, of its own type.
            pub fn is_move(self) -> bool {
                use Fast::*;
                matches!(
                    self,
                    Move32 | MoveF32 | Move64 | MoveF64 | Move16 | Select32 | SelectF32 | Select64 | SelectF64 | Select16
                )
            }

            /// What kind of work it is.
            pub fn class(self) -> Class {
                match self { $($(Fast::$name => Class::$class,)+)+ }
            }

            /// Types of the sources, type of the destination.
            pub fn signature(self) -> (Vec<Type>, Type) {
                match self {
                    $($(Fast::$name => (vec![$(kind::$input),+], kind::$output),)+)+
                }
            }
        }

        /// The rows as types, for the executor to compile them one by one.
        pub mod rows {
            use super::*;
            $($(
                #[doc = concat!("The row [`Fast::", stringify!($name), "`].")]
                pub struct $name;
                impl Row for $name {
                    #[inline(always)]
                    fn execute<I: Isa>(registers: &mut Registers, i: &Operands, mask: u32) {
                        Lanewise::<($($input,)+), $output>::$how($function, registers, i, mask);
                    }
                }
            )+)+
        }

        /// An array of `$build::<row>` for each row, indexed by `Fast as usize`.
        #[macro_export]
        macro_rules! each_row {
            ($build:ident) => { [$($($build::<$crate::alu::fast::rows::$name>,)+)+] };
        }
    };
}

/// A row of the table as a function.
pub trait Row {
    /// Executes it in the lanes of `mask`.
    fn execute<I: Isa>(registers: &mut Registers, i: &Operands, mask: u32);
}

/// The PTX types of the table's Rust types.
#[allow(non_upper_case_globals)]
mod kind {
    use ptx::ast::{Kind, Type};
    const fn of(kind: Kind, bits: u32) -> Type {
        Type { kind, bits }
    }
    pub const u16: Type = of(Kind::Unsigned, 16);
    pub const u32: Type = of(Kind::Unsigned, 32);
    pub const i32: Type = of(Kind::Signed, 32);
    pub const f32: Type = of(Kind::Float, 32);
    pub const u64: Type = of(Kind::Unsigned, 64);
    pub const i64: Type = of(Kind::Signed, 64);
    pub const f64: Type = of(Kind::Float, 64);
    pub const bool: Type = of(Kind::Predicate, 0);
}

table! {
    Fp32Add {
        AddF32 "add.f32" | "add.rn.f32" (f32, f32) -> f32 = apply |a, b| float32::add(a, b, Nearest);
        SubF32 "sub.f32" | "sub.rn.f32" (f32, f32) -> f32 = apply |a, b| float32::sub(a, b, Nearest);
        AddFtzF32 "add.ftz.f32" | "add.rn.ftz.f32" (f32, f32) -> f32 = apply
            |a, b| flush(float32::add(flush(a), flush(b), Nearest));
        SubFtzF32 "sub.ftz.f32" | "sub.rn.ftz.f32" (f32, f32) -> f32 = apply
            |a, b| flush(float32::sub(flush(a), flush(b), Nearest));
        MinF32 "min.f32" (f32, f32) -> f32 = apply |a, b| float32::min(a, b, false);
        MaxF32 "max.f32" (f32, f32) -> f32 = apply |a, b| float32::max(a, b, false);
        NegF32 "neg.f32" (f32) -> f32 = apply float32::neg;
        AbsF32 "abs.f32" (f32) -> f32 = apply float32::abs;
        MinFtzF32 "min.ftz.f32" (f32, f32) -> f32 = apply
            |a, b| flush(float32::min(flush(a), flush(b), false));
        MaxFtzF32 "max.ftz.f32" (f32, f32) -> f32 = apply
            |a, b| flush(float32::max(flush(a), flush(b), false));
    }
    Fp32Mul {
        MulF32 "mul.f32" | "mul.rn.f32" (f32, f32) -> f32 = apply |a, b| float32::mul(a, b, Nearest);
        MulFtzF32 "mul.ftz.f32" | "mul.rn.ftz.f32" (f32, f32) -> f32 = apply
            |a, b| mul_ftz(flush(a), flush(b));
    }
    Fp32Fma {
        FmaF32 "fma.rn.f32" | "mad.rn.f32" (f32, f32, f32) -> f32 = apply fma_f32::<I>;
        FmaFtzF32 "fma.rn.ftz.f32" | "mad.rn.ftz.f32" (f32, f32, f32) -> f32 = apply
            |a, b, c| fma_ftz::<I>(flush(a), flush(b), flush(c));
    }
    MufuSubnormal {
        RsqrtF32 "rsqrt.approx.f32" (f32) -> f32 = apply_sparse approximate::rsqrt;
        SqrtApproxF32 "sqrt.approx.f32" (f32) -> f32 = apply_sparse approximate::sqrt;
        Ex2F32 "ex2.approx.f32" (f32) -> f32 = apply_sparse approximate::ex2;
        Lg2F32 "lg2.approx.f32" (f32) -> f32 = apply_sparse approximate::lg2;
    }
    Mufu {
        RsqrtFtzF32 "rsqrt.approx.ftz.f32" (f32) -> f32 = apply_sparse
            |a| flush(approximate::rsqrt(flush(a)));
        RcpApproxF32 "rcp.approx.f32" (f32) -> f32 = apply_sparse approximate::rcp;
        RcpApproxFtzF32 "rcp.approx.ftz.f32" (f32) -> f32 = apply_sparse
            |a| flush(approximate::rcp(flush(a)));
        SqrtApproxFtzF32 "sqrt.approx.ftz.f32" (f32) -> f32 = apply_sparse
            |a| flush(approximate::sqrt(flush(a)));
        Ex2FtzF32 "ex2.approx.ftz.f32" (f32) -> f32 = apply_sparse
            |a| flush(approximate::ex2(flush(a)));
        Lg2FtzF32 "lg2.approx.ftz.f32" (f32) -> f32 = apply_sparse
            |a| flush(approximate::lg2(flush(a)));
        DivApproxF32 "div.approx.f32" (f32, f32) -> f32 = apply_sparse approximate::div;
        DivApproxFtzF32 "div.approx.ftz.f32" (f32, f32) -> f32 = apply_sparse
            |a, b| div_ftz(flush(a), flush(b));
        DivFullF32 "div.full.f32" (f32, f32) -> f32 = apply_sparse approximate::div_full;
    }
    SqrtRn {
        SqrtF32 "sqrt.rn.f32" (f32) -> f32 = apply_sparse |a| float32::sqrt(a, Nearest);
    }
    RcpRn {
        RcpF32 "rcp.rn.f32" (f32) -> f32 = apply_sparse |a| float32::rcp(a, Nearest);
    }
    DivRn {
        DivF32 "div.rn.f32" (f32, f32) -> f32 = apply_sparse |a, b| float32::div(a, b, Nearest);
    }
    Fp64 {
        AddF64 "add.f64" | "add.rn.f64" (f64, f64) -> f64 = apply |a, b| float64::add(a, b, Nearest);
        SubF64 "sub.f64" | "sub.rn.f64" (f64, f64) -> f64 = apply |a, b| float64::sub(a, b, Nearest);
        MulF64 "mul.f64" | "mul.rn.f64" (f64, f64) -> f64 = apply |a, b| float64::mul(a, b, Nearest);
        FmaF64 "fma.rn.f64" | "mad.rn.f64" (f64, f64, f64) -> f64 = apply_sparse fma_f64::<I>;
        SqrtF64 "sqrt.rn.f64" (f64) -> f64 = apply_sparse |a| float64::sqrt(a, Nearest);
        RcpF64 "rcp.rn.f64" (f64) -> f64 = apply_sparse |a| float64::rcp(a, Nearest);
        DivF64 "div.rn.f64" (f64, f64) -> f64 = apply_sparse |a, b| float64::div(a, b, Nearest);
    }
    Integer {
        AddU32 "add.u32" | "add.s32" (u32, u32) -> u32 = apply integer::add;
        SubU32 "sub.u32" | "sub.s32" (u32, u32) -> u32 = apply integer::sub;
        AddU64 "add.u64" | "add.s64" (u64, u64) -> u64 = apply integer::add;
        SubU64 "sub.u64" | "sub.s64" (u64, u64) -> u64 = apply integer::sub;
        AndU32 "and.b32" (u32, u32) -> u32 = apply |a, b| a & b;
        OrU32 "or.b32" (u32, u32) -> u32 = apply |a, b| a | b;
        XorU32 "xor.b32" (u32, u32) -> u32 = apply |a, b| a ^ b;
        NotU32 "not.b32" (u32) -> u32 = apply bits::not;
        AndU64 "and.b64" (u64, u64) -> u64 = apply |a, b| a & b;
        OrU64 "or.b64" (u64, u64) -> u64 = apply |a, b| a | b;
        XorU64 "xor.b64" (u64, u64) -> u64 = apply |a, b| a ^ b;
        ShlU32 "shl.b32" (u32, u32) -> u32 = apply bits::shl;
        ShlU64 "shl.b64" (u64, u32) -> u64 = apply bits::shl;
        ShrU32 "shr.u32" | "shr.b32" (u32, u32) -> u32 = apply bits::shr;
        ShrI32 "shr.s32" (i32, u32) -> i32 = apply bits::shr;
        ShrU64 "shr.u64" | "shr.b64" (u64, u32) -> u64 = apply bits::shr;
        ShrI64 "shr.s64" (i64, u32) -> i64 = apply bits::shr;
        MinI32 "min.s32" (i32, i32) -> i32 = apply integer::min;
        MaxI32 "max.s32" (i32, i32) -> i32 = apply integer::max;
        MinU32 "min.u32" (u32, u32) -> u32 = apply integer::min;
        MaxU32 "max.u32" (u32, u32) -> u32 = apply integer::max;
        NegI32 "neg.s32" (i32) -> i32 = apply integer::neg;
        AbsI32 "abs.s32" (i32) -> i32 = apply integer::abs;
    }
    IntegerMul {
        MulU32 "mul.lo.u32" | "mul.lo.s32" (u32, u32) -> u32 = apply integer::mul_lo;
        MadU32 "mad.lo.u32" | "mad.lo.s32" (u32, u32, u32) -> u32 = apply integer::mad_lo;
        MulU64 "mul.lo.u64" | "mul.lo.s64" (u64, u64) -> u64 = apply integer::mul_lo;
        MulWideU32 "mul.wide.u32" (u32, u32) -> u64 = apply integer::mul_wide;
        MulWideI32 "mul.wide.s32" (i32, i32) -> i64 = apply integer::mul_wide;
        MadWideU32 "mad.wide.u32" (u32, u32, u64) -> u64 = apply integer::mad_wide;
        MadWideI32 "mad.wide.s32" (i32, i32, i64) -> i64 = apply integer::mad_wide;
    }
    Conversion {
        I64FromI32 "cvt.s64.s32" (i32) -> i64 = apply i64::from;
        U64FromU32 "cvt.u64.u32" (u32) -> u64 = apply u64::from;
        U32FromU64 "cvt.u32.u64" | "cvt.s32.s64" | "cvt.u32.s64" | "cvt.s32.u64" (u64) -> u32 = apply
            |a| a as u32;
        F32FromI32 "cvt.rn.f32.s32" (i32) -> f32 = apply |a| convert::int_to_f32(a, Nearest);
        F32FromU32 "cvt.rn.f32.u32" (u32) -> f32 = apply |a| convert::int_to_f32(a, Nearest);
        F64FromF32 "cvt.f64.f32" (f32) -> f64 = apply convert::f32_to_f64;
        F32FromF64 "cvt.rn.f32.f64" (f64) -> f32 = apply |a| convert::f64_to_f32(a, Nearest);
        F32FromF16 "cvt.f32.f16" (u16) -> f32 = apply half::f16_to_f32;
        F16FromF32 "cvt.rn.f16.f32" (f32) -> u16 = apply half::f32_to_f16;
        F16x2FromF32 "cvt.rn.f16x2.f32" (f32, f32) -> u32 = apply
            |a, b| half::pack(half::f32_to_f16(a), half::f32_to_f16(b));
        F32FromBf16 "cvt.f32.bf16" (u16) -> f32 = apply half::bf16_to_f32;
        Bf16FromF32 "cvt.rn.bf16.f32" (f32) -> u16 = apply half::f32_to_bf16;
        Bf16x2FromF32 "cvt.rn.bf16x2.f32" (f32, f32) -> u32 = apply
            |a, b| half::pack(half::f32_to_bf16(a), half::f32_to_bf16(b));
        Tf32FromF32 "cvt.rna.tf32.f32" (f32) -> u32 = apply half::f32_to_tf32;
    }
    Move {
        Move32 "mov.b32" | "mov.u32" | "mov.s32" (u32) -> u32 = apply |a| a;
        MoveF32 "mov.f32" (f32) -> f32 = apply |a| a;
        Move64 "mov.b64" | "mov.u64" | "mov.s64" (u64) -> u64 = apply |a| a;
        MoveF64 "mov.f64" (f64) -> f64 = apply |a| a;
        Move16 "mov.b16" | "mov.u16" | "mov.s16" (u16) -> u16 = apply |a| a;
        Pack32 (u32, u32) -> u64 = apply |low, high| u64::from(high) << 32 | u64::from(low);
        High32 (u64) -> u32 = apply |a| (a >> 32) as u32;
        Pack16 (u16, u16) -> u32 = apply |low, high| u32::from(high) << 16 | u32::from(low);
        High16 (u32) -> u16 = apply |a| (a >> 16) as u16;
        Low16 (u32) -> u16 = apply |a| a as u16;
    }
    Predicate {
        Select32 "selp.b32" | "selp.u32" | "selp.s32" (u32, u32, bool) -> u32 = apply
            |a, b, c| if c { a } else { b };
        SelectF32 "selp.f32" (f32, f32, bool) -> f32 = apply |a, b, c| if c { a } else { b };
        Select64 "selp.b64" | "selp.u64" | "selp.s64" (u64, u64, bool) -> u64 = apply
            |a, b, c| if c { a } else { b };
        SelectF64 "selp.f64" (f64, f64, bool) -> f64 = apply |a, b, c| if c { a } else { b };
        Select16 "selp.b16" | "selp.u16" | "selp.s16" (u16, u16, bool) -> u16 = apply
            |a, b, c| if c { a } else { b };
    }
}
