//! Matrices of random numbers, and what they are transposed.

use std::ops::Range;

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};

/// A matrix, row by row.
#[derive(Debug, Clone, PartialEq)]
pub struct Matrix {
    /// Rows.
    pub rows: usize,
    /// Columns.
    pub columns: usize,
    /// The elements.
    pub elements: Vec<f32>,
}

/// Rows and columns that are transposed at once: they fit the cache.
const BLOCK: usize = 32;

impl Matrix {
    /// Numbers in 0 ≤ x < 1 that depend on the seed and on nothing else.
    pub fn random(rows: usize, columns: usize, seed: u64) -> Matrix {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let elements =
            (0..rows * columns).map(|_| (random.next_u32() >> 8) as f32 / (1 << 24) as f32);
        Matrix { rows, columns, elements: elements.collect() }
    }

    /// Its rows as columns.
    pub fn transposed(&self) -> Matrix {
        let mut elements = vec![0.0; self.elements.len()];
        let blocks = |count: usize| (0..count).step_by(BLOCK).map(move |at| block(at, count));
        for (rows, columns) in blocks(self.rows)
            .flat_map(|rows| blocks(self.columns).map(move |it| (rows.clone(), it)))
        {
            for (row, column) in
                rows.flat_map(|row| columns.clone().map(move |column| (row, column)))
            {
                elements[column * self.rows + row] = self.elements[row * self.columns + column];
            }
        }
        Matrix { rows: self.columns, columns: self.rows, elements }
    }
}

fn block(at: usize, count: usize) -> Range<usize> {
    at..(at + BLOCK).min(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_become_columns() {
        let matrix = Matrix { rows: 2, columns: 3, elements: vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0] };
        let transposed = matrix.transposed();
        assert_eq!((transposed.rows, transposed.columns), (3, 2));
        assert_eq!(transposed.elements, [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]);
        let large = Matrix::random(33, 100, 1);
        assert_eq!(large.transposed().transposed(), large);
        assert_ne!(large, Matrix::random(33, 100, 2));
    }
}
