//! `.f64` arithmetic ("Floating Point Instructions").
//!
//! "NaN payloads are supported for double-precision instructions": a NaN operand comes out, made
//! quiet. Of several NaN operands the ISA does not choose; here the one comes out that an H200
//! was seen to choose. An invalid operation gives 0xfff8_0000_0000_0000, also as seen there.

use super::{Rounding, directed, softfloat};

/// The NaN of an invalid operation.
pub const DEFAULT_NAN: f64 = f64::from_bits(0xfff8_0000_0000_0000);

/// A NaN with its quiet bit set.
const QUIET: u64 = 1 << 51;

/// The NaN that an operation on these operands gives, if `result` is one: the first NaN operand
/// or, if there is none, [`DEFAULT_NAN`]. (What CPUs make of it differs between them.)
///
/// In integers, since the bits of a NaN mean nothing to the compiler.
#[inline(always)]
pub(super) fn nan_of<const N: usize>(operands: [f64; N], result: f64) -> f64 {
    let is_nan = |bits: u64| bits & (u64::MAX >> 1) > f64::INFINITY.to_bits();
    let bits = result.to_bits();
    let unless = if is_nan(bits) { DEFAULT_NAN.to_bits() } else { bits };
    f64::from_bits(operands.iter().rev().fold(unless, |result, operand| {
        let operand = operand.to_bits();
        if is_nan(operand) { operand | QUIET } else { result }
    }))
}

/// `add`.
#[inline(always)]
pub fn add(a: f64, b: f64, rounding: Rounding) -> f64 {
    if rounding == Rounding::Nearest {
        return nan_of([b, a], a + b);
    }
    directed::add(a, b, rounding).unwrap_or_else(|| nan_of([b, a], exact_fma(a, 1.0, b, rounding)))
}

/// `sub`.
#[inline(always)]
pub fn sub(a: f64, b: f64, rounding: Rounding) -> f64 {
    if rounding == Rounding::Nearest {
        return nan_of([b, a], a - b);
    }
    directed::add(a, -b, rounding)
        .unwrap_or_else(|| nan_of([b, a], exact_fma(a, 1.0, -b, rounding)))
}

/// `mul`.
#[inline(always)]
pub fn mul(a: f64, b: f64, rounding: Rounding) -> f64 {
    if rounding == Rounding::Nearest {
        return nan_of([b, a], a * b);
    }
    directed::mul(a, b, rounding).unwrap_or_else(|| {
        // Adding a zero of the product's sign changes nothing.
        let zero = 0.0_f64.copysign(a) * 1.0_f64.copysign(b);
        nan_of([b, a], exact_fma(a, b, zero, rounding))
    })
}

/// `fma`, `mad` with any rounding; see [`super::fma`] for nearest.
#[inline(always)]
pub fn fma(a: f64, b: f64, c: f64, rounding: Rounding) -> f64 {
    if rounding == Rounding::Nearest {
        return exact_fma(a, b, c, rounding);
    }
    directed::fma(a, b, c, rounding).unwrap_or_else(|| exact_fma(a, b, c, rounding))
}

/// `fma` of any numbers in integer arithmetic, slow.
fn exact_fma(a: f64, b: f64, c: f64, rounding: Rounding) -> f64 {
    if !a.is_finite() || !b.is_finite() || !c.is_finite() {
        return nan_of([b, c, a], libm::fma(a, b, c)); // infinities and NaN do not round
    }
    softfloat::fma(a, b, c, rounding)
}

/// `div` with `.rn`, `.rz`, `.rm`, `.rp`.
#[inline(always)]
pub fn div(a: f64, b: f64, rounding: Rounding) -> f64 {
    if rounding == Rounding::Nearest {
        return nan_of([a, b], a / b);
    }
    directed::div(a, b, rounding)
        .unwrap_or_else(|| softfloat::div(a, b, nan_of([a, b], a / b), rounding))
}

/// `rcp` with `.rn`, `.rz`, `.rm`, `.rp`.
#[inline(always)]
pub fn rcp(a: f64, rounding: Rounding) -> f64 {
    div(1.0, a, rounding)
}

/// `sqrt` with `.rn`, `.rz`, `.rm`, `.rp`.
#[inline(always)]
pub fn sqrt(a: f64, rounding: Rounding) -> f64 {
    if rounding == Rounding::Nearest {
        return nan_of([a], a.sqrt());
    }
    directed::sqrt(a, rounding)
        .unwrap_or_else(|| softfloat::sqrt(a, nan_of([a], a.sqrt()), rounding))
}

/// `neg`: a NaN keeps its sign.
#[inline(always)]
pub fn neg(a: f64) -> f64 {
    nan_of([a], -a)
}

/// `abs`: a NaN keeps its sign.
#[inline(always)]
pub fn abs(a: f64) -> f64 {
    nan_of([a], a.abs())
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
    let result = if a.is_nan() { b } else { result };
    nan_of([result], result)
}

/// `.sat` of conversions to `.f64`: clamped to 0 … 1; NaN and −0 give +0.
#[inline(always)]
pub fn saturate(a: f64) -> f64 {
    let a = if a > 0.0 { a } else { 0.0 };
    if a > 1.0 { 1.0 } else { a }
}
