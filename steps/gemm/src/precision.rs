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
    /// Eight bits, three of them after the point (e4m3). The tensor cores add up all terms, with 13 bits after the point.
    Fp8,
    /// The same, but only so many terms ([`PART`]) are added up by the tensor cores, and these sums as floats.
    Fp8InParts,
}

/// Terms of a part of a sum: those of a tile of A.
const PART: u64 = 128;

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
            Precision::Fp8 => Names { a: "a in FP8", b: "b in FP8", c: "c of FP8" },
            Precision::Fp8InParts => Names { c: "c of FP8 in parts", ..Precision::Fp8.names() },
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
            Precision::Fp8 | Precision::Fp8InParts => device::Precision::Fp8,
        }
    }

    /// What it is called in tables.
    pub fn words(self) -> &'static str {
        match self {
            Precision::Fp32 => "FP32",
            Precision::Tf32 => "TF32",
            Precision::Bf16 => "BF16",
            Precision::Fp16 => "FP16",
            Precision::Fp8 => "FP8",
            Precision::Fp8InParts => "FP8, and adds up 128 terms at a time",
        }
    }

    /// How many elements of A or B four bytes hold.
    pub fn elements_of_four_bytes(self) -> u32 {
        match self {
            Precision::Fp32 | Precision::Tf32 => 1,
            Precision::Bf16 | Precision::Fp16 => 2,
            Precision::Fp8 | Precision::Fp8InParts => 4,
        }
    }

    /// Whether elements are bytes: B lies column by column then, and A and B are padded with zeros.
    pub fn is_bytes(self) -> bool {
        matches!(self, Precision::Fp8 | Precision::Fp8InParts)
    }

    /// Numbers rounded to nearest, as bits and as their values.
    ///
    /// # Panics
    /// Elements of this precision do not have 16 bits.
    pub fn rounded(self, all: &[f32]) -> (Vec<u16>, Vec<f32>) {
        let round: fn(f32) -> (u16, f32) = match self {
            Precision::Bf16 => |it| (bf16::from_f32(it).to_bits(), bf16::from_f32(it).to_f32()),
            Precision::Fp16 => |it| (f16::from_f32(it).to_bits(), f16::from_f32(it).to_f32()),
            _ => panic!("elements of {self:?} do not have 16 bits"),
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
    /// Where factors are bytes, a product of 32 terms aligns them with the sum before it and keeps 13 bits after the point of the
    /// greatest. A term loses less than a unit of the last place, 0.58 of it in the root mean square at most, in either
    /// direction. That unit is 0.74 of the sum's `SHORT` in the root mean square, and the sum is a random walk, so that *k* terms
    /// lose 0.58 · 0.74 √(k/2) `SHORT`. Of sums in parts, each loses as much as one with so many terms. A sum that grows is cut
    /// to 13 bits after the point again.
    ///
    /// Sums of few terms have no normal distribution, but one with longer tails.
    pub fn deviation(self, k: u64) -> f64 {
        let k = k as f64;
        let sums = (k.sqrt() / 2.0 + 2.0) * UNIT;
        let cut = sums + k / 8.0 * UNIT;
        let short = |k: f64| (0.3 * k.sqrt() + 1.0) * SHORT;
        let deviation = match self {
            Precision::Fp32 => sums,
            Precision::Tf32 => cut + 0.8 * CUT,
            Precision::Bf16 | Precision::Fp16 => cut,
            Precision::Fp8 => short(k),
            Precision::Fp8InParts => short(k.min(PART as f64)) + sums,
        };
        deviation * (1.0 + 2.0 / k.sqrt())
    }
}

/// The number of e4m3 that is nearest, as bits and as its value. The greatest is 448.
pub fn byte(number: f32) -> (u8, f32) {
    // Below 2⁻⁶, the last place stays the same.
    let exponent = (number.abs().to_bits() >> 23) as i32 - 127;
    let unit = 2f32.powi(exponent.max(-6) - 3);
    let value = ((number / unit).round_ties_even() * unit).clamp(-448.0, 448.0);
    // The exponent of an FP16 number begins 8 lower and has one bit more, the fraction has seven bits more.
    let bits = f16::from_f32(value / 256.0).to_bits();
    ((bits >> 8) as u8 & 0x80 | ((bits & 0x7fff) >> 7) as u8, value)
}

/// Half of the last place of a float between 1 and 2.
const UNIT: f64 = 1.0 / (1 << 24) as f64;

/// The last place of a sum of products of bytes between 1 and 2.
const SHORT: f64 = 1.0 / (1 << 13) as f64;

/// The last place of a number of TF32 between 1 and 2.
const CUT: f64 = 1.0 / (1 << 10) as f64;

#[cfg(test)]
mod tests {
    use chacha20::rand_core::SeedableRng;
    use ladder::arrays::Random;
    use ladder::judge::{Errors, Tolerance};

    use super::super::matrices::normal;
    use super::*;

    const ALL: [Precision; 6] = [
        Precision::Fp32,
        Precision::Tf32,
        Precision::Bf16,
        Precision::Fp16,
        Precision::Fp8,
        Precision::Fp8InParts,
    ];

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

    /// The power of two of a number's first bit.
    fn exponent(value: f64) -> f64 {
        if value == 0.0 { f64::NEG_INFINITY } else { value.abs().log2().floor() }
    }

    /// What the tensor cores make of bytes: 32 products at a time, with 13 bits after the point of the greatest term.
    fn sum_of_bytes(a: &[f32], b: &[f32]) -> f64 {
        a.chunks(32).zip(b.chunks(32)).fold(0.0, |sum: f64, (a, b)| {
            let pairs = || a.iter().zip(b).map(|(&a, &b)| (f64::from(a), f64::from(b)));
            // A number below 2⁻⁶ counts as one from there on.
            let of_product = |(a, b): (f64, f64)| match a * b {
                0.0 => f64::NEG_INFINITY,
                _ => exponent(a).max(-6.0) + exponent(b).max(-6.0),
            };
            let greatest = pairs().map(of_product).fold(exponent(sum), f64::max);
            let cut = |term: f64, place: f64| match place {
                f64::NEG_INFINITY => 0.0,
                _ => (term * (13.0 - place).exp2()).trunc() * (place - 13.0).exp2(),
            };
            let products = pairs().map(|(a, b)| cut(a * b, greatest));
            let sum = cut(sum, greatest) + products.sum::<f64>();
            cut(sum, exponent(sum))
        })
    }

    /// Errors of sums of `k` products, each from first to last as a kernel adds them.
    fn errors(precision: Precision, k: usize, pairs: &[[Vec<f32>; 2]]) -> Errors {
        let sums = pairs.iter().map(|[a, b]| match precision {
            Precision::Fp32 => {
                let exact = a.iter().zip(b).map(|(&a, &b)| f64::from(a) * f64::from(b)).sum();
                let sum = a.iter().zip(b).fold(0.0f32, |sum, (&a, &b)| a.mul_add(b, sum));
                ([f64::from(sum)], [exact])
            }
            Precision::Fp8 | Precision::Fp8InParts => {
                let part = if precision == Precision::Fp8 { k } else { PART as usize };
                let [a, b] = [a, b].map(|all| all.iter().map(|&it| byte(it).1).collect::<Vec<_>>());
                let sum = a.chunks(part).zip(b.chunks(part));
                let sum = sum.fold(0.0f32, |sum, (a, b)| sum + sum_of_bytes(a, b) as f32);
                let products = a.iter().zip(&b).map(|(&a, &b)| f64::from(a) * f64::from(b));
                ([f64::from(sum)], [products.sum()])
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
        for k in [1, 2, 16, 300, 4096, 16384] {
            let mut random = Random::seed_from_u64(k as u64);
            let mut pair = || [(); 2].map(|()| normal(k as u64, &mut random));
            let pairs: Vec<_> = (0..SUMS).map(|_| pair()).collect();
            for precision in ALL {
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
        for precision in ALL {
            // Of more bytes than this, one product is less than what the tensor cores lose of all.
            let most = if precision == Precision::Fp8 { 4096 } else { 65536 };
            for k in [1u32, 7, 100, 4096, 65536].into_iter().filter(|&k| k <= most) {
                let missing = 1.0 / f64::from(k).sqrt();
                let allowed = Tolerance::of_deviation(precision.deviation(k.into()), 1000.0);
                assert!(missing > 2.0 * allowed.rms, "{precision:?}, {k}: {allowed:?}");
            }
        }
    }

    #[test]
    fn bytes_are_the_nearest() {
        // Bits of e4m3: 2⁻⁹ is the least number, 2⁻⁶ the least that is not subnormal.
        let cases = [
            (0.0, 0, 0.0),
            (-1.0, 0xb8, -1.0),
            (1.0625, 0x38, 1.0), // ties go to an even last bit
            (1.1875, 0x3a, 1.25),
            (0.3, 0x2a, 0.3125),
            (1000.0, 0x7e, 448.0),
            (0.015625, 0x08, 0.015625),
            (-0.006, 0x83, -0.005859375),
            (0.0009, 0, 0.0),
        ];
        for (number, bits, value) in cases {
            assert_eq!(byte(number), (bits, value), "{number}");
        }
    }
}
