//! `.f64` arithmetic ("Floating Point Instructions").
//!
//! Every NaN result is 0xfff8_0000_0000_0000, the NaN that GPUs make of an invalid operation.
//! (The ISA says that payloads of NaN operands survive; which one does, it does not say.)

use super::Rounding;
use super::softfloat::{self, Unpacked};

/// The NaN that every `.f64` instruction returns.
pub const CANONICAL_NAN: f64 = f64::from_bits(0xfff8_0000_0000_0000);

/// Every NaN to [`CANONICAL_NAN`].
#[inline(always)]
pub fn canonical(a: f64) -> f64 {
    if a.is_nan() { CANONICAL_NAN } else { a }
}

/// `add`.
#[inline(always)]
pub fn add(a: f64, b: f64, rounding: Rounding) -> f64 {
    if rounding == Rounding::Nearest { canonical(a + b) } else { fma(a, 1.0, b, rounding) }
}

/// `sub`.
#[inline(always)]
pub fn sub(a: f64, b: f64, rounding: Rounding) -> f64 {
    add(a, -b, rounding)
}

/// `mul`.
#[inline(always)]
pub fn mul(a: f64, b: f64, rounding: Rounding) -> f64 {
    if rounding == Rounding::Nearest {
        canonical(a * b)
    } else {
        // Adding a zero of the product's sign changes nothing.
        fma(a, b, 0.0_f64.copysign(a) * 1.0_f64.copysign(b), rounding)
    }
}

/// `fma`, `mad` with any rounding, exact and slow; see [`super::fma`] for nearest.
pub fn fma(a: f64, b: f64, c: f64, rounding: Rounding) -> f64 {
    if !a.is_finite() || !b.is_finite() || !c.is_finite() {
        return canonical(libm::fma(a, b, c)); // infinities and NaN do not round
    }
    let product = Unpacked::from(a).times(Unpacked::from(b));
    let sum = product.plus(Unpacked::from(c));
    if sum.is_zero() {
        let negative = match rounding {
            Rounding::Down => product.negative || c.is_sign_negative(),
            _ => product.negative && c.is_sign_negative(),
        };
        return if negative { -0.0 } else { 0.0 };
    }
    sum.round(rounding)
}

/// `div` with `.rn`, `.rz`, `.rm`, `.rp`.
#[inline(always)]
pub fn div(a: f64, b: f64, rounding: Rounding) -> f64 {
    let nearest = canonical(a / b);
    if rounding == Rounding::Nearest { nearest } else { softfloat::div(a, b, nearest, rounding) }
}

/// `rcp` with `.rn`, `.rz`, `.rm`, `.rp`.
#[inline(always)]
pub fn rcp(a: f64, rounding: Rounding) -> f64 {
    div(1.0, a, rounding)
}

/// `sqrt` with `.rn`, `.rz`, `.rm`, `.rp`.
#[inline(always)]
pub fn sqrt(a: f64, rounding: Rounding) -> f64 {
    let nearest = canonical(a.sqrt());
    if rounding == Rounding::Nearest { nearest } else { softfloat::sqrt(a, nearest, rounding) }
}

/// `neg`.
#[inline(always)]
pub fn neg(a: f64) -> f64 {
    -a
}

/// `abs`.
#[inline(always)]
pub fn abs(a: f64) -> f64 {
    a.abs()
}

/// `copysign d, a, b`: `b` with the sign of `a`.
#[inline(always)]
pub fn copysign(a: f64, b: f64) -> f64 {
    b.copysign(a)
}

/// `min`: −0 is less than +0; a NaN loses against a number.
#[inline(always)]
pub fn min(a: f64, b: f64) -> f64 {
    let equal = f64::from_bits(a.to_bits() | b.to_bits()); // differs from a and b for zeros only
    let least = if a < b { a } else { b };
    choose(a, b, if a == b { equal } else { least })
}

/// `max`: +0 is greater than −0; a NaN loses against a number.
#[inline(always)]
pub fn max(a: f64, b: f64) -> f64 {
    let equal = f64::from_bits(a.to_bits() & b.to_bits());
    let greatest = if a > b { a } else { b };
    choose(a, b, if a == b { equal } else { greatest })
}

/// `of_numbers` unless an operand is NaN.
#[inline(always)]
fn choose(a: f64, b: f64, of_numbers: f64) -> f64 {
    let result = if b.is_nan() { a } else { of_numbers };
    canonical(if a.is_nan() { b } else { result })
}

/// `.sat` of conversions to `.f64`: clamped to 0 … 1; NaN and −0 give +0.
#[inline(always)]
pub fn saturate(a: f64) -> f64 {
    let a = if a > 0.0 { a } else { 0.0 };
    if a > 1.0 { 1.0 } else { a }
}
