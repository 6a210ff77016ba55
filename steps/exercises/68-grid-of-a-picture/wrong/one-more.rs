// says: whole blocks are idle
pub fn grid(width: u32, height: u32) -> (u32, u32) {
    (width / 32 + 1, (height / 8 + 1).min(65_535))
}
