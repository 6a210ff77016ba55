//! Fused multiply-add to nearest, the operation that kernels spend their time in.
//!
//! Two implementations with the same bits: the processor's (only inside a function compiled for
//! it, elsewhere `mul_add` is a slow library call) and a portable one. `HARDWARE` chooses; the
//! executor sets it per CPU level.

use super::{float32, float64};

/// `fma.rn.f32`. `HARDWARE` must be true only where the caller is compiled with the `fma` target
/// feature (or for an architecture that always has it), else it is slow, though still exact.
#[inline(always)]
pub fn fma_f32<const HARDWARE: bool>(a: f32, b: f32, c: f32) -> f32 {
    if HARDWARE { float32::canonical(a.mul_add(b, c)) } else { fma_f32_soft(a, b, c) }
}

/// `fma.rn.ftz.f32` of operands already flushed; `HARDWARE` as in [`fma_f32`].
#[inline(always)]
pub fn fma_ftz_f32<const HARDWARE: bool>(a: f32, b: f32, c: f32) -> f32 {
    /// (1 − 2⁻²⁵) · 2⁻¹²⁶: from here on 24 bits round to a normal number.
    const NORMAL: f64 = f64::from_bits(0x380f_ffff_f000_0000);
    if HARDWARE {
        let scaled = fma_f32::<true>(float32::SCALE * a, b, float32::SCALE * c);
        return float32::flush_scaled(fma_f32::<true>(a, b, c), scaled);
    }
    let exact = float32::sum_to_odd(f64::from(a) * f64::from(b), f64::from(c));
    let result = float32::canonical(exact as f32);
    if exact.abs() < NORMAL { 0.0_f32.copysign(result) } else { result }
}

/// `fma.rn.f64`; `HARDWARE` as in [`fma_f32`].
#[inline(always)]
pub fn fma_f64<const HARDWARE: bool>(a: f64, b: f64, c: f64) -> f64 {
    if HARDWARE { float64::nan_of([b, c, a], a.mul_add(b, c)) } else { fma_f64_soft(a, b, c) }
}

/// `fma.rn.f32` exactly, without a fused instruction, vectorisable: the product is exact in `f64`,
/// the sum is rounded to odd, and so the conversion to `f32`, subnormal results included, is the
/// only rounding that counts.
#[inline(always)]
pub fn fma_f32_soft(a: f32, b: f32, c: f32) -> f32 {
    let product = f64::from(a) * f64::from(b);
    float32::canonical(float32::sum_to_odd(product, f64::from(c)) as f32)
}

/// `fma.rn.f64` exactly, without a fused instruction.
#[inline(always)]
pub fn fma_f64_soft(a: f64, b: f64, c: f64) -> f64 {
    float64::nan_of([b, c, a], libm::fma(a, b, c))
}
