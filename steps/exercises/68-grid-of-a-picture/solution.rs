/// Blocks in x and in y for a picture of `width` × `height` pixels, with blocks of 32 × 8 threads. Where y has more
/// rows of blocks than a grid may have, the kernel's threads stride over the rest.
pub fn grid(width: u32, height: u32) -> (u32, u32) {
    (width.div_ceil(32), height.div_ceil(8).min(65_535))
}
