//! What vectors can do, whichever they are.

use std::ops::{Add, Mul, Sub};

use crate::{Vectors, counted};

/// A loop over vectors, compiled for each instruction set.
pub trait Loop {
    /// What it computes.
    type Output;

    /// Runs with the vectors that `simd` makes. It and all that it calls must be `#[inline(always)]`: what is not
    /// inlined is compiled without the instruction set.
    fn run<S: Simd>(self, simd: S) -> Self::Output;
}

/// Makes vectors of an instruction set. To hold one of these is to know that the CPU has it.
pub trait Simd: Copy {
    /// The vectors.
    type Vector: Vector;

    /// The same value in every lane.
    fn splat(self, value: f32) -> Self::Vector;

    /// The first values of a slice.
    ///
    /// # Panics
    /// If there are fewer than lanes.
    fn load(self, from: &[f32]) -> Self::Vector;
}

/// A vector of `f32`. Every operation is done in each lane by itself.
pub trait Vector: Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> {
    /// Floats in it.
    const LANES: usize;

    /// Bits of [`Vector::rsqrt_estimate`] that are right: its relative error is below 2 to minus that.
    const ESTIMATE_BITS: u32;

    /// `self · b + c`, rounded once where the instruction set can.
    #[must_use]
    fn mul_add(self, b: Self, c: Self) -> Self;

    /// `c − self · b`, rounded once where the instruction set can.
    #[must_use]
    fn neg_mul_add(self, b: Self, c: Self) -> Self;

    /// 1/√x, as far as [`Vector::ESTIMATE_BITS`] says. Of positive, normal numbers.
    #[must_use]
    fn rsqrt_estimate(self) -> Self;

    /// √x, correctly rounded.
    #[must_use]
    fn sqrt(self) -> Self;

    /// `self / b`, correctly rounded.
    #[must_use]
    fn div(self, b: Self) -> Self;

    /// Writes the lanes to the beginning of a slice.
    ///
    /// # Panics
    /// If it is shorter.
    fn store(self, to: &mut [f32]);

    /// The sum of all lanes, in pairs.
    fn sum(self) -> f32;
}

impl Vectors {
    /// Runs a loop with these vectors.
    ///
    /// # Panics
    /// If this CPU does not have them.
    #[inline]
    pub fn run<L: Loop>(self, work: L) -> L::Output {
        assert!(self.is_available(), "this CPU has no {}", self.title());
        match self {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the CPU has them.
            Vectors::Avx512 => unsafe { crate::x86::run_avx512(work) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the CPU has them.
            Vectors::Avx2 => unsafe { crate::x86::run_avx2(work) },
            #[cfg(target_arch = "aarch64")]
            // SAFETY: the CPU has them.
            Vectors::Neon => unsafe { crate::neon::run(work) },
            _ => run(crate::scalar::Scalar, work),
        }
    }
}

/// Runs a loop with the vectors of `simd`, or with such that count if someone asked for that.
#[inline(always)]
pub(crate) fn run<S: Simd, L: Loop>(simd: S, work: L) -> L::Output {
    match counted::is_counting() {
        true => work.run(counted::Counting(simd)),
        false => work.run(simd),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Every operation, lane by lane.
    struct All<'a>([&'a [f32]; 3]);

    impl Loop for All<'_> {
        type Output = Vec<[f32; 9]>;

        #[inline(always)]
        fn run<S: Simd>(self, simd: S) -> Self::Output {
            let [a, b, c] = self.0.map(|values| simd.load(values));
            let results = [
                a + b,
                a - b,
                a * b,
                a.div(b),
                a.sqrt(),
                a.mul_add(b, c),
                a.neg_mul_add(b, c),
                a.rsqrt_estimate(),
                simd.splat(a.sum()),
            ];
            let mut lanes = vec![[0.0; 9]; S::Vector::LANES];
            for (which, result) in results.into_iter().enumerate() {
                let mut values = [0.0; 16];
                result.store(&mut values);
                lanes.iter_mut().zip(values).for_each(|(lane, value)| lane[which] = value);
            }
            lanes
        }
    }

    struct Bits;

    impl Loop for Bits {
        type Output = u32;

        #[inline(always)]
        fn run<S: Simd>(self, _: S) -> u32 {
            S::Vector::ESTIMATE_BITS
        }
    }

    proptest! {
        #[test]
        fn lanes_compute_what_numbers_do(values in prop::collection::vec(1e-3f32..1e3, 48)) {
            let [a, b, c] = [0, 16, 32].map(|from| &values[from..from + 16]);
            for vectors in Vectors::available() {
                let (lanes, counts) = crate::count(|| vectors.run(All([a, b, c])));
                prop_assert_eq!(&lanes, &vectors.run(All([a, b, c])), "counting changes nothing");
                prop_assert_eq!((counts.add, counts.mul, counts.mul_add, counts.load), (2, 1, 2, 3));
                prop_assert_eq!((counts.rsqrt, counts.sqrt, counts.div, counts.store), (1, 1, 1, 9));
                prop_assert_eq!(lanes.len(), vectors.lanes());
                let sum: f64 = a[..lanes.len()].iter().map(|&value| f64::from(value)).sum();
                for (i, lane) in lanes.iter().enumerate() {
                    let exact = [a[i] + b[i], a[i] - b[i], a[i] * b[i], a[i] / b[i], a[i].sqrt()];
                    prop_assert_eq!(&lane[..5], &exact, "{}", vectors);
                    let (a, b, c) = (f64::from(a[i]), f64::from(b[i]), f64::from(c[i]));
                    let bound = (a * b).abs().max(c) * f64::from(f32::EPSILON);
                    prop_assert!((f64::from(lane[5]) - (a * b + c)).abs() <= bound);
                    prop_assert!((f64::from(lane[6]) - (c - a * b)).abs() <= bound);
                    let error = (f64::from(lane[7]) * a.sqrt() - 1.0).abs();
                    prop_assert!(error < 0.5f64.powi(vectors.run(Bits) as i32), "{} {}", vectors, error);
                    prop_assert!((f64::from(lane[8]) / sum - 1.0).abs() < 4e-7);
                }
            }
        }
    }

    #[test]
    fn a_slice_that_is_too_short_is_refused() {
        for vectors in Vectors::available() {
            let short = vec![1.0; vectors.lanes() - 1];
            let run = || vectors.run(All([&short; 3]));
            assert!(std::panic::catch_unwind(run).is_err(), "{vectors}");
        }
    }
}
