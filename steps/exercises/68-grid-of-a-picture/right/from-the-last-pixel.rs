pub fn grid(width: u32, height: u32) -> (u32, u32) {
    let last = (width - 1, height - 1);
    let (x, y) = (last.0 / 32 + 1, last.1 / 8 + 1);
    if y > 65_535 { (x, 65_535) } else { (x, y) }
}
