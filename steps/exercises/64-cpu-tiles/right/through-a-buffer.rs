use crate::meter::Array;

pub fn transpose<A: Array>(n: usize, from: &A, to: &A) {
    for row in (0..n).step_by(16) {
        for column in (0..n).step_by(16) {
            let mut tile = [[0.0; 16]; 16];
            for i in row..n.min(row + 16) {
                for j in column..n.min(column + 16) {
                    tile[j - column][i - row] = from.get(i * n + j);
                }
            }
            for j in column..n.min(column + 16) {
                for i in row..n.min(row + 16) {
                    to.set(j * n + i, tile[j - column][i - row]);
                }
            }
        }
    }
}
