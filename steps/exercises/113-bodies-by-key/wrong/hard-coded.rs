// The cells of the third level alone.
/// The key of a body.
pub fn key(x: u32, y: u32) -> u32 {
    (y / 128 * 8 + x / 128) << 14 | (y % 128) << 7 | x % 128
}
