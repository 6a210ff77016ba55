//! Matrix products of a warp ("Warp Level Matrix Multiply-Accumulate Instructions").
//!
//! The ISA leaves open how the products of one `mma` are summed ("the accumulation order, rounding and handling of
//! subnormal inputs are unspecified"). Here it is done as on an H200, with equal bits in all that was compared
//! (`tests/products`): the exact products and the accumulator are aligned to the greatest of their exponents, cut off
//! `KEPT` bits behind it, towards zero, and added exactly, all at once; the sum is cut off to an `f32`. So sums of
//! numbers of one sign come out too small, and the more products they take, the more so. A subnormal number has the
//! exponent of the least normal one. A result of zero is +0, whatever the signs of what was added or cut off.
//!
//! `wgmma` does the same with numbers of 16 and 32 bits. Of numbers of 8 bits it keeps [`KEPT_OF_BYTES`] bits of a term, and
//! of a sum in `f32` as many after the first (`tests/products`).
//!
//! Other generations may keep other numbers of bits, and may add fewer products at once: they were not measured.

use super::Rounding;
use super::float32::narrow;

/// Rows of the first operand and of the result.
pub const ROWS: usize = 16;

/// Columns of the second operand and of the result.
pub const COLUMNS: usize = 8;

/// Bits that a term keeps after the binary point, where the greatest exponent of a sum's terms is 0.
pub const KEPT: u64 = 25;
/// The same where `wgmma` multiplies numbers of 8 bits.
pub const KEPT_OF_BYTES: u64 = 13;

/// Where an `f64` has its exponent, and what is added to that.
const EXPONENT: u64 = 0x7ff << 52;
const BIAS: u64 = 1023;

/// The least power of two to which terms are aligned: smaller ones are cut off below 2⁻¹⁵⁸.
const LEAST: f64 = f64::from_bits((BIAS - 133) << 52);

/// The least normal number of `.e4m3`.
pub const LEAST_E4M3: f64 = f64::from_bits((BIAS - 6) << 52);
/// The least normal `f16`, and number of `.e5m2`.
pub const LEAST_F16: f64 = f64::from_bits((BIAS - 14) << 52);
/// The least normal number of formats with the exponents of an `f32`.
pub const LEAST_F32: f64 = f64::from_bits((BIAS - 126) << 52);

/// `a` · `b` + `c`; `a` and the sums lie column by column, `b` row by row. `least` is the least normal number of
/// the formats of `a`, `b` and `c`, `KEPT` how many bits of a term are kept.
///
/// The operands are numbers of at most 11 bits with the exponents of an `f32`, the accumulators are `f32`s. What is too
/// great for `f32` becomes infinity; infinities and NaN among the terms have the result that they have in any sum.
/// `TRUNC`: the code is compiled for instructions that cut off fractions.
#[inline(always)]
pub fn multiply_add<const K: usize, const TRUNC: bool, const KEPT: u64>(
    a: &[[f64; ROWS]; K],
    b: &[[f64; COLUMNS]; K],
    c: &[[f64; ROWS]; COLUMNS],
    least: [f64; 3],
) -> [[f32; ROWS]; COLUMNS] {
    let mut power_a = [[0.0; ROWS]; K];
    for (power_a, &a) in power_a.as_flattened_mut().iter_mut().zip(a.as_flattened()) {
        *power_a = power(a, least[0]);
    }
    // 2 to the power of the greatest exponent of each sum's terms. That of a product is the sum of its operands', though
    // the significand may be 2 or more.
    let mut greatest = [[0.0; ROWS]; COLUMNS];
    for (greatest, &c) in greatest.as_flattened_mut().iter_mut().zip(c.as_flattened()) {
        *greatest = greater(power(c, least[2]), LEAST);
    }
    for column in 0..COLUMNS {
        let greatest = &mut greatest[column];
        for k in 0..K {
            let power_b = power(b[k][column], least[1]);
            for row in 0..ROWS {
                greatest[row] = greater(power_a[k][row] * power_b, greatest[row]);
            }
        }
    }
    // Terms in units of the last bit that is kept: integers, which stay below 2³² in sum.
    let mut per_unit = [[0.0; ROWS]; COLUMNS];
    for (per_unit, greatest) in per_unit.as_flattened_mut().iter_mut().zip(greatest.as_flattened())
    {
        *per_unit = f64::from_bits(((2 * BIAS + KEPT) << 52).wrapping_sub(greatest.to_bits()));
    }
    let mut sums = [[0.0; ROWS]; COLUMNS];
    for column in 0..COLUMNS {
        let (sums, per_unit) = (&mut sums[column], &per_unit[column]);
        for row in 0..ROWS {
            sums[row] = cut::<TRUNC>(c[column][row] * per_unit[row]);
        }
        for k in 0..K {
            let b = b[k][column];
            for row in 0..ROWS {
                sums[row] += cut::<TRUNC>(a[k][row] * b * per_unit[row]);
            }
        }
    }
    let mut d = [[0.0; ROWS]; COLUMNS];
    let of_sums = sums.as_flattened().iter().zip(greatest.as_flattened());
    for (d, (sum, greatest)) in d.as_flattened_mut().iter_mut().zip(of_sums) {
        *d = round(sum * (greatest * const { 1.0 / (1u64 << KEPT) as f64 }));
    }
    d
}

/// 2 to the power of a number's exponent, which is that of `least` for smaller ones; 0 of 0, infinity of infinity and NaN.
#[inline(always)]
fn power(a: f64, least: f64) -> f64 {
    let power = f64::from_bits(a.to_bits() & EXPONENT);
    if power == 0.0 { power } else { greater(power, least) }
}

/// The greater of two numbers; `b` if `a` is NaN.
#[inline(always)]
fn greater(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// To an integer, towards zero. The number is below 2⁵² in magnitude, infinite or NaN.
#[inline(always)]
fn cut<const TRUNC: bool>(a: f64) -> f64 {
    const UNIT: f64 = (1u64 << 52) as f64;
    if TRUNC {
        return a.trunc();
    }
    let magnitude = a.abs();
    let nearest = (magnitude + UNIT) - UNIT;
    let integer = if nearest > magnitude { nearest - 1.0 } else { nearest };
    integer.copysign(a)
}

/// To `f32` towards zero, which is +0.
#[inline(always)]
fn round(sum: f64) -> f32 {
    /// 2¹²⁸.
    const TOO_GREAT: f64 = f64::from_bits((1023 + 128) << 52);
    let infinite = f32::INFINITY.copysign(sum as f32);
    let rounded = narrow(sum, Rounding::Zero);
    if sum.abs() >= TOO_GREAT { infinite } else { rounded + 0.0 }
}

/// A sum in `f32` of products of bytes: [`KEPT_OF_BYTES`] bits after the first. A result of zero is +0.
#[inline(always)]
pub fn short(sum: f32) -> f32 {
    const LOST: u32 = (1 << (23 - KEPT_OF_BYTES)) - 1;
    if sum.is_nan() { sum } else { f32::from_bits(sum.to_bits() & !LOST) + 0.0 }
}

/// The number of a matrix's row and of its first column in a lane's part of 8 rows: lane / 4, and lane modulo 4.
#[inline(always)]
pub fn place(lane: usize) -> (usize, usize) {
    (lane / 4, lane % 4)
}

/// `movmatrix.sync.aligned.m8n8.trans.b16`: each lane holds two neighbours of a row of 8×8, and gets two of a column.
#[inline(always)]
pub fn transpose(a: &[u32; 32]) -> [u32; 32] {
    std::array::from_fn(|lane| {
        let (row, pair) = place(lane);
        // The element at (2·pair, row), and the one below it.
        let of = |from: usize| a[4 * from + row / 2] >> (16 * (row % 2)) & 0xffff;
        of(2 * pair) | of(2 * pair + 1) << 16
    })
}
