//! Runs a loop with the instruction set that was chosen.

use crate::choice::Vectors;
use crate::counted::run;
#[cfg(target_arch = "aarch64")]
use crate::neon;
use crate::scalar::Scalar;
use crate::vector::Loop;
#[cfg(target_arch = "x86_64")]
use crate::x86;

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
            Vectors::Avx512 => unsafe { x86::run_avx512(work) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the CPU has them.
            Vectors::Avx2 => unsafe { x86::run_avx2(work) },
            #[cfg(target_arch = "aarch64")]
            // SAFETY: the CPU has them.
            Vectors::Neon => unsafe { neon::run(work) },
            _ => run(Scalar, work),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{Simd, Vector};

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
                    let bound = ((a * b).abs() + c) * f64::from(f32::EPSILON);
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
