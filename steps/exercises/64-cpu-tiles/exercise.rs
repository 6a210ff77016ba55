use crate::meter::Array;

/// Writes the rows of a matrix of n × n numbers as columns: row i, column j lies at i * n + j.
pub fn transpose<A: Array>(n: usize, from: &A, to: &A) {
    // TODO: tiles
    for i in 0..n {
        for j in 0..n {
            to.set(j * n + i, from.get(i * n + j));
        }
    }
}
