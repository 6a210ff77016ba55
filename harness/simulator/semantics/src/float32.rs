//! `.f32` arithmetic ("Floating Point Instructions").
//!
//! Single-precision instructions return "an unspecified NaN"; GPUs return 0x7fff_ffff, and so does
//! this. Directed rounding is done in `f64`, where the exact result, or one rounded to odd, is at
//! hand: rounding that once more, to `f32`, is exact.

use super::Rounding;

/// The NaN that every `.f32` instruction returns.
pub const CANONICAL_NAN: f32 = f32::from_bits(0x7fff_ffff);

const SIGN: u32 = 0x8000_0000;

/// Every NaN to [`CANONICAL_NAN`].
///
/// In integers, since the bits of a NaN mean nothing to the compiler: it removes
/// `if x.is_nan() { NAN } else { x }` after a square root.
#[inline(always)]
pub fn canonical(a: f32) -> f32 {
    let bits = a.to_bits();
    let nan = bits & !SIGN > f32::INFINITY.to_bits();
    f32::from_bits(if nan { CANONICAL_NAN.to_bits() } else { bits })
}

/// `.ftz`: subnormals to zero of the same sign; for inputs, and for results but those of
/// [`flush_scaled`].
#[inline(always)]
pub fn flush(a: f32) -> f32 {
    if a.abs() < f32::MIN_POSITIVE { f32::from_bits(a.to_bits() & SIGN) } else { a }
}

/// What an operand is multiplied by for [`flush_scaled`].
pub const SCALE: f32 = 16_777_216.0; // 2²⁴

/// `.ftz` of a result that was rounded up to the least normal number, perhaps: an H200 flushes it if
/// it is subnormal rounded to 24 bits, as though there were no least exponent. So `scaled` is the
/// same operation to a result [`SCALE`] times as great. (Where that overflows, `result` is no
/// subnormal number.) Sums cannot be inexact and subnormal: they need only [`flush`].
#[inline(always)]
pub fn flush_scaled(result: f32, scaled: f32) -> f32 {
    let tiny = scaled.abs() < f32::MIN_POSITIVE * SCALE;
    f32::from_bits(if tiny { result.to_bits() & SIGN } else { result.to_bits() })
}

/// `.sat`: clamped to 0 … 1; NaN and −0 give +0.
#[inline(always)]
pub fn saturate(a: f32) -> f32 {
    let a = if a > 0.0 { a } else { 0.0 };
    if a > 1.0 { 1.0 } else { a }
}

/// `add`.
#[inline(always)]
pub fn add(a: f32, b: f32, rounding: Rounding) -> f32 {
    if rounding == Rounding::Nearest {
        canonical(a + b)
    } else {
        sum(f64::from(a), f64::from(b), rounding)
    }
}

/// `sub`.
#[inline(always)]
pub fn sub(a: f32, b: f32, rounding: Rounding) -> f32 {
    add(a, -b, rounding)
}

/// `mul`.
#[inline(always)]
pub fn mul(a: f32, b: f32, rounding: Rounding) -> f32 {
    if rounding == Rounding::Nearest {
        canonical(a * b)
    } else {
        narrow(f64::from(a) * f64::from(b), rounding) // 48 bits: exact in f64
    }
}

/// `fma`, `mad` with directed rounding, exact; see [`super::fma`] for the fast nearest rounding.
#[inline(always)]
pub fn fma(a: f32, b: f32, c: f32, rounding: Rounding) -> f32 {
    sum(f64::from(a) * f64::from(b), f64::from(c), rounding)
}

/// `div` with `.rn`, `.rz`, `.rm`, `.rp`.
///
/// The quotient of two 24-bit integers differs from every 25-bit number by 2⁻⁴⁹ of itself or not
/// at all, so that of `f64` (2⁻⁵³) lies on the same side of every `f32` as the exact one.
#[inline(always)]
pub fn div(a: f32, b: f32, rounding: Rounding) -> f32 {
    if rounding == Rounding::Nearest {
        canonical(a / b)
    } else {
        narrow(f64::from(a) / f64::from(b), rounding)
    }
}

/// `rcp` with `.rn`, `.rz`, `.rm`, `.rp`.
#[inline(always)]
pub fn rcp(a: f32, rounding: Rounding) -> f32 {
    div(1.0, a, rounding)
}

/// `sqrt` with `.rn`, `.rz`, `.rm`, `.rp`; by way of `f64` for the reason given at [`div`].
#[inline(always)]
pub fn sqrt(a: f32, rounding: Rounding) -> f32 {
    if rounding == Rounding::Nearest {
        canonical(a.sqrt())
    } else {
        narrow(f64::from(a).sqrt(), rounding)
    }
}

/// `neg`.
#[inline(always)]
pub fn neg(a: f32) -> f32 {
    canonical(-a)
}

/// `abs`.
#[inline(always)]
pub fn abs(a: f32) -> f32 {
    canonical(a.abs())
}

/// `copysign d, a, b`: `b` with the sign of `a`.
#[inline(always)]
pub fn copysign(a: f32, b: f32) -> f32 {
    b.copysign(a)
}

/// `min`: −0 is less than +0; a NaN loses against a number, or wins with `.NaN` (`keep_nan`).
#[inline(always)]
pub fn min(a: f32, b: f32, keep_nan: bool) -> f32 {
    let equal = f32::from_bits(a.to_bits() | b.to_bits()); // differs from a and b for zeros only
    let least = if a < b { a } else { b };
    choose(a, b, if a == b { equal } else { least }, keep_nan)
}

/// `.xorsign.abs` of `min` and `max`: which of the magnitudes it is, with the product's sign; NaN has none.
#[inline(always)]
pub fn with_product_sign(magnitude: f32, a: f32, b: f32) -> f32 {
    let sign = (a.to_bits() ^ b.to_bits()) & 1 << 31;
    if magnitude.is_nan() { magnitude } else { f32::from_bits(magnitude.to_bits() | sign) }
}

/// `max`: +0 is greater than −0; NaN as in [`min`].
#[inline(always)]
pub fn max(a: f32, b: f32, keep_nan: bool) -> f32 {
    let equal = f32::from_bits(a.to_bits() & b.to_bits());
    let greatest = if a > b { a } else { b };
    choose(a, b, if a == b { equal } else { greatest }, keep_nan)
}

/// `of_numbers` unless an operand is NaN.
#[inline(always)]
fn choose(a: f32, b: f32, of_numbers: f32, keep_nan: bool) -> f32 {
    let result = if b.is_nan() { a } else { of_numbers };
    let result = if a.is_nan() { b } else { result };
    canonical(if keep_nan && (a.is_nan() | b.is_nan()) { CANONICAL_NAN } else { result })
}

/// a + b rounded once, to `f32`. The operands are `f32`s or products of two: 2⁻²⁹⁸ … 2²⁵⁶, so that
/// no step here overflows or underflows.
#[inline(always)]
fn sum(a: f64, b: f64, rounding: Rounding) -> f32 {
    let rounded = narrow(sum_to_odd(a, b), rounding);
    if rounding == Rounding::Down {
        // An exact zero is −0 when rounding down, unless both operands are +0.
        let negative = (a.to_bits() | b.to_bits()) >> 63 != 0;
        let zero = if negative { -0.0 } else { 0.0 };
        if a + b == 0.0 { zero } else { rounded }
    } else {
        rounded
    }
}

/// a + b rounded to odd: if it is inexact, the neighbour whose last bit is 1. It keeps enough for
/// a second rounding to at most 51 bits to be exact (Boldo and Melquiond, "Emulation of FMA and
/// correctly rounded sums: proved algorithms using rounding to odd", 2008).
#[inline(always)]
pub(super) fn sum_to_odd(a: f64, b: f64) -> f64 {
    // Knuth's TwoSum: s + error = a + b exactly.
    let s = a + b;
    let of_b = s - a;
    let of_a = s - of_b;
    let error = (a - of_a) + (b - of_b);
    let bits = s.to_bits();
    // The nearest is one of the two neighbours of the exact sum; if it is even, the other is odd.
    let even = (bits & 1).wrapping_sub(1);
    let away_from_zero = 1u64.wrapping_sub((error.to_bits() ^ bits) >> 63 << 1);
    // False for NaN, which `error` is when s is infinite or NaN.
    let inexact = (error < 0.0) | (error > 0.0);
    f64::from_bits(bits.wrapping_add(if inexact { away_from_zero & even } else { 0 }))
}

/// The nearest `f32` in the direction of `rounding`.
#[inline(always)]
pub(super) fn narrow(a: f64, rounding: Rounding) -> f32 {
    let nearest = a as f32;
    if rounding == Rounding::Nearest {
        return canonical(nearest);
    }
    let back = f64::from(nearest);
    let (too_low, too_high) = (back < a, back > a);
    let (up, down) = match rounding {
        Rounding::Nearest => (false, false),
        Rounding::Zero => (too_low & (a < 0.0), too_high & (a > 0.0)),
        Rounding::Down => (false, too_high),
        Rounding::Up => (too_low, false),
    };
    // To the neighbour: adding 1 to the bits moves away from zero. `nearest` is never a zero of
    // the sign that the neighbour does not have, since it has the sign of `a`.
    let negative = nearest.to_bits() & SIGN != 0;
    let bits = nearest.to_bits();
    let away = bits.wrapping_add(1);
    let towards = bits.wrapping_sub(1);
    let stepped = if up { if negative { towards } else { away } } else { bits };
    let stepped = if down { if negative { away } else { towards } } else { stepped };
    canonical(f32::from_bits(stepped))
}
