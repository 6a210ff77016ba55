/// The key of a body in column `x` and row `y`, from 0 to 1023 each. Bodies are sorted by it.
pub fn key(x: u32, y: u32) -> u32 {
    spread(x) | spread(y) << 1
}

/// Ten bits, each with a zero before it.
fn spread(x: u32) -> u32 {
    (0..10).map(|bit| (x >> bit & 1) << (2 * bit)).sum()
}
