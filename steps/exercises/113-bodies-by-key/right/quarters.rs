/// The key of a body in column `x` and row `y`: the quarter, then the key in the quarter.
pub fn key(x: u32, y: u32) -> u32 {
    in_square(x, y, 512)
}

fn in_square(x: u32, y: u32, half: u32) -> u32 {
    match half {
        0 => 0,
        _ => (y / half * 2 + x / half) * half * half + in_square(x % half, y % half, half / 2),
    }
}
