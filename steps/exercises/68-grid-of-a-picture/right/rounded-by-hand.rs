pub fn grid(width: u32, height: u32) -> (u32, u32) {
    ((width + 31) / 32, std::cmp::min((height + 7) / 8, 65_535))
}
