//! Products with sums in `f32`, and those of `f16` with sums in `f16`.

use super::{Element, Factors, Product};
use crate::alu::isa::Isa;
use crate::registers::{LANES, Registers};
use crate::semantics::half;
use crate::semantics::matrix::{COLUMNS, LEAST_F16, LEAST_F32, ROWS, multiply_add, place};

/// Multiplies numbers whose sums are `f32`s.
#[inline(always)]
pub(super) fn multiply<I: Isa>(registers: &mut Registers, product: &Product, element: Element) {
    let (f16, bf16) = (half::f16_to_f32, half::bf16_to_f32);
    match (element, product.depth) {
        (Element::F16, 16) => packed::<I, 16, 4, 2>(registers, product, f16, LEAST_F16),
        (Element::F16, _) => packed::<I, 8, 2, 1>(registers, product, f16, LEAST_F16),
        (Element::Bf16, 16) => packed::<I, 16, 4, 2>(registers, product, bf16, LEAST_F32),
        (Element::Bf16, _) => packed::<I, 8, 2, 1>(registers, product, bf16, LEAST_F32),
        (Element::Tf32, 8) => single::<I, 8, 4, 2>(registers, product),
        (Element::Tf32, _) => single::<I, 4, 2, 1>(registers, product),
    }
}

/// Multiplies numbers of 16 bits whose sums are such numbers.
#[inline(always)]
pub(super) fn multiply_halves<I: Isa>(registers: &mut Registers, product: &Product) {
    match product.depth {
        16 => packed::<I, 16, 4, 2>(registers, product, half::f16_to_f32, LEAST_F16),
        _ => packed::<I, 8, 2, 1>(registers, product, half::f16_to_f32, LEAST_F16),
    }
}

/// Of numbers of 16 bits, two in a register: `A` and `B` registers of the operands.
#[inline(always)]
fn packed<I: Isa, const K: usize, const A: usize, const B: usize>(
    registers: &mut Registers,
    product: &Product,
    value: impl Fn(u16) -> f32,
    least: f64,
) {
    let halves = |index: u16| {
        let words = registers.word(index);
        let (mut low, mut high) = ([0.0; LANES], [0.0; LANES]);
        for lane in 0..LANES {
            low[lane] = value(words[lane] as u16);
            high[lane] = value((words[lane] >> 16) as u16);
        }
        [low, high]
    };
    let mut a = [[0.0; ROWS]; K];
    for register in 0..A {
        for (half, lanes) in halves(product.a[register]).iter().enumerate() {
            put::<ROWS, 2>(lanes, &mut a[8 * (register / 2) + half..], 8 * (register % 2));
        }
    }
    let mut b = [[0.0; COLUMNS]; K];
    for register in 0..B {
        for (half, lanes) in halves(product.b[register]).iter().enumerate() {
            put::<COLUMNS, 2>(lanes, &mut b[8 * register + half..], 0);
        }
    }
    finish::<I, K>(registers, product, &a, &b, least);
}

/// Of numbers of 32 bits.
#[inline(always)]
fn single<I: Isa, const K: usize, const A: usize, const B: usize>(
    registers: &mut Registers,
    product: &Product,
) {
    let values = |index: u16| registers.word(index).map(half::tf32_to_f32);
    let mut a = [[0.0; ROWS]; K];
    for register in 0..A {
        let lanes = values(product.a[register]);
        put::<ROWS, 1>(&lanes, &mut a[4 * (register / 2)..], 8 * (register % 2));
    }
    let mut b = [[0.0; COLUMNS]; K];
    for register in 0..B {
        put::<COLUMNS, 1>(&values(product.b[register]), &mut b[4 * register..], 0);
    }
    finish::<I, K>(registers, product, &a, &b, LEAST_F32);
}

/// Adds the accumulator, and writes the result, which lies in the lanes as it does.
#[inline(always)]
fn finish<I: Isa, const K: usize>(
    registers: &mut Registers,
    product: &Product,
    a: &[[f64; ROWS]; K],
    b: &[[f64; COLUMNS]; K],
    least: f64,
) {
    let mut c = [[0.0; ROWS]; COLUMNS];
    for register in 0..4 {
        let lanes = sums(registers, product, register);
        put::<ROWS, 2>(&lanes, &mut c[register % 2..], 8 * (register / 2));
    }
    let d = if I::FUSED {
        multiply_add::<K, true>(a, b, &c, least)
    } else {
        multiply_add::<K, false>(a, b, &c, least)
    };
    if product.factors == Factors::Half {
        for register in 0..2 {
            let halves = [0, 1].map(|column| {
                let mut words = [0; LANES];
                take(&mut words, &d[column..], 8 * register);
                words.map(|bits| half::f32_to_f16(f32::from_bits(bits)))
            });
            let to = registers.word_mut(product.d[register]);
            for lane in 0..LANES {
                to[lane] = half::pack(halves[1][lane], halves[0][lane]);
            }
        }
        return;
    }
    for register in 0..4 {
        take(registers.word_mut(product.d[register]), &d[register % 2..], 8 * (register / 2));
    }
}

/// The accumulators of a column and 8 rows: those of register `register` if it were of 32 bits.
#[inline(always)]
fn sums(registers: &Registers, product: &Product, register: usize) -> [f32; LANES] {
    if product.factors == Factors::Half {
        let words = registers.word(product.c[register / 2]);
        return words.map(|word| half::f16_to_f32((word >> (16 * (register % 2))) as u16));
    }
    registers.word(product.c[register]).map(f32::from_bits)
}

/// Puts the numbers of all lanes into columns `STEP` apart of a matrix that lies column by column, from row `top`.
///
/// Never inlined, as [`take`]: with AVX-512 it would become gathering and scattering instructions, which are slower than
/// moving one number after the other.
#[inline(never)]
fn put<const N: usize, const STEP: usize>(
    lanes: &[f32; LANES],
    columns: &mut [[f64; N]],
    top: usize,
) {
    for lane in 0..LANES {
        let (row, column) = place(lane);
        columns[STEP * column][top + row] = f64::from(lanes[lane]);
    }
}

/// The opposite, for columns 2 apart.
#[inline(never)]
fn take(words: &mut [u32; LANES], columns: &[[f32; ROWS]], top: usize) {
    for lane in 0..LANES {
        let (row, column) = place(lane);
        words[lane] = columns[2 * column][top + row].to_bits();
    }
}
