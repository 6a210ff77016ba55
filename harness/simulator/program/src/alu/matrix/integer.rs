//! Products of integers and of bits, which are exact.

use super::product::{Integer, Product};
use crate::registers::{LANES, Registers};
use semantics::matrix::{COLUMNS, ROWS, place};

/// The most elements of a row.
const DEEPEST: usize = 128;

/// Multiplies integers.
#[inline(never)]
pub(super) fn multiply(r: &mut Registers, product: &Product, a: Integer, b: Integer, limit: bool) {
    let &Product { rows, depth, .. } = product;
    let packed = product.factors.packed();
    let (mut of_a, mut of_b) = ([[0; DEEPEST]; ROWS], [[0; DEEPEST]; COLUMNS]);
    let [_, count_a, count_b] = product.counts();
    let tall = rows / 8;
    for (register, &index) in product.a[..count_a].iter().enumerate() {
        for lane in 0..LANES {
            let (group, thread) = place(lane);
            let row = group + 8 * (register % tall);
            let first = packed * (thread + 4 * (register / tall));
            for element in 0..packed {
                let k = product.along(r, row, first + element);
                of_a[row][k] = a.value(r.word(index)[lane], element);
            }
        }
    }
    for (register, &index) in product.b[..count_b].iter().enumerate() {
        for lane in 0..LANES {
            let (group, thread) = place(lane);
            let first = packed * (thread + 4 * register);
            for element in 0..packed {
                of_b[group][first + element] = b.value(r.word(index)[lane], element);
            }
        }
    }
    sums(r, product, |row, column, c| {
        let products = of_a[row][..depth].iter().zip(&of_b[column]);
        let sum: i32 = products.map(|(a, b)| a * b).sum();
        if limit { c.saturating_add(sum) } else { c.wrapping_add(sum) }
    });
}

/// Counts bits.
#[inline(never)]
pub(super) fn count(r: &mut Registers, product: &Product, both: bool) {
    let &Product { rows, depth, .. } = product;
    let [_, count_a, count_b] = product.counts();
    let tall = rows / 8;
    let (mut of_a, mut of_b) = ([[0u32; 8]; ROWS], [[0u32; 8]; COLUMNS]);
    for (register, &index) in product.a[..count_a].iter().enumerate() {
        for lane in 0..LANES {
            let (group, thread) = place(lane);
            let word = thread + 4 * (register / tall);
            of_a[group + 8 * (register % tall)][word] = r.word(index)[lane];
        }
    }
    for (register, &index) in product.b[..count_b].iter().enumerate() {
        for lane in 0..LANES {
            let (group, thread) = place(lane);
            of_b[group][thread + 4 * register] = r.word(index)[lane];
        }
    }
    sums(r, product, |row, column, c| {
        let words = of_a[row][..depth / 32].iter().zip(&of_b[column]);
        let bits = words.map(|(a, b)| if both { a & b } else { a ^ b });
        bits.fold(c, |sum, word| sum.wrapping_add(word.count_ones() as i32))
    });
}

/// Sets d from c, by row and column.
fn sums(r: &mut Registers, product: &Product, of: impl Fn(usize, usize, i32) -> i32) {
    let count = product.rows / 4;
    let mut results = [[0; LANES]; 4];
    for (register, results) in results[..count].iter_mut().enumerate() {
        let c = r.word(product.c[register]);
        for lane in 0..LANES {
            let (group, thread) = place(lane);
            let (row, column) = (group + 8 * (register / 2), 2 * thread + register % 2);
            results[lane] = of(row, column, c[lane] as i32) as u32;
        }
    }
    for (&d, results) in product.d[..count].iter().zip(results) {
        *r.word_mut(d) = results;
    }
}
