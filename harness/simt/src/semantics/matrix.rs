//! Matrix products of a warp ("Warp Level Matrix Multiply-Accumulate Instructions").
//!
//! The ISA leaves open how the products of one `mma` are summed ("the accumulation order, rounding and handling of
//! subnormal inputs are unspecified"), and no document says what the hardware does; studies of it see exact products
//! whose sum is truncated. Here the accumulator and the exact products are summed in `f64`, in the order of k, and the
//! sum is rounded once, towards zero: what a single `mma` gives is within one unit in the last place of the exact result
//! of the wider sum, at least as near as hardware, which aligns the terms and drops bits before it adds them.

use super::Rounding;
use super::float32::narrow;

/// Rows of the first operand and of the result.
pub const ROWS: usize = 16;

/// Columns of the second operand and of the result.
pub const COLUMNS: usize = 8;

/// `a` · `b` + `c`, the sums rounded towards zero; what is too great for `f32` becomes infinity.
///
/// The operands are numbers of at most 24 bits, whose products are exact in `f64`.
#[inline(always)]
pub fn multiply_add<const K: usize>(
    a: &[[f64; K]; ROWS],
    b: &[[f64; COLUMNS]; K],
    c: &[[f64; COLUMNS]; ROWS],
) -> [[f32; COLUMNS]; ROWS] {
    let mut d = [[0.0; COLUMNS]; ROWS];
    for row in 0..ROWS {
        let mut sums = c[row];
        for k in 0..K {
            for column in 0..COLUMNS {
                sums[column] += a[row][k] * b[k][column];
            }
        }
        for column in 0..COLUMNS {
            d[row][column] = round(sums[column]);
        }
    }
    d
}

/// To `f32` towards zero.
#[inline(always)]
fn round(sum: f64) -> f32 {
    /// 2¹²⁸.
    const TOO_GREAT: f64 = f64::from_bits((1023 + 128) << 52);
    let infinite = f32::INFINITY.copysign(sum as f32);
    let rounded = narrow(sum, Rounding::Zero);
    if sum.abs() >= TOO_GREAT { infinite } else { rounded }
}

/// The number of a matrix's row and of its first column in a lane's part of 8 rows: lane / 4, and lane modulo 4.
#[inline(always)]
pub fn place(lane: usize) -> (usize, usize) {
    (lane / 4, lane % 4)
}

/// `movmatrix.sync.aligned.m8n8.trans.b16`: each lane holds two neighbours of a row of 8×8, and gets two of a column.
#[inline(always)]
pub fn transpose(a: &[u32; 32]) -> [u32; 32] {
    let mut d = [0; 32];
    for lane in 0..32 {
        let (row, pair) = place(lane);
        // The element at (2·pair, row), and the one below it.
        let of = |from: usize| a[4 * from + row / 2] >> (16 * (row % 2)) & 0xffff;
        d[lane] = of(2 * pair) | of(2 * pair + 1) << 16;
    }
    d
}
