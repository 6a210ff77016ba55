//! Types of the elements that are multiplied. Sums and results are floats of 32 bits for all of them.

use half::{bf16, f16};
use ladder::arrays::KernelArgument;
use rayon::prelude::*;

/// How a step holds the elements of A and B.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Precision {
    /// Floats of 32 bits, multiplied as they are.
    Fp32,
    /// Floats of 32 bits, of which the tensor cores read 19: ten bits after the point. The kernel rounds or cuts them.
    Tf32,
    /// 16 bits, seven of them after the point.
    Bf16,
    /// 16 bits, ten of them after the point.
    Fp16,
}

/// Names of the arrays of a precision: those that are multiplied, and the result.
#[derive(Debug, Clone, Copy)]
pub struct Names {
    /// A, m × k.
    pub a: &'static str,
    /// B, k × n.
    pub b: &'static str,
    /// C, m × n.
    pub c: &'static str,
}

impl Precision {
    /// The arrays of a step.
    pub fn names(self) -> Names {
        match self {
            Precision::Fp32 => Names { a: "a", b: "b", c: "c" },
            Precision::Tf32 => Names { a: "a", b: "b", c: "c of TF32" },
            Precision::Bf16 => Names { a: "a in BF16", b: "b in BF16", c: "c of BF16" },
            Precision::Fp16 => Names { a: "a in FP16", b: "b in FP16", c: "c of FP16" },
        }
    }

    /// The same as arguments of a kernel.
    pub fn arguments(self) -> [KernelArgument; 3] {
        let Names { a, b, c } = self.names();
        [a.into(), b.into(), c.into()]
    }

    /// What a library calls it.
    pub fn of_library(self) -> device::Precision {
        match self {
            Precision::Fp32 => device::Precision::Fp32,
            Precision::Tf32 => device::Precision::Tf32,
            Precision::Bf16 => device::Precision::Bf16,
            Precision::Fp16 => device::Precision::Fp16,
        }
    }

    /// What it is called in tables.
    pub fn words(self) -> &'static str {
        match self {
            Precision::Fp32 => "FP32",
            Precision::Tf32 => "TF32",
            Precision::Bf16 => "BF16",
            Precision::Fp16 => "FP16",
        }
    }

    /// How many elements of A or B four bytes hold.
    pub fn elements_of_four_bytes(self) -> u32 {
        match self {
            Precision::Fp32 | Precision::Tf32 => 1,
            Precision::Bf16 | Precision::Fp16 => 2,
        }
    }

    /// Numbers rounded to nearest, as bits and as their values.
    ///
    /// # Panics
    /// Elements of this precision have 32 bits.
    pub fn rounded(self, all: &[f32]) -> (Vec<u16>, Vec<f32>) {
        let round: fn(f32) -> (u16, f32) = match self {
            Precision::Bf16 => |it| (bf16::from_f32(it).to_bits(), bf16::from_f32(it).to_f32()),
            Precision::Fp16 => |it| (f16::from_f32(it).to_bits(), f16::from_f32(it).to_f32()),
            Precision::Fp32 | Precision::Tf32 => panic!("elements of {self:?} have 32 bits"),
        };
        all.par_iter().map(|&it| round(it)).unzip()
    }

    /// The standard deviation of the error of α Σ a b + β c with `k` terms, relative to that of the result, for elements of
    /// a normal distribution and sums in any order.
    ///
    /// A float is rounded by at most `UNIT` of its value, and by 0.42 `UNIT` in the root mean square. Partial sums are a
    /// random walk, so that *k* roundings of a sum from first to last add up to 0.42 √(k/2) `UNIT`; other orders have less.
    /// Products with α and β, their sum and the rounding of a product add two `UNIT`.
    ///
    /// The tensor cores cut sums after each four to sixteen products instead of rounding them: an error of one sign, of
    /// 0.72 `UNIT` on average, that grows with k: two thirds of k/4 of them at most.
    ///
    /// A factor of TF32 that is cut is less by up to 2⁻¹⁰, by 0.36 · 2⁻¹⁰ on average; a product by twice as much, which
    /// makes 0.79 · 2⁻¹⁰ in the root mean square. Products of 16-bit elements are exact.
    ///
    /// Sums of few terms have no normal distribution, but one with longer tails.
    pub fn deviation(self, k: u64) -> f64 {
        let k = k as f64;
        let sums = (k.sqrt() / 2.0 + 2.0) * UNIT;
        let cut = sums + k / 8.0 * UNIT;
        let deviation = match self {
            Precision::Fp32 => sums,
            Precision::Tf32 => cut + 0.8 * CUT,
            Precision::Bf16 | Precision::Fp16 => cut,
        };
        deviation * (1.0 + 2.0 / k.sqrt())
    }
}

/// Half of the last place of a float between 1 and 2.
const UNIT: f64 = 1.0 / (1 << 24) as f64;

/// The last place of a number of TF32 between 1 and 2.
const CUT: f64 = 1.0 / (1 << 10) as f64;

#[cfg(test)]
mod tests {
    use chacha20::rand_core::SeedableRng;
    use ladder::arrays::Random;
    use ladder::judge::{Errors, Tolerance};

    use super::super::matrices::normal;
    use super::*;

    /// Sums whose errors are looked at.
    const SUMS: usize = 50;

    /// A float without its last bits, or with them.
    fn cut(value: f32, bits: u32) -> f32 {
        f32::from_bits(value.to_bits() & (u32::MAX << bits))
    }

    /// A number as a float that is no larger.
    fn towards_zero(value: f64) -> f32 {
        let near = value as f32;
        let is_larger = f64::from(near).abs() > value.abs();
        if is_larger { f32::from_bits(near.to_bits() - 1) } else { near }
    }

    /// Errors of sums of `k` products, each from first to last as a kernel adds them.
    fn errors(precision: Precision, k: usize, pairs: &[[Vec<f32>; 2]]) -> Errors {
        let sums = pairs.iter().map(|[a, b]| match precision {
            Precision::Fp32 => {
                let exact = a.iter().zip(b).map(|(&a, &b)| f64::from(a) * f64::from(b)).sum();
                let sum = a.iter().zip(b).fold(0.0f32, |sum, (&a, &b)| a.mul_add(b, sum));
                ([f64::from(sum)], [exact])
            }
            _ => {
                // What the tensor cores read of TF32, and what is exact of it.
                let (read, exact) = match precision {
                    Precision::Tf32 => {
                        let cut = |all: &Vec<f32>| all.iter().map(|&it| cut(it, 13)).collect();
                        ([cut(a), cut(b)], [a.clone(), b.clone()])
                    }
                    _ => {
                        let values = [a, b].map(|it| precision.rounded(it).1);
                        (values.clone(), values)
                    }
                };
                let product = |[a, b]: &[Vec<f32>; 2], from: usize, end: usize| -> f64 {
                    let pairs = a[from..end].iter().zip(&b[from..end]);
                    pairs.map(|(&a, &b)| f64::from(a) * f64::from(b)).sum()
                };
                let sum = (0..k).step_by(4).fold(0.0, |sum, from| {
                    towards_zero(f64::from(sum) + product(&read, from, k.min(from + 4)))
                });
                ([f64::from(sum)], [product(&exact, 0, k)])
            }
        });
        let (got, expected): (Vec<_>, Vec<_>) = sums.unzip();
        Errors::between(&got, &expected)
    }

    #[test]
    fn sums_are_as_far_off_as_their_bound_allows_and_not_much_less() {
        for k in [1, 2, 16, 300, 4096, 65536] {
            let mut random = Random::seed_from_u64(k as u64);
            let mut pair = || [(); 2].map(|()| normal(k as u64, &mut random));
            let pairs: Vec<_> = (0..SUMS).map(|_| pair()).collect();
            for precision in [Precision::Fp32, Precision::Tf32, Precision::Bf16, Precision::Fp16] {
                let deviation = precision.deviation(k as u64);
                let allowed = Tolerance::of_deviation(deviation, SUMS as f64);
                let errors = errors(precision, k, &pairs);
                assert!(errors.within(allowed), "{precision:?}, {k}: {errors:?} {allowed:?}");
                let is_tight = k < 300 || errors.rms > deviation / 8.0;
                assert!(is_tight, "{precision:?}, {k}: {errors:?} {allowed:?}");
            }
        }
    }

    #[test]
    fn a_missing_term_is_far_beyond_the_bound() {
        for precision in [Precision::Fp32, Precision::Tf32, Precision::Bf16, Precision::Fp16] {
            for k in [1u32, 7, 100, 4096, 65536] {
                let missing = 1.0 / f64::from(k).sqrt();
                let allowed = Tolerance::of_deviation(precision.deviation(k.into()), 1000.0);
                assert!(missing > 2.0 * allowed.rms, "{precision:?}, {k}: {allowed:?}");
            }
        }
    }
}
