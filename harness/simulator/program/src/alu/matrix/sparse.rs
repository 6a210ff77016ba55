//! Products whose first factor is sparse: of each chunk of a row only some elements are in registers, and metadata says which
//! ("Sparse matrix storage").
//!
//! Of the second factor only the elements that meet those are multiplied. So there are half as many products as k says, and an
//! H200 adds them as it does those of a dense factor of half the depth (`tests/products`).

use super::product::{Byte, Element, Factors, Product, Sparsity};
use super::single::{accumulators, added, finish_bytes, finish_native_bytes, value, write};
use crate::alu::isa::Isa;
use crate::registers::{LANES, Registers};
use semantics::half;
use semantics::matrix::{
    COLUMNS, KEPT, KEPT_OF_BYTES, LEAST_E4M3, LEAST_F16, LEAST_F32, ROWS, place,
};

impl Product {
    /// The place along k of an element of a's row that is number `element` of those in registers.
    pub(super) fn along(&self, registers: &Registers, row: usize, element: usize) -> usize {
        let Some(sparsity) = self.sparsity else { return element };
        let chunk = self.factors.chunk();
        let (number, within) = (element / (chunk / 2), element % (chunk / 2));
        // Numbers of 16 and 32 bits: a thread has four indices of each of two rows. Others: it has eight of one row.
        let (thread, nibble) = match self.factors.bits() {
            16.. => (number / 4, row / 8 * 4 + number % 4),
            _ => (number / 8 * 2 + row / 8, number % 8),
        };
        let threads = 4 / Sparsity::selectors(self.factors, self.depth);
        let lane = row % 8 * 4 + usize::from(sparsity.selector) * threads + thread;
        let index = registers.word(sparsity.metadata)[lane] >> (4 * nibble) & 0xf;
        // Two indices of 2 bits: of elements, of pairs of them, or of the halves of one.
        let part = |k: usize| (index >> (2 * k) & 3) as usize;
        chunk * number
            + match chunk {
                2 => part(0) / 2,
                4 => part(within),
                _ => 2 * part(within / 2) + within % 2,
            }
    }
}

/// Multiplies numbers whose sums are floats.
#[inline(always)]
pub(super) fn multiply<I: Isa>(registers: &mut Registers, product: &Product) {
    let least = |is_first: bool| match product.factors {
        Factors::Bytes { a, b, native: true, .. } => {
            let byte = if is_first { a } else { b };
            if byte == Byte::E4m3 { LEAST_E4M3 } else { LEAST_F16 }
        }
        Factors::Single(Element::Bf16 | Element::Tf32) => LEAST_F32,
        _ => LEAST_F16,
    };
    let least = [least(true), least(false), LEAST_F32];
    match product.factors {
        Factors::Bytes { native: true, halves, .. } => {
            let least = if halves { [least[0], least[1], LEAST_F16] } else { least };
            let of = Operands::<64>::new(registers, product, Some);
            let sums = of.multiply::<I, KEPT_OF_BYTES>(&accumulators(registers, product), least);
            finish_native_bytes(registers, product, sums);
        }
        Factors::Bytes { .. } => {
            // As of a dense factor: half of the elements, here every second chunk, and the others onto these sums.
            let mut sums = [[0.0; ROWS]; COLUMNS];
            for half in 0..2 {
                let own = |k: usize| (k / 4 % 2 == half).then_some(k / 8 * 4 + k % 4);
                let of = Operands::<32>::new(registers, product, own);
                sums = of.multiply::<I, KEPT>(&sums, least).map(|column| column.map(f64::from));
            }
            finish_bytes(registers, product, &sums);
        }
        _ => {
            let of = Operands::<32>::new(registers, product, Some);
            let sums = of.multiply::<I, KEPT>(&accumulators(registers, product), least);
            write(registers, product, &sums);
        }
    }
}

/// The factors, with zeros where a has no element.
struct Operands<const K: usize> {
    a: [[f64; ROWS]; K],
    b: [[f64; COLUMNS]; K],
    /// For each row of a, bit k: it has an element there.
    present: [u64; ROWS],
}

impl<const K: usize> Operands<K> {
    /// Those along k that `to` gives a place.
    #[inline(never)]
    fn new(registers: &Registers, product: &Product, to: impl Fn(usize) -> Option<usize>) -> Self {
        let factors = product.factors;
        let mut all = Operands { a: [[0.0; ROWS]; K], b: [[0.0; COLUMNS]; K], present: [0; ROWS] };
        let packed = factors.packed();
        let [_, count_a, count_b] = product.counts();
        for (register, &index) in product.a[..count_a].iter().enumerate() {
            for (lane, &word) in registers.word(index).iter().enumerate() {
                let (group, thread) = place(lane);
                let row = group + 8 * (register % 2);
                for element in 0..packed {
                    let number = packed * (thread + 4 * (register / 2)) + element;
                    if let Some(k) = to(product.along(registers, row, number)) {
                        all.a[k][row] = number_of(factors, true, word, element);
                        all.present[row] |= 1 << k;
                    }
                }
            }
        }
        for (register, &index) in product.b[..count_b].iter().enumerate() {
            for lane in 0..LANES {
                let (column, thread) = place(lane);
                for element in 0..packed {
                    if let Some(k) = to(packed * (thread + 4 * register) + element) {
                        let word = registers.word(index)[lane];
                        all.b[k][column] = number_of(factors, false, word, element);
                    }
                }
            }
        }
        all
    }

    /// a · b + c.
    #[inline(always)]
    fn multiply<I: Isa, const KEPT: u64>(
        &self,
        c: &[[f64; ROWS]; COLUMNS],
        least: [f64; 3],
    ) -> [[f32; ROWS]; COLUMNS] {
        let mut sums = added::<I, K, KEPT>(&self.a, &self.b, c, least);
        if self.b.as_flattened().iter().all(|b| b.is_finite()) {
            return sums;
        }
        // The product of infinity and a zero that is none of a's elements does not exist.
        for row in 0..ROWS {
            let mut b = self.b;
            for (k, b) in b.iter_mut().enumerate() {
                if self.present[row] >> k & 1 == 0 {
                    *b = [0.0; COLUMNS];
                }
            }
            let of_row = added::<I, K, KEPT>(&self.a, &b, c, least);
            for (sums, of_row) in sums.iter_mut().zip(of_row) {
                sums[row] = of_row[row];
            }
        }
        sums
    }
}

/// A number of a register of a or of b.
fn number_of(factors: Factors, is_first: bool, word: u32, element: usize) -> f64 {
    let upper = word >> (factors.bits() * element);
    f64::from(match factors {
        Factors::Single(Element::Bf16) => half::bf16_to_f32(upper as u16),
        Factors::Single(Element::Tf32) => half::tf32_to_f32(word),
        Factors::Bytes { a, b, .. } => value(if is_first { a } else { b }, upper),
        _ => half::f16_to_f32(upper as u16),
    })
}
