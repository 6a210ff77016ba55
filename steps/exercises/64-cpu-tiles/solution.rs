use crate::meter::Array;

const TILE: usize = 16;

/// Writes the rows of a matrix of n × n numbers as columns: row i, column j lies at i * n + j.
pub fn transpose<A: Array>(n: usize, from: &A, to: &A) {
    for row in (0..n).step_by(TILE) {
        for column in (0..n).step_by(TILE) {
            for i in row..(row + TILE).min(n) {
                for j in column..(column + TILE).min(n) {
                    to.set(j * n + i, from.get(i * n + j));
                }
            }
        }
    }
}
