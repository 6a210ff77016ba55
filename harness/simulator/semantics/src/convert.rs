//! Conversions ("Data Movement and Conversion Instructions: cvt").
//!
//! `.ftz` is [`float32::flush`] around a conversion, `.sat` to a float type is `saturate`.

use super::integer::Integer;
use super::softfloat::Unpacked;
use super::{Rounding, float32, float64};

/// Between integer types: sign or zero extension by the source type, or truncation.
#[inline(always)]
pub fn int_to_int<From: Integer, To: Integer>(a: From) -> To {
    To::truncate(a.to_i128())
}

/// `cvt.sat` between integer types: clamped to the range of the destination type.
#[inline(always)]
pub fn int_to_int_sat<From: Integer, To: Integer>(a: From) -> To {
    To::truncate(a.to_i128().clamp(To::MIN.to_i128(), To::MAX.to_i128()))
}

/// `cvt.rn.f32.s64` and so on.
#[inline(always)]
pub fn int_to_f32<T: Integer>(a: T, rounding: Rounding) -> f32 {
    if rounding == Rounding::Nearest {
        return a.to_f32();
    }
    let value = a.to_i128();
    let magnitude = value.unsigned_abs() as u64;
    // Exact in f64: above 2⁵³ the low 11 bits only matter as "not zero", kept in the bit above.
    let jammed = if magnitude >> 53 == 0 {
        magnitude
    } else {
        magnitude & !0xfff | u64::from(magnitude & 0xfff != 0) << 11
    };
    let exact = jammed as f64;
    float32::narrow(if value < 0 { -exact } else { exact }, rounding)
}

/// `cvt.rn.f64.s64` and so on.
#[inline(always)]
pub fn int_to_f64<T: Integer>(a: T, rounding: Rounding) -> f64 {
    if rounding == Rounding::Nearest || T::BITS <= 32 || a == T::ZERO {
        a.to_f64()
    } else {
        Unpacked::from(a.to_i128()).round(rounding)
    }
}

/// `cvt.rni.s32.f32` and so on: rounded, then clamped to the destination type ("float-to-integer
/// conversions are clamped"). NaN gives 0, for 64-bit types the top bit alone.
#[inline(always)]
pub fn f32_to_int<T: Integer>(a: f32, rounding: Rounding) -> T {
    let integral = T::from_f32(round_f32(a, rounding));
    if T::BITS == 64 && a.is_nan() { top_bit() } else { integral }
}

/// `cvt.rni.s32.f64` and so on: as [`f32_to_int`], but NaN gives the top bit alone for every type.
#[inline(always)]
pub fn f64_to_int<T: Integer>(a: f64, rounding: Rounding) -> T {
    let integral = T::from_f64(round_f64(a, rounding));
    if a.is_nan() { top_bit() } else { integral }
}

/// What a NaN converts to: "1 << (BitWidth(dst) − 1)".
#[inline(always)]
fn top_bit<T: Integer>() -> T {
    T::from_bits(1 << (T::BITS - 1))
}

/// The integral value that `$rounding` chooses, with the sign of `$a`; from `$unit` on every number is integral.
macro_rules! round {
    ($a:expr, $rounding:expr, $unit:expr) => {{
        let magnitude = $a.abs();
        // The addition rounds to an integer; no call and no instruction newer than SSE2 is needed.
        let nearest = if magnitude < $unit { (magnitude + $unit) - $unit } else { magnitude };
        let signed = nearest.copysign($a);
        let rounded = match $rounding {
            Rounding::Nearest => nearest,
            Rounding::Zero if nearest > magnitude => nearest - 1.0,
            Rounding::Zero => nearest,
            Rounding::Down if signed > $a => signed - 1.0,
            Rounding::Up if signed < $a => signed + 1.0,
            Rounding::Down | Rounding::Up => signed,
        };
        rounded.copysign($a)
    }};
}

/// `cvt.rni.f32.f32` and so on: the integral value that `rounding` chooses, with the sign of `a`.
#[inline(always)]
pub fn round_f32(a: f32, rounding: Rounding) -> f32 {
    const UNIT: f32 = 8_388_608.0; // 2²³
    float32::canonical(round!(a, rounding, UNIT))
}

/// `cvt.rni.f64.f64` and so on: as [`round_f32`].
#[inline(always)]
pub fn round_f64(a: f64, rounding: Rounding) -> f64 {
    const UNIT: f64 = 4_503_599_627_370_496.0; // 2⁵²
    float64::nan_of([a], round!(a, rounding, UNIT))
}

/// `cvt.f64.f32`: exact. A NaN is made quiet and keeps its sign and payload, as an H200 does it.
#[inline(always)]
pub fn f32_to_f64(a: f32) -> f64 {
    let bits = u64::from(a.to_bits());
    let sign = bits >> 31 << 63;
    let nan = f64::from_bits(sign | 0x7ff8 << 48 | (bits & 0x7f_ffff) << 29);
    if a.is_nan() { nan } else { f64::from(a) }
}

/// `cvt.rn.f32.f64`, `.rz`, `.rm`, `.rp`. A NaN is made quiet and keeps its sign and the upper
/// bits of its payload, as an H200 does it.
#[inline(always)]
pub fn f64_to_f32(a: f64, rounding: Rounding) -> f32 {
    let bits = a.to_bits();
    let sign = (bits >> 63 << 31) as u32;
    let nan = f32::from_bits(sign | 0x7fc0_0000 | (bits >> 29) as u32 & 0x7f_ffff);
    if a.is_nan() { nan } else { float32::narrow(a, rounding) }
}
