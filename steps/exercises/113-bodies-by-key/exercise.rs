/// The key of a body in column `x` and row `y`, from 0 to 1023 each. Bodies are sorted by it.
pub fn key(x: u32, y: u32) -> u32 {
    y * 1024 + x // TODO: squares together, at every level
}
