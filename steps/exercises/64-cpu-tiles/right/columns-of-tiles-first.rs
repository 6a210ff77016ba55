use crate::meter::Array;

pub fn transpose<A: Array>(n: usize, from: &A, to: &A) {
    let tiles = n.div_ceil(16);
    for tile in 0..tiles * tiles {
        let (column, row) = (tile / tiles * 16, tile % tiles * 16);
        (column..n.min(column + 16)).for_each(|j| {
            (row..n.min(row + 16)).for_each(|i| to.set(j * n + i, from.get(i * n + j)));
        });
    }
}
