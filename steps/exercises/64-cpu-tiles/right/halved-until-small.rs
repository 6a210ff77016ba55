use crate::meter::Array;

/// No size of a cache is in here: a part is halved until it fits any.
pub fn transpose<A: Array>(n: usize, from: &A, to: &A) {
    part((n, from, to), (0, n), (0, n));
}

fn part<A: Array>(all: (usize, &A, &A), rows: (usize, usize), columns: (usize, usize)) {
    let (n, from, to) = all;
    let (height, width) = (rows.1 - rows.0, columns.1 - columns.0);
    if height.max(width) > 16 {
        let cut = |(begin, end): (usize, usize)| begin + ((end - begin) / 2).next_multiple_of(16);
        if height >= width {
            part(all, (rows.0, cut(rows)), columns);
            part(all, (cut(rows), rows.1), columns);
        } else {
            part(all, rows, (columns.0, cut(columns)));
            part(all, rows, (cut(columns), columns.1));
        }
        return;
    }
    for i in rows.0..rows.1 {
        for j in columns.0..columns.1 {
            to.set(j * n + i, from.get(i * n + j));
        }
    }
}
