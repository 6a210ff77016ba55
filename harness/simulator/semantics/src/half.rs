//! Numbers of 16 bits, and of 19 bits in 32 (`cvt` to and from `.f16`, `.bf16`, `.tf32`).
//!
//! A NaN becomes the canonical one: "the result is canonical NaN" in the ISA's words, unless an H100 does otherwise.

mod minifloat;

use super::Rounding;
use super::approximate;
use super::float32::{self, sum_to_odd};
pub use minifloat::{Minifloat, Towards, scale};

/// The NaN that conversions to `.f16` and to `.bf16` give.
pub const CANONICAL_NAN_16: u16 = 0x7fff;

/// Bits of an `f32`'s mantissa that `.tf32` does not have.
const TF32_DROPPED: u32 = 13;

/// `cvt.f32.f16`: exact.
#[inline(always)]
pub fn f16_to_f32(a: u16) -> f32 {
    /// From the exponent's bias of one format to that of the other, in place.
    const REBIAS: u32 = (127 - 15) << 23;
    /// 2⁻¹⁴, the least normal number: what is taken from subnormal ones after it was put in front of their mantissa.
    const LEAST_NORMAL: u32 = (127 - 14) << 23;
    let magnitude = u32::from(a & 0x7fff) << 13;
    let normal = f32::from_bits(magnitude + REBIAS);
    let subnormal = f32::from_bits(magnitude | LEAST_NORMAL) - f32::from_bits(LEAST_NORMAL);
    // The greatest exponent is that of infinity and NaN.
    let special = f32::from_bits(magnitude + 2 * REBIAS);
    let value = if a & 0x7c00 == 0 { subnormal } else { normal };
    let value = if a & 0x7c00 == 0x7c00 { special } else { value };
    let signed = f32::from_bits(value.to_bits() | u32::from(a & 0x8000) << 16);
    float32::canonical(signed)
}

/// `cvt.rn.f16.f32`, and each half of `cvt.rn.f16x2.f32`.
#[inline(always)]
pub fn f32_to_f16(a: f32) -> u16 {
    /// 2¹⁶: from here on (and in fact a little below) a number becomes infinity.
    const TOO_GREAT: u32 = (127 + 16) << 23;
    const LEAST_NORMAL: u32 = (127 - 14) << 23;
    const REBIAS: u32 = (127 - 15) << 23;
    let magnitude = a.to_bits() & 0x7fff_ffff;
    // Added to 1/2, whose last bit is 2⁻²⁴ as that of the subnormal numbers, a small number is rounded there.
    let subnormal = (f32::from_bits(magnitude) + 0.5).to_bits().wrapping_sub(0.5f32.to_bits());
    let odd = magnitude >> 13 & 1;
    let normal = magnitude.wrapping_sub(REBIAS).wrapping_add(0xfff + odd) >> 13;
    let value = if magnitude < LEAST_NORMAL { subnormal } else { normal };
    let value = if magnitude >= TOO_GREAT { 0x7c00 } else { value };
    let signed = value as u16 | (a.to_bits() >> 16) as u16 & 0x8000;
    if magnitude > f32::INFINITY.to_bits() { CANONICAL_NAN_16 } else { signed }
}

/// `cvt.f32.bf16`: exact. A NaN keeps its bits, as on an H100.
#[inline(always)]
pub fn bf16_to_f32(a: u16) -> f32 {
    f32::from_bits(u32::from(a) << 16)
}

/// `cvt.rn.bf16.f32`, and each half of `cvt.rn.bf16x2.f32`.
#[inline(always)]
pub fn f32_to_bf16(a: f32) -> u16 {
    let bits = a.to_bits();
    let rounded = bits.wrapping_add(0x7fff + (bits >> 16 & 1)) >> 16;
    if bits & 0x7fff_ffff > f32::INFINITY.to_bits() { CANONICAL_NAN_16 } else { rounded as u16 }
}

/// `cvt.rna.tf32.f32`: to nearest, ties away from zero. An H100 rounds the bits of a NaN as if it were a number.
#[inline(always)]
pub fn f32_to_tf32(a: f32) -> u32 {
    a.to_bits().wrapping_add(1 << (TF32_DROPPED - 1)) >> TF32_DROPPED << TF32_DROPPED
}

/// A `.tf32` operand's value: the low 13 bits do not matter.
#[inline(always)]
pub fn tf32_to_f32(a: u32) -> f32 {
    f32::from_bits(a >> TF32_DROPPED << TF32_DROPPED)
}

/// Two numbers of 16 bits in a register: the first operand of `cvt.rn.f16x2.f32` is the upper half.
#[inline(always)]
pub fn pack(high: u16, low: u16) -> u32 {
    u32::from(high) << 16 | u32::from(low)
}

/// A type of 16 bits that there is arithmetic on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// `.f16`
    F16,
    /// `.bf16`
    Bf16,
}

impl Format {
    /// The value of a number.
    #[inline(always)]
    pub fn widen(self, a: u16) -> f32 {
        match self {
            Format::F16 => f16_to_f32(a),
            Format::Bf16 => float32::canonical(bf16_to_f32(a)),
        }
    }

    /// The nearest number, ties to even.
    #[inline(always)]
    pub fn nearest(self, a: f32) -> u16 {
        match self {
            Format::F16 => f32_to_f16(a),
            Format::Bf16 => f32_to_bf16(a),
        }
    }

    /// The nearest number to one that was rounded to odd, if at all: by way of an `f32` rounded to odd, which keeps
    /// what the second rounding needs.
    #[inline(always)]
    fn once(self, a: f64) -> u16 {
        let towards_zero = float32::narrow(a, Rounding::Zero);
        let inexact = f64::from(towards_zero) != a && !a.is_nan();
        self.nearest(f32::from_bits(towards_zero.to_bits() | u32::from(inexact)))
    }

    /// `add`.
    pub fn add(self, a: u16, b: u16) -> u16 {
        self.once(sum_to_odd(self.widen(a).into(), self.widen(b).into()))
    }

    /// `sub`.
    pub fn sub(self, a: u16, b: u16) -> u16 {
        self.once(sum_to_odd(self.widen(a).into(), (-self.widen(b)).into()))
    }

    /// `mul`: the product is exact in `f64`.
    pub fn mul(self, a: u16, b: u16) -> u16 {
        self.once(f64::from(self.widen(a)) * f64::from(self.widen(b)))
    }

    /// `fma`.
    pub fn fma(self, a: u16, b: u16, c: u16) -> u16 {
        let product = f64::from(self.widen(a)) * f64::from(self.widen(b));
        self.once(sum_to_odd(product, self.widen(c).into()))
    }

    /// `min`, `min.NaN`.
    pub fn min(self, a: u16, b: u16, keep_nan: bool) -> u16 {
        self.nearest(float32::min(self.widen(a), self.widen(b), keep_nan))
    }

    /// `max`, `max.NaN`.
    pub fn max(self, a: u16, b: u16, keep_nan: bool) -> u16 {
        self.nearest(float32::max(self.widen(a), self.widen(b), keep_nan))
    }

    /// The number whose bits are the first of another's.
    fn cut(self, a: f32) -> u16 {
        let format = match self {
            Format::F16 => Minifloat::F16,
            Format::Bf16 => Minifloat::BF16,
        };
        // Beyond the greatest number an `f16` is infinite all the same.
        let too_great = self == Format::F16 && a >= 65536.0;
        let a = f64::from(if too_great { f32::INFINITY } else { a });
        format.encode(a, Towards::By(Rounding::Zero), false) as u16
    }

    /// `ex2.approx` with the bits of an H100, which takes the operand to 23 bits after the point, and the first bits of
    /// the result. Subnormal numbers are flushed in `.bf16`, whose exponents are those of `f32`.
    pub fn ex2(self, a: u16) -> u16 {
        const UNIT: f32 = (1 << 23) as f32;
        let flush = |x| if self == Format::Bf16 { float32::flush(x) } else { x };
        let operand = flush(self.widen(a));
        // From 1 on there are no more bits, and beyond 2²³ units would not fit.
        let operand = if operand.abs() < 1.0 { (operand * UNIT).trunc() / UNIT } else { operand };
        self.cut(flush(approximate::ex2(operand)))
    }

    /// `tanh.approx`: the first bits of the hyperbolic tangent, which of a small number is that number. An H100 gives the
    /// same in 19 cases of 20, else the next number.
    pub fn tanh(self, a: u16) -> u16 {
        const SMALL: f32 = (1.0 + 7.5 / 1024.0) / 256.0;
        const GREAT: f32 = 8.0;
        let operand = self.widen(a);
        self.cut(match operand.abs() {
            ..SMALL => operand,
            GREAT.. => 1f32.copysign(operand),
            _ => approximate::tanh(operand),
        })
    }

    /// `neg`.
    pub fn neg(self, a: u16) -> u16 {
        self.nearest(-self.widen(a))
    }

    /// `abs`.
    pub fn abs(self, a: u16) -> u16 {
        self.nearest(self.widen(a).abs())
    }
}

/// `min.xorsign.abs`, `max.xorsign.abs`: which of the magnitudes it is, with the product's sign; NaN has none.
pub fn with_product_sign(magnitude: u16, a: u16, b: u16) -> u16 {
    let is_nan = magnitude == CANONICAL_NAN_16;
    if is_nan { magnitude } else { magnitude & 0x7fff | (a ^ b) & 0x8000 }
}

/// `.ftz` of an `.f16`: subnormals to zero of the same sign.
pub fn flush(a: u16) -> u16 {
    if a & 0x7c00 == 0 { a & 0x8000 } else { a }
}

/// `.sat` of an `.f16`: clamped to 0 … 1; NaN and −0 give +0.
pub fn saturate(a: u16) -> u16 {
    f32_to_f16(float32::saturate(f16_to_f32(a)))
}

/// `.relu`: negative numbers and −0 to +0; NaN stays.
pub fn relu(a: u16) -> u16 {
    let is_nan = a == CANONICAL_NAN_16;
    if a & 0x8000 != 0 && !is_nan { 0 } else { a }
}
