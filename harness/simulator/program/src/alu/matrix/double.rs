//! Products of `f64`: one fused multiply-add after the other, in the order of k.

use super::product::Product;
use crate::registers::{LANES, Registers};
use semantics::fma::fma_f64;
use semantics::matrix::place;

/// Multiplies numbers of 64 bits.
#[inline(never)]
pub(super) fn multiply(r: &mut Registers, product: &Product) {
    let tall = product.rows / 8;
    let mut results = [[0; LANES]; 4];
    for (register, results) in results[..2 * tall].iter_mut().enumerate() {
        let mut sums = r.double(product.c[register]).map(f64::from_bits);
        for k in 0..product.depth {
            let a = r.double(product.a[register / 2 + tall * (k / 4)]);
            let b = r.double(product.b[k / 4]);
            for (lane, sum) in sums.iter_mut().enumerate() {
                let (row, thread) = place(lane);
                let column = 2 * thread + register % 2;
                let (a, b) = (a[4 * row + k % 4], b[4 * column + k % 4]);
                *sum = fma_f64::<false>(f64::from_bits(a), f64::from_bits(b), *sum);
            }
        }
        *results = sums.map(f64::to_bits);
    }
    for (&d, results) in product.d[..2 * tall].iter().zip(results) {
        *r.double_mut(d) = results;
    }
}
