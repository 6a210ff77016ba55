//! 64-bit Arm: NEON.

use std::arch::aarch64::*;
use std::ops::{Add, Mul, Sub};

use crate::counted;
use crate::vector::{Loop, Simd, Vector};

/// Runs a loop compiled for NEON.
///
/// # Safety
/// The CPU has it.
#[target_feature(enable = "neon")]
pub(crate) unsafe fn run<L: Loop>(work: L) -> L::Output {
    counted::run(Neon(()), work)
}

/// Makes vectors of four lanes; it is made only where the CPU has NEON, so that each of its vectors is a
/// witness that the instructions may be used.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Neon(());

/// Four lanes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct F32x4(float32x4_t);

impl Simd for Neon {
    type Vector = F32x4;

    #[inline(always)]
    fn splat(self, value: f32) -> F32x4 {
        // SAFETY: the CPU has the instruction, as all below: see above.
        F32x4(unsafe { vdupq_n_f32(value) })
    }

    #[inline(always)]
    fn load(self, from: &[f32]) -> F32x4 {
        let from = &from[..4];
        // SAFETY: there are four floats.
        F32x4(unsafe { vld1q_f32(from.as_ptr()) })
    }
}

impl Add for F32x4 {
    type Output = F32x4;
    #[inline(always)]
    fn add(self, b: F32x4) -> F32x4 {
        // SAFETY: see above.
        F32x4(unsafe { vaddq_f32(self.0, b.0) })
    }
}

impl Sub for F32x4 {
    type Output = F32x4;
    #[inline(always)]
    fn sub(self, b: F32x4) -> F32x4 {
        // SAFETY: see above.
        F32x4(unsafe { vsubq_f32(self.0, b.0) })
    }
}

impl Mul for F32x4 {
    type Output = F32x4;
    #[inline(always)]
    fn mul(self, b: F32x4) -> F32x4 {
        // SAFETY: see above.
        F32x4(unsafe { vmulq_f32(self.0, b.0) })
    }
}

impl Vector for F32x4 {
    const LANES: usize = 4;
    // Arm's manual: FRSQRTE looks up 8 bits.
    const ESTIMATE_BITS: u32 = 8;

    #[inline(always)]
    fn mul_add(self, b: F32x4, c: F32x4) -> F32x4 {
        // SAFETY: see above.
        F32x4(unsafe { vfmaq_f32(c.0, self.0, b.0) })
    }

    #[inline(always)]
    fn neg_mul_add(self, b: F32x4, c: F32x4) -> F32x4 {
        // SAFETY: see above.
        F32x4(unsafe { vfmsq_f32(c.0, self.0, b.0) })
    }

    #[inline(always)]
    fn rsqrt_estimate(self) -> F32x4 {
        // SAFETY: see above.
        F32x4(unsafe { vrsqrteq_f32(self.0) })
    }

    #[inline(always)]
    fn sqrt(self) -> F32x4 {
        // SAFETY: see above.
        F32x4(unsafe { vsqrtq_f32(self.0) })
    }

    #[inline(always)]
    fn div(self, b: F32x4) -> F32x4 {
        // SAFETY: see above.
        F32x4(unsafe { vdivq_f32(self.0, b.0) })
    }

    #[inline(always)]
    fn store(self, to: &mut [f32]) {
        let to = &mut to[..4];
        // SAFETY: there is room for four floats.
        unsafe { vst1q_f32(to.as_mut_ptr(), self.0) }
    }

    #[inline(always)]
    fn sum(self) -> f32 {
        // SAFETY: see above.
        unsafe { vaddvq_f32(self.0) }
    }
}
