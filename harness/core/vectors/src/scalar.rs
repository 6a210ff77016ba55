//! One lane, for any CPU.

use crate::vector::{Simd, Vector};

/// Makes plain numbers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scalar;

impl Simd for Scalar {
    type Vector = f32;

    #[inline(always)]
    fn splat(self, value: f32) -> f32 {
        value
    }

    #[inline(always)]
    fn load(self, from: &[f32]) -> f32 {
        from[0]
    }
}

impl Vector for f32 {
    const LANES: usize = 1;
    const ESTIMATE_BITS: u32 = 23;

    // Not `f32::mul_add`: where the CPU has no such instruction, that is a slow function.
    #[inline(always)]
    fn mul_add(self, b: f32, c: f32) -> f32 {
        self * b + c
    }

    #[inline(always)]
    fn neg_mul_add(self, b: f32, c: f32) -> f32 {
        c - self * b
    }

    #[inline(always)]
    fn rsqrt_estimate(self) -> f32 {
        1.0 / f32::sqrt(self)
    }

    #[inline(always)]
    fn sqrt(self) -> f32 {
        f32::sqrt(self)
    }

    #[inline(always)]
    fn div(self, b: f32) -> f32 {
        self / b
    }

    #[inline(always)]
    fn store(self, to: &mut [f32]) {
        to[0] = self;
    }

    #[inline(always)]
    fn sum(self) -> f32 {
        self
    }
}
