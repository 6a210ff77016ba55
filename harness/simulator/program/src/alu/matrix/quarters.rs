//! `mma.m8n8k4` of `f16`: four products of 8×4 and 4×8 numbers at once. Each takes four neighbouring lanes of the lower half of
//! the warp, and the same of the upper half.
//!
//! Only GPUs of compute capability 7.0 have this shape in hardware; what others make of it was not recorded. Here the sums are
//! those of the other shapes.

use super::product::{Product, Quarters};
use crate::alu::isa::Isa;
use crate::registers::{LANES, Registers};
use semantics::half;
use semantics::matrix::{COLUMNS, KEPT, LEAST_F16, LEAST_F32, ROWS, multiply_add};

/// Columns of a and rows of b.
const DEPTH: usize = 4;

/// Executes it in all lanes.
#[inline(always)]
pub(super) fn multiply<I: Isa>(registers: &mut Registers, product: &Product, of: Quarters) {
    for quarter in 0..4 {
        let lanes = |k: usize| (k % 4, k / 4 * 4, k / 4 * (LANES / 2) + 4 * quarter + k % 4);
        let mut a = [[0.0; ROWS]; DEPTH];
        let mut b = [[0.0; COLUMNS]; DEPTH];
        let mut c = [[0.0; ROWS]; COLUMNS];
        for (thread, upper, lane) in (0..8).map(lanes) {
            for i in 0..DEPTH {
                // Along the lane's row or column, and across.
                let (column, row) = if of.a_by_row { (i, thread) } else { (thread, i) };
                a[column][upper + row] = f64::from(packed(registers, &product.a, i, lane));
                let (row, column) = if of.b_by_row { (thread, i) } else { (i, thread) };
                b[row][upper + column] = f64::from(packed(registers, &product.b, i, lane));
            }
            for i in 0..COLUMNS {
                let (row, column) = place(of.c_halves, i, lane);
                c[column][row] = f64::from(match of.c_halves {
                    true => packed(registers, &product.c, i, lane),
                    false => f32::from_bits(registers.word(product.c[i])[lane]),
                });
            }
        }
        const LEAST: [f64; 3] = [LEAST_F16, LEAST_F16, LEAST_F32];
        let d = match I::FUSED {
            true => multiply_add::<DEPTH, true, KEPT>(&a, &b, &c, LEAST),
            false => multiply_add::<DEPTH, false, KEPT>(&a, &b, &c, LEAST),
        };
        for (_, _, lane) in (0..8).map(lanes) {
            let sum = |i: usize| {
                let (row, column) = place(of.d_halves, i, lane);
                d[column][row]
            };
            if of.d_halves {
                for pair in 0..COLUMNS / 2 {
                    let [low, high] = [sum(2 * pair), sum(2 * pair + 1)].map(half::f32_to_f16);
                    registers.word_mut(product.d[pair])[lane] = half::pack(high, low);
                }
            } else {
                for i in 0..COLUMNS {
                    registers.word_mut(product.d[i])[lane] = sum(i).to_bits();
                }
            }
        }
    }
}

/// Number `i` of a lane's, two in a register.
#[inline(always)]
fn packed(registers: &Registers, of: &[u16], i: usize, lane: usize) -> f32 {
    half::f16_to_f32((registers.word(of[i / 2])[lane] >> (16 * (i % 2))) as u16)
}

/// Row and column of a lane's sum `i`.
#[inline(always)]
fn place(halves: bool, i: usize, lane: usize) -> (usize, usize) {
    let upper = lane / (LANES / 2) * 4;
    match halves {
        true => (upper + lane % 4, i),
        false => (upper + (lane & 1) + (i & 2), (i & 4) + (lane & 2) + (i & 1)),
    }
}
