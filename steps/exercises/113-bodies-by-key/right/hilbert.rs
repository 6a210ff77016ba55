// The place on Hilbert's curve.
/// The key of a body in column `x` and row `y`.
pub fn key(mut x: u32, mut y: u32) -> u32 {
    let mut key = 0;
    for bit in (0..10).rev() {
        let (right, up) = (x >> bit & 1, y >> bit & 1);
        key = key << 2 | (3 * right) ^ up;
        (x, y) = (x & ((1 << bit) - 1), y & ((1 << bit) - 1));
        if up == 0 {
            if right == 1 {
                (x, y) = ((1 << bit) - 1 - x, (1 << bit) - 1 - y);
            }
            (x, y) = (y, x);
        }
    }
    key
}
