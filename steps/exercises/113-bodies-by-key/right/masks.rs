/// The key of a body in column `x` and row `y`.
pub fn key(x: u32, y: u32) -> u32 {
    let spread = |mut x: u32| {
        x = (x | x << 8) & 0x00ff_00ff;
        x = (x | x << 4) & 0x0f0f_0f0f;
        x = (x | x << 2) & 0x3333_3333;
        (x | x << 1) & 0x5555_5555
    };
    spread(y) | spread(x) << 1
}
