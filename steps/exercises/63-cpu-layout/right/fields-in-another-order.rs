pub fn place(n: usize, i: usize, field: usize) -> usize {
    const ORDER: [usize; 8] = [3, 1, 0, 2, 7, 6, 5, 4];
    ORDER[field] * n + (n - 1 - i)
}
