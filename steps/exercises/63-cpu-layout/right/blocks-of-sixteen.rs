pub fn place(_n: usize, i: usize, field: usize) -> usize {
    (i / 16 * 8 + field) * 16 + i % 16
}
