//! Random matrices, and elements of their product in doubles.

use std::f64::consts::TAU;
use std::sync::LazyLock;

use chacha20::rand_core::Rng;
use ladder::arrays::{Random, of_random_words};
use rayon::prelude::*;

use super::residues::Matrices;

/// Rows and columns that are transposed at once: they fit the cache.
const BLOCK: usize = 32;

/// The largest of the whole numbers: exact in each precision.
const WHOLE: u32 = 8;

/// Values of the two halves of a random word: a logarithm and a cosine of each number would take longer than all else.
const HALVES: usize = 1 << 16;

/// The square root of twice the logarithm of 1/x, and the cosine of the angle x, for each of `HALVES` numbers x between
/// 0 and 1: a product of the two is normal (Box and Muller).
static NORMAL: LazyLock<Vec<[f32; 2]>> = LazyLock::new(|| {
    let number = |half: usize| (half as f64 + 0.5) / HALVES as f64;
    let both = |x: f64| [(-2.0 * x.ln()).sqrt() as f32, (TAU * x).cos() as f32];
    (0..HALVES).map(|half| both(number(half))).collect()
});

/// Numbers of the normal distribution with mean 0 and variance 1. Their bits are as random as those of measured data:
/// zeros, or numbers that are all alike, would need less power, and a GPU would run at a higher clock.
pub fn normal(count: u64, random: &mut Random) -> Vec<f32> {
    let table = &NORMAL[..];
    let number = |word: u32| table[word as usize % HALVES][0] * table[word as usize / HALVES][1];
    of_random_words(count, random, number)
}

/// Whole numbers from -8 to 8, so that sums are exact in any order.
pub fn whole(count: u64, random: &mut Random) -> Vec<f32> {
    let number = |word: u32| (word % (2 * WHOLE + 1)) as f32 - WHOLE as f32;
    of_random_words(count, random, number)
}

/// A number from 0.5 up to 2, with either sign.
pub fn factor(random: &mut Random) -> f32 {
    let word = random.next_u32();
    let size = 0.5 + 1.5 * (word >> 9) as f32 / (1 << 23) as f32;
    if word & 1 == 0 { size } else { -size }
}

/// 1 or -1, as often.
pub fn signs(count: u64, random: &mut Random) -> Vec<f64> {
    of_random_words(count, random, |word| if word & 1 == 0 { 1.0 } else { -1.0 })
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
pub fn transposed<T>(elements: &[T], rows: usize, columns: usize) -> Vec<T>
where
    T: Copy + Default + Send + Sync,
{
    let mut result = vec![T::default(); elements.len()];
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

/// A matrix of rows of so many elements, with zeros on the right and below, so that both sizes are multiples of `to`.
pub fn padded(elements: &[u8], columns: usize, to: usize) -> Vec<u8> {
    let rows = elements.len() / columns;
    let (height, width) = (rows.next_multiple_of(to), columns.next_multiple_of(to));
    let mut result = vec![0; height * width];
    let rows = result.chunks_exact_mut(width).zip(elements.chunks_exact(columns));
    rows.for_each(|(to, from)| to[..columns].copy_from_slice(from));
    result
}

#[cfg(test)]
mod tests {
    use chacha20::rand_core::SeedableRng;

    use super::*;

    #[test]
    fn numbers_have_the_moments_of_the_normal_distribution() {
        let all = normal(1 << 20, &mut Random::seed_from_u64(1));
        let moment =
            |power| all.iter().map(|&it| f64::from(it).powi(power)).sum::<f64>() / all.len() as f64;
        assert!(moment(1).abs() < 4e-3 && moment(3).abs() < 2e-2);
        assert!((moment(2) - 1.0).abs() < 6e-3 && (moment(4) - 3.0).abs() < 5e-2);
        let beyond_3 = all.iter().filter(|it| it.abs() > 3.0).count() as f64 / all.len() as f64;
        assert!((beyond_3 / 2.7e-3 - 1.0).abs() < 0.1, "{beyond_3}");
    }

    #[test]
    fn zeros_fill_rows_and_columns() {
        assert_eq!(padded(&[1, 2, 3], 3, 2), [1, 2, 3, 0, 0, 0, 0, 0]);
        assert_eq!(padded(&[1, 2, 3, 4], 2, 2), [1, 2, 3, 4]);
    }

    #[test]
    fn a_product_by_hand() {
        let (a, b, c) = ([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [1.0, 0.0, -1.0, 2.0, 3.0, 1.0], [1.0; 4]);
        let matrices = Matrices { a: &a, b: &b, c: Some(&c), alpha: 2.0, beta: -1.0 };
        // 1 - 2 + 9, 0 + 4 + 3; 4 - 5 + 18, 0 + 10 + 6
        assert_eq!(elements(&matrices, [2, 3], &[0, 1, 2, 3]), [15.0, 13.0, 33.0, 31.0]);
        assert_eq!(elements(&matrices, [2, 3], &[1, 2]), [13.0, 33.0]);
    }
}
