/// Blocks in x and in y for a picture of `width` × `height` pixels, with blocks of 32 × 8 threads. Where y has more
/// rows of blocks than a grid may have, the kernel's threads stride over the rest.
pub fn grid(width: u32, height: u32) -> (u32, u32) {
    (width / 32, height / 8) // TODO: pixels at the edges, and pictures that are very high
}
