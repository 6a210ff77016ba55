pub fn place(n: usize, i: usize, field: usize) -> usize {
    8 * n - 1 - (field * n + i)
}
