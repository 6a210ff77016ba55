//! The `.approx` instructions.
//!
//! GPUs compute them from tables that NVIDIA does not publish; the ISA bounds their error. These
//! stay within those bounds, mostly far, and have the ISA's values for zeros, infinities and
//! NaN. `.ftz` is [`flush`](super::float32::flush) around them.

use super::float32::{self, canonical};
use super::{Rounding, convert, float64};

/// `rsqrt.approx.f32`: error 2⁻²³·⁴ (ISA: 2⁻²²·⁹).
#[inline(always)]
pub fn rsqrt(a: f32) -> f32 {
    canonical(1.0 / a.sqrt())
}

/// `rcp.approx.f32`: correctly rounded (ISA: 1 ulp).
#[inline(always)]
pub fn rcp(a: f32) -> f32 {
    canonical(1.0 / a)
}

/// `sqrt.approx.f32`: correctly rounded (ISA: 2⁻²³).
#[inline(always)]
pub fn sqrt(a: f32) -> f32 {
    canonical(a.sqrt())
}

/// `div.approx.f32`: correctly rounded for |b| up to 2¹²⁶ (ISA: 2 ulp). For 2¹²⁶ < |b| < 2¹²⁸ the
/// ISA wants 0 of the quotient's sign, or NaN if `a` is infinite.
#[inline(always)]
pub fn div(a: f32, b: f32) -> f32 {
    const LARGE: f32 = f32::from_bits(253 << 23); // 2¹²⁶
    let quotient = a / b;
    let beyond = (b.abs() > LARGE) & (b.abs() < f32::INFINITY);
    canonical(if beyond { quotient * 0.0 } else { quotient })
}

/// `div.full.f32`: correctly rounded (ISA: 2 ulp).
#[inline(always)]
pub fn div_full(a: f32, b: f32) -> f32 {
    canonical(a / b)
}

/// `ex2.approx.f32`: 2 to the power of `a`, half an ulp (ISA: 2⁻²²).
#[inline(always)]
pub fn ex2(a: f32) -> f32 {
    /// 1.5 · 2⁵²: adding it rounds to an integer, which then is the low bits.
    const MAGIC: f64 = 6_755_399_441_055_744.0;
    /// ln(2)ᵏ / k!, k = 0 … 11: Taylor's series, whose remainder is below 2⁻⁴⁷ on −½ … ½.
    const SERIES: [f64; 12] = [
        1.0,
        std::f64::consts::LN_2,
        0.240_226_506_959_100_72,
        0.055_504_108_664_821_58,
        0.009_618_129_107_628_477,
        0.001_333_355_814_642_844_3,
        0.000_154_035_303_933_816_1,
        1.525_273_380_405_984_1e-5,
        1.321_548_679_014_431e-6,
        1.017_808_600_923_97e-7,
        7.054_911_620_801_123e-9,
        4.445_538_271_870_811_6e-10,
    ];
    // Beyond these the result is infinite or 0; NaN passes.
    let a = if a > 130.0 { 130.0 } else { a };
    let a = f64::from(if a < -160.0 { -160.0 } else { a });
    let shifted = a + MAGIC;
    let fraction = a - (shifted - MAGIC);
    let power = polynomial(fraction, &SERIES);
    let exponent = shifted.to_bits().wrapping_sub(MAGIC.to_bits()).wrapping_add(1023);
    canonical((power * f64::from_bits(exponent << 52)) as f32)
}

/// `lg2.approx.f32`: the binary logarithm, half an ulp (ISA: 2⁻²² absolute in ½ … 2, else
/// relative). Negative numbers give NaN, zeros −∞.
#[inline(always)]
pub fn lg2(a: f32) -> f32 {
    /// 2 / (ln 2 · (2k + 1)), k = 0 … 9: the series of the inverse hyperbolic tangent.
    const SERIES: [f64; 10] = [
        2.885_390_081_777_926_8,
        0.961_796_693_925_975_6,
        0.577_078_016_355_585_4,
        0.412_198_583_111_132_4,
        0.320_598_897_975_325_2,
        0.262_308_189_252_538_8,
        0.221_953_083_213_686_67,
        0.192_359_338_785_195_13,
        0.169_728_828_339_878_05,
        0.151_862_635_883_048_77,
    ];
    const ROOT_HALF: u64 = 0x3fe6_a09e_667f_3bcd; // √½
    let bits = f64::from(a).to_bits();
    // a = 2^exponent · mantissa with √½ ≤ mantissa < √2; biased so that the shift sees no sign.
    let biased = bits.wrapping_sub(ROOT_HALF).wrapping_add(1024 << 52) >> 52;
    let mantissa = f64::from_bits(bits.wrapping_sub(biased.wrapping_sub(1024) << 52));
    // An integer below 2⁵² as f64: the low bits of 2⁵², less 2⁵².
    const TWO_52: f64 = 4_503_599_627_370_496.0;
    let exponent = f64::from_bits(TWO_52.to_bits() | biased) - (TWO_52 + 1024.0);
    let ratio = (mantissa - 1.0) / (mantissa + 1.0);
    let logarithm = (exponent + ratio * polynomial(ratio * ratio, &SERIES)) as f32;
    let positive = if a == f32::INFINITY { a } else { logarithm };
    canonical(if a > 0.0 {
        positive
    } else if a == 0.0 {
        f32::NEG_INFINITY
    } else {
        f32::NAN
    })
}

/// Σ coefficients[k] · xᵏ.
#[inline(always)]
fn polynomial<const N: usize>(x: f64, coefficients: &[f64; N]) -> f64 {
    coefficients.iter().rev().fold(0.0, |sum, c| sum * x + c)
}

/// The fraction of a turn that an angle makes, −½ … ½, as an H200 has it: the angle times 1/2π is
/// rounded towards zero to an `f32`, so that of a large one only a coarse fraction is left, and 0
/// from 2²⁴ turns on. Subnormal fractions are flushed.
#[inline(always)]
fn turn(a: f32) -> f64 {
    const PER_RADIAN: f32 = f32::from_bits(0x3e22_f983);
    let turns = float32::flush(float32::mul(a, PER_RADIAN, Rounding::Zero));
    let fraction = turns - convert::round_f32(turns, Rounding::Nearest);
    f64::from(if fraction == 0.0 { fraction.copysign(turns) } else { fraction })
}

/// `sin.approx.f32` of the angle's `turn` (ISA: absolute error 2⁻²⁰·⁵ in −2π … 2π, 2⁻¹⁴·⁷ in
/// −100π … 100π, elsewhere unstated).
#[inline(always)]
pub fn sin(a: f32) -> f32 {
    canonical(libm::sin(std::f64::consts::TAU * turn(a)) as f32)
}

/// `cos.approx.f32` of the angle's `turn`; errors as of [`sin`].
#[inline(always)]
pub fn cos(a: f32) -> f32 {
    canonical(libm::cos(std::f64::consts::TAU * turn(a)) as f32)
}

/// `tanh.approx.f32`: a few ulp (ISA: relative 2⁻¹¹).
#[inline(always)]
pub fn tanh(a: f32) -> f32 {
    canonical(libm::tanhf(a))
}

/// `rcp.approx.ftz.f64`: from the upper half of `a`, to the upper half of the result; the rest
/// of it is 0.
#[inline(always)]
pub fn rcp_f64(a: f64) -> f64 {
    upper_half(1.0 / upper_half(a))
}

/// `rsqrt.approx.ftz.f64`: from the upper half of `a`, to the upper half of the result; the rest
/// of it is 0.
#[inline(always)]
pub fn rsqrt_ftz_f64(a: f64) -> f64 {
    upper_half(1.0 / upper_half(a).sqrt())
}

/// `rsqrt.approx.f64`, whose error the ISA does not bound.
#[inline(always)]
pub fn rsqrt_f64(a: f64) -> f64 {
    float64::nan_of([a], 1.0 / a.sqrt())
}

/// The upper 32 bits, subnormals flushed to zero. A NaN is, as on an H200, that of `f32` in the
/// upper half.
#[inline(always)]
fn upper_half(a: f64) -> f64 {
    const UPPER: u64 = 0xffff_ffff_0000_0000;
    const SIGN: u64 = 1 << 63;
    const NAN: u64 = 0x7fff_ffff << 32;
    let upper = a.to_bits() & if a.abs() < f64::MIN_POSITIVE { SIGN } else { UPPER };
    f64::from_bits(if f64::from_bits(upper).is_nan() { NAN } else { upper })
}
