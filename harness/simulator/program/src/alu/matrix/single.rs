//! Products with sums in `f32`, and those of `f16` with sums in `f16`.

use super::product::{Byte, Element, Product};
use crate::alu::isa::Isa;
use crate::registers::{LANES, Registers};
use semantics::float32::canonical;
use semantics::half::{self, Minifloat};
use semantics::matrix::{
    COLUMNS, KEPT, KEPT_OF_BYTES, LEAST_E4M3, LEAST_F16, LEAST_F32, ROWS, multiply_add, place,
    short,
};

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

/// The value of a number of 8 bits.
#[inline(always)]
pub(super) fn value(byte: Byte, bits: u32) -> f32 {
    match byte {
        Byte::E4m3 => Minifloat::E4M3.decode(bits & 0xff) as f32,
        Byte::E5m2 => Minifloat::E5M2.decode(bits & 0xff) as f32,
    }
}

/// Multiplies numbers of 8 bits, as `wgmma` does.
#[inline(always)]
pub(super) fn multiply_native_bytes<I: Isa>(
    registers: &mut Registers,
    product: &Product,
    [a, b]: [Byte; 2],
) {
    let least = |byte| if byte == Byte::E4m3 { LEAST_E4M3 } else { LEAST_F16 };
    let four = |byte| move |word: u32| [0, 8, 16, 24].map(|shift| value(byte, word >> shift));
    let of_a = gathered::<ROWS, 32, 2, 4>(registers, &product.a[..4], four(a));
    let of_b = gathered::<COLUMNS, 32, 1, 4>(registers, &product.b[..2], four(b));
    let c = accumulators(registers, product);
    let halves = product.factors.sums_halves();
    let d = added::<I, 32, KEPT_OF_BYTES>(
        &of_a,
        &of_b,
        &c,
        [least(a), least(b), if halves { LEAST_F16 } else { LEAST_F32 }],
    );
    finish_native_bytes(registers, product, d);
}

/// Writes sums of products of bytes.
#[inline(always)]
pub(super) fn finish_native_bytes(
    registers: &mut Registers,
    product: &Product,
    sums: [[f32; ROWS]; COLUMNS],
) {
    let half = |sum| half::f16_to_f32(half::f32_to_f16(sum)) + 0.0;
    let halves = product.factors.sums_halves();
    let d = sums.map(|column| column.map(|sum| if halves { half(sum) } else { short(sum) }));
    write(registers, product, &d);
}

/// Multiplies numbers of 8 bits, as `mma` does.
///
/// The H100 has no such instruction: its compiler makes halves of them, multiplies the lower two bytes of each register,
/// then the upper two onto these sums, and adds the accumulator at last.
#[inline(always)]
pub(super) fn multiply_bytes<I: Isa>(
    registers: &mut Registers,
    product: &Product,
    types: [Byte; 2],
) {
    match product.depth {
        32 => bytes::<I, 16, 4, 2>(registers, product, types),
        _ => bytes::<I, 8, 2, 1>(registers, product, types),
    }
}

#[inline(always)]
fn bytes<I: Isa, const K: usize, const A: usize, const B: usize>(
    registers: &mut Registers,
    product: &Product,
    [a, b]: [Byte; 2],
) {
    let mut sums = [[0.0; ROWS]; COLUMNS];
    for shift in [0, 16] {
        let pair = |byte| move |word: u32| [0, 8].map(|k| value(byte, word >> (shift + k)));
        let a = gathered::<ROWS, K, 2, 2>(registers, &product.a[..A], pair(a));
        let b = gathered::<COLUMNS, K, 1, 2>(registers, &product.b[..B], pair(b));
        sums =
            added::<I, K, KEPT>(&a, &b, &sums, [LEAST_F16, LEAST_F16, LEAST_F32]).map(|column| {
                column.map(|sum| {
                    let half = |sum| half::f16_to_f32(half::f32_to_f16(sum));
                    f64::from(if product.factors.sums_halves() { half(sum) } else { sum })
                })
            });
    }
    finish_bytes(registers, product, &sums);
}

/// Adds the accumulator to the sum of what was made halves.
#[inline(always)]
pub(super) fn finish_bytes(
    registers: &mut Registers,
    product: &Product,
    sums: &[[f64; ROWS]; COLUMNS],
) {
    let c = accumulators(registers, product);
    let mut d = [[0.0; ROWS]; COLUMNS];
    for (column, d) in d.iter_mut().enumerate() {
        for (row, d) in d.iter_mut().enumerate() {
            *d = canonical(c[column][row] as f32 + sums[column][row] as f32);
        }
    }
    write(registers, product, &d);
}

/// Of numbers of 16 bits, two in a register: `A` and `B` registers of the operands.
#[inline(always)]
fn packed<I: Isa, const K: usize, const A: usize, const B: usize>(
    registers: &mut Registers,
    product: &Product,
    value: impl Fn(u16) -> f32,
    least: f64,
) {
    let pair = |word: u32| [value(word as u16), value((word >> 16) as u16)];
    let a = gathered::<ROWS, K, 2, 2>(registers, &product.a[..A], pair);
    let b = gathered::<COLUMNS, K, 1, 2>(registers, &product.b[..B], pair);
    finish::<I, K>(registers, product, &a, &b, least);
}

/// An operand of `N` rows (of b: columns), of which each register holds `PACKED` elements along k; `TALL` registers are next
/// to each other in the rows.
#[inline(always)]
fn gathered<const N: usize, const K: usize, const TALL: usize, const PACKED: usize>(
    registers: &Registers,
    of: &[u16],
    elements: impl Fn(u32) -> [f32; PACKED],
) -> [[f64; N]; K] {
    let mut matrix = [[0.0; N]; K];
    for (register, &index) in of.iter().enumerate() {
        let words = registers.word(index);
        let mut parts = [[0.0; LANES]; PACKED];
        for lane in 0..LANES {
            for (part, element) in parts.iter_mut().zip(elements(words[lane])) {
                part[lane] = element;
            }
        }
        let first = 4 * PACKED * (register / TALL);
        for (part, lanes) in parts.iter().enumerate() {
            put::<N, PACKED>(lanes, &mut matrix[first + part..], 8 * (register % TALL));
        }
    }
    matrix
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

/// Adds the accumulator, and writes the result.
#[inline(always)]
fn finish<I: Isa, const K: usize>(
    registers: &mut Registers,
    product: &Product,
    a: &[[f64; ROWS]; K],
    b: &[[f64; COLUMNS]; K],
    least: f64,
) {
    let c = accumulators(registers, product);
    write(registers, product, &added::<I, K, KEPT>(a, b, &c, [least, least, LEAST_F32]));
}

/// a · b + c.
#[inline(always)]
pub(super) fn added<I: Isa, const K: usize, const KEPT: u64>(
    a: &[[f64; ROWS]; K],
    b: &[[f64; COLUMNS]; K],
    c: &[[f64; ROWS]; COLUMNS],
    least: [f64; 3],
) -> [[f32; ROWS]; COLUMNS] {
    if I::FUSED {
        multiply_add::<K, true, KEPT>(a, b, c, least)
    } else {
        multiply_add::<K, false, KEPT>(a, b, c, least)
    }
}

/// c, column by column.
#[inline(always)]
pub(super) fn accumulators(registers: &Registers, product: &Product) -> [[f64; ROWS]; COLUMNS] {
    let mut c = [[0.0; ROWS]; COLUMNS];
    for register in 0..4 {
        let lanes = sums(registers, product, register);
        put::<ROWS, 2>(&lanes, &mut c[register % 2..], 8 * (register / 2));
    }
    c
}

/// Writes the result, which lies in the lanes as the accumulator does.
#[inline(always)]
pub(super) fn write(registers: &mut Registers, product: &Product, d: &[[f32; ROWS]; COLUMNS]) {
    if product.factors.sums_halves() {
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
    if product.factors.sums_halves() {
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
