//! Random matrices, and elements of their product in doubles.

use std::f64::consts::TAU;

use chacha20::rand_core::Rng;
use ladder::arrays::{Random, random_words};
use rayon::prelude::*;

use super::residues::Matrices;

/// Rows and columns that are transposed at once: they fit the cache.
const BLOCK: usize = 32;

/// The largest of the whole numbers: exact in each precision.
const WHOLE: u32 = 8;

/// Numbers of the normal distribution with mean 0 and variance 1. Their bits are as random as those of measured data:
/// zeros, or numbers that are all alike, would need less power, and a GPU would run at a higher clock.
pub fn normal(count: u64, random: &mut Random) -> Vec<f32> {
    let number = |word: u32| {
        let [radius, angle] = [word >> 16, word & 0xffff].map(|it| (f64::from(it) + 0.5) / 65536.0);
        ((-2.0 * radius.ln()).sqrt() * (TAU * angle).cos()) as f32 // Box and Muller
    };
    random_words(count, random).map(number).collect()
}

/// Whole numbers from -8 to 8, so that sums are exact in any order.
pub fn whole(count: u64, random: &mut Random) -> Vec<f32> {
    let number = |word: u32| (word % (2 * WHOLE + 1)) as f32 - WHOLE as f32;
    random_words(count, random).map(number).collect()
}

/// A number from 0.5 up to 2, with either sign.
pub fn factor(random: &mut Random) -> f32 {
    let word = random.next_u32();
    let size = 0.5 + 1.5 * (word >> 9) as f32 / (1 << 23) as f32;
    if word & 1 == 0 { size } else { -size }
}

/// 1 or -1, as often.
pub fn signs(count: u64, random: &mut Random) -> Vec<f64> {
    random_words(count, random).map(|word| if word & 1 == 0 { 1.0 } else { -1.0 }).collect()
}

/// Elements of α A B + β C of `n` columns, at these places. B has `k` rows.
pub fn elements(
    &Matrices { a, b, c, alpha, beta }: &Matrices,
    [n, k]: [usize; 2],
    at: &[usize],
) -> Vec<f32> {
    let columns = transposed(b, k, n);
    let element = |&i: &usize| {
        let pairs = a[i / n * k..][..k].iter().zip(&columns[i % n * k..][..k]);
        let sum: f64 = pairs.map(|(&a, &b)| f64::from(a) * f64::from(b)).sum();
        let before = c.map_or(0.0, |c| f64::from(beta) * f64::from(c[i]));
        (f64::from(alpha) * sum + before) as f32
    };
    at.par_iter().map(element).collect()
}

/// A matrix of rows one after the other, its rows as columns.
fn transposed(elements: &[f32], rows: usize, columns: usize) -> Vec<f32> {
    let mut result = vec![0.0; elements.len()];
    result.par_chunks_mut(BLOCK * rows).enumerate().for_each(|(number, result)| {
        let left = number * BLOCK;
        for top in (0..rows).step_by(BLOCK) {
            for row in top..(top + BLOCK).min(rows) {
                for column in left..(left + BLOCK).min(columns) {
                    result[(column - left) * rows + row] = elements[row * columns + column];
                }
            }
        }
    });
    result
}
