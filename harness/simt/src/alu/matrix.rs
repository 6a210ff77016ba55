//! `mma.sync`: the operands' fragments gathered into matrices, multiplied, and scattered again.
//!
//! Where an element lies is in the ISA's figures of `mma.m16n8k16` and its smaller relatives: lane 4·row + pair holds the
//! row's elements 2·pair and 2·pair + 1 (of 32-bit numbers the one element `pair`), the next register those 8 rows
//! below, the register after that those further along k.

use crate::exec::registers::{LANES, Registers};
use crate::lower::program::{Element, Product};
use crate::semantics::half;
use crate::semantics::matrix::{COLUMNS, ROWS, multiply_add, place};

/// Executes it in all lanes.
#[inline(always)]
pub(super) fn multiply(registers: &mut Registers, product: &Product) {
    match (product.element, product.depth) {
        (Element::F16, 16) => packed::<16, 4, 2>(registers, product, half::f16_to_f32),
        (Element::F16, _) => packed::<8, 2, 1>(registers, product, half::f16_to_f32),
        (Element::Bf16, 16) => packed::<16, 4, 2>(registers, product, half::bf16_to_f32),
        (Element::Bf16, _) => packed::<8, 2, 1>(registers, product, half::bf16_to_f32),
        (Element::Tf32, 8) => single::<8, 4, 2>(registers, product),
        (Element::Tf32, _) => single::<4, 2, 1>(registers, product),
    }
}

/// Of numbers of 16 bits, two in a register: `A` and `B` registers of the operands.
#[inline(always)]
fn packed<const K: usize, const A: usize, const B: usize>(
    registers: &mut Registers,
    product: &Product,
    value: impl Fn(u16) -> f32,
) {
    let halves = |index: u16| {
        let words = registers.word(index);
        let (mut low, mut high) = ([0.0; LANES], [0.0; LANES]);
        for lane in 0..LANES {
            low[lane] = f64::from(value(words[lane] as u16));
            high[lane] = f64::from(value((words[lane] >> 16) as u16));
        }
        (low, high)
    };
    let mut a = [[0.0; K]; ROWS];
    for register in 0..A {
        let (low, high) = halves(product.a[register]);
        for lane in 0..LANES {
            let (row, pair) = place(lane);
            let k = 2 * pair + 8 * (register / 2);
            a[row + 8 * (register % 2)][k] = low[lane];
            a[row + 8 * (register % 2)][k + 1] = high[lane];
        }
    }
    let mut b = [[0.0; COLUMNS]; K];
    for register in 0..B {
        let (low, high) = halves(product.b[register]);
        for lane in 0..LANES {
            let (column, pair) = place(lane);
            let k = 2 * pair + 8 * register;
            b[k][column] = low[lane];
            b[k + 1][column] = high[lane];
        }
    }
    finish(registers, product, &a, &b);
}

/// Of numbers of 32 bits.
#[inline(always)]
fn single<const K: usize, const A: usize, const B: usize>(
    registers: &mut Registers,
    product: &Product,
) {
    let values = |index: u16| {
        let words = registers.word(index);
        let mut values = [0.0; LANES];
        for lane in 0..LANES {
            values[lane] = f64::from(half::tf32_to_f32(words[lane]));
        }
        values
    };
    let mut a = [[0.0; K]; ROWS];
    for register in 0..A {
        let values = values(product.a[register]);
        for lane in 0..LANES {
            let (row, k) = place(lane);
            a[row + 8 * (register % 2)][k + 4 * (register / 2)] = values[lane];
        }
    }
    let mut b = [[0.0; COLUMNS]; K];
    for register in 0..B {
        let values = values(product.b[register]);
        for lane in 0..LANES {
            let (column, k) = place(lane);
            b[k + 4 * register][column] = values[lane];
        }
    }
    finish(registers, product, &a, &b);
}

/// Adds the accumulator, and writes the result, which lies in the lanes as it does.
#[inline(always)]
fn finish<const K: usize>(
    registers: &mut Registers,
    product: &Product,
    a: &[[f64; K]; ROWS],
    b: &[[f64; COLUMNS]; K],
) {
    let mut c = [[0.0; COLUMNS]; ROWS];
    for register in 0..4 {
        let words = registers.word(product.c[register]);
        for lane in 0..LANES {
            let (row, pair) = place(lane);
            let sum = f64::from(f32::from_bits(words[lane]));
            c[row + 8 * (register / 2)][2 * pair + register % 2] = sum;
        }
    }
    let d = multiply_add(a, b, &c);
    for register in 0..4 {
        let words = registers.word_mut(product.d[register]);
        for lane in 0..LANES {
            let (row, pair) = place(lane);
            words[lane] = d[row + 8 * (register / 2)][2 * pair + register % 2].to_bits();
        }
    }
}
