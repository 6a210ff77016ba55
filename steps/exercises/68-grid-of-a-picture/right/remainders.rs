pub fn grid(width: u32, height: u32) -> (u32, u32) {
    let up = |size: u32, block: u32| size / block + u32::from(size % block > 0);
    (up(width, 32), up(height, 8).clamp(1, 65_535))
}
