//! x86: AVX-512 and AVX2 with FMA.

use std::arch::x86_64::*;
use std::ops::{Add, Mul, Sub};

use crate::counted::run;
use crate::vector::{Loop, Simd, Vector};

/// Runs a loop compiled for AVX-512.
///
/// # Safety
/// The CPU has AVX-512 F.
#[target_feature(enable = "avx512f,avx2,fma")]
pub(crate) unsafe fn run_avx512<L: Loop>(work: L) -> L::Output {
    run(Avx512(()), work)
}

/// Runs a loop compiled for AVX2 with FMA.
///
/// # Safety
/// The CPU has both.
#[target_feature(enable = "avx2,fma")]
pub(crate) unsafe fn run_avx2<L: Loop>(work: L) -> L::Output {
    run(Avx2(()), work)
}

/// A vector type over intrinsics. Its values are made only by `$simd`, and that only where the CPU has
/// the instructions, so each value is a witness that they may be used.
macro_rules! vector {
    (
        $simd:ident makes $vector:ident($register:ty): $lanes:literal lanes, $bits:literal bits;
        $load:ident $store:ident $splat:ident $add:ident $sub:ident $mul:ident $div:ident $sqrt:ident
        $mul_add:ident $neg_mul_add:ident $rsqrt:ident $sum:path
    ) => {
        #[derive(Debug, Clone, Copy)]
        pub(crate) struct $simd(());

        #[derive(Debug, Clone, Copy)]
        pub(crate) struct $vector($register);

        impl Simd for $simd {
            type Vector = $vector;

            #[inline(always)]
            fn splat(self, value: f32) -> $vector {
                // SAFETY: the CPU has the instruction, as all below: see above.
                $vector(unsafe { $splat(value) })
            }

            #[inline(always)]
            fn load(self, from: &[f32]) -> $vector {
                let from = &from[..$lanes];
                // SAFETY: there are so many floats; any alignment will do.
                $vector(unsafe { $load(from.as_ptr()) })
            }
        }

        impl Add for $vector {
            type Output = $vector;
            #[inline(always)]
            fn add(self, b: $vector) -> $vector {
                // SAFETY: see above.
                $vector(unsafe { $add(self.0, b.0) })
            }
        }

        impl Sub for $vector {
            type Output = $vector;
            #[inline(always)]
            fn sub(self, b: $vector) -> $vector {
                // SAFETY: see above.
                $vector(unsafe { $sub(self.0, b.0) })
            }
        }

        impl Mul for $vector {
            type Output = $vector;
            #[inline(always)]
            fn mul(self, b: $vector) -> $vector {
                // SAFETY: see above.
                $vector(unsafe { $mul(self.0, b.0) })
            }
        }

        impl Vector for $vector {
            const LANES: usize = $lanes;
            const ESTIMATE_BITS: u32 = $bits;

            #[inline(always)]
            fn mul_add(self, b: $vector, c: $vector) -> $vector {
                // SAFETY: see above.
                $vector(unsafe { $mul_add(self.0, b.0, c.0) })
            }

            #[inline(always)]
            fn neg_mul_add(self, b: $vector, c: $vector) -> $vector {
                // SAFETY: see above.
                $vector(unsafe { $neg_mul_add(self.0, b.0, c.0) })
            }

            #[inline(always)]
            fn rsqrt_estimate(self) -> $vector {
                // SAFETY: see above.
                $vector(unsafe { $rsqrt(self.0) })
            }

            #[inline(always)]
            fn sqrt(self) -> $vector {
                // SAFETY: see above.
                $vector(unsafe { $sqrt(self.0) })
            }

            #[inline(always)]
            fn div(self, b: $vector) -> $vector {
                // SAFETY: see above.
                $vector(unsafe { $div(self.0, b.0) })
            }

            #[inline(always)]
            fn store(self, to: &mut [f32]) {
                let to = &mut to[..$lanes];
                // SAFETY: there is room for so many floats; any alignment will do.
                unsafe { $store(to.as_mut_ptr(), self.0) }
            }

            #[inline(always)]
            fn sum(self) -> f32 {
                // SAFETY: see above.
                unsafe { $sum(self.0) }
            }
        }
    };
}

// Intel's and AMD's manuals: VRSQRT14PS has a relative error below 2⁻¹⁴, RSQRTPS below 1.5·2⁻¹².
vector! {
    Avx512 makes F32x16(__m512): 16 lanes, 14 bits;
    _mm512_loadu_ps _mm512_storeu_ps _mm512_set1_ps _mm512_add_ps _mm512_sub_ps _mm512_mul_ps
    _mm512_div_ps _mm512_sqrt_ps _mm512_fmadd_ps _mm512_fnmadd_ps _mm512_rsqrt14_ps _mm512_reduce_add_ps
}
vector! {
    Avx2 makes F32x8(__m256): 8 lanes, 11 bits;
    _mm256_loadu_ps _mm256_storeu_ps _mm256_set1_ps _mm256_add_ps _mm256_sub_ps _mm256_mul_ps
    _mm256_div_ps _mm256_sqrt_ps _mm256_fmadd_ps _mm256_fnmadd_ps _mm256_rsqrt_ps sum_of_8
}

/// The sum of eight lanes: halves, then halves of that.
///
/// # Safety
/// The CPU has AVX2.
#[inline(always)]
unsafe fn sum_of_8(v: __m256) -> f32 {
    // SAFETY: the caller's.
    unsafe {
        let four = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps::<1>(v));
        let two = _mm_add_ps(four, _mm_movehl_ps(four, four));
        _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)))
    }
}
