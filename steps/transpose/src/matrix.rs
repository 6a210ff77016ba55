//! Random elements, and the reference: rows as columns.

use ladder::arrays::{Random, drawn, fraction};
use rayon::prelude::*;

/// Rows and columns that are transposed at once: they fit the cache.
const BLOCK: usize = 32;

/// Numbers in 0 ≤ x < 1.
pub fn random_elements(count: usize, random: &mut Random) -> Vec<f32> {
    drawn(count as u64, random, fraction)
}

/// A matrix of rows one after the other, its rows as columns.
pub fn transposed(elements: &[f32], rows: usize, columns: usize) -> Vec<f32> {
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

#[cfg(test)]
mod tests {
    use chacha20::ChaCha8Rng;
    use chacha20::rand_core::SeedableRng;

    use super::*;

    #[test]
    fn rows_become_columns() {
        let matrix = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
        assert_eq!(transposed(&matrix, 2, 3), [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]);
        let large = random_elements(33 * 100, &mut ChaCha8Rng::seed_from_u64(1));
        assert_eq!(transposed(&transposed(&large, 33, 100), 100, 33), large);
        assert!(large.iter().all(|it| (0.0..1.0).contains(it)));
    }
}
