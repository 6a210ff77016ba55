//! Why an array or an object cannot be made or copied.

use memory::MemoryError;

/// Why an array or an object cannot be made or copied.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TextureError {
    /// No GPU has texels like these.
    #[error(
        "no texels of {components} components of {bits} bits: 1, 2 or 4 components of 8, 16 or 32 bits are possible, \
         floats of 16 or 32"
    )]
    Format {
        /// Components of a texel that were asked for.
        components: u8,
        /// Bits of each component.
        bits: u8,
    },
    /// An extent is 0, too large, or does not fit the geometry.
    #[error("an array cannot have {}×{}×{} texels: {problem}", .extent[0], .extent[1], .extent[2])]
    Extent {
        /// What was asked for.
        extent: [u32; 3],
        /// What is wrong with it.
        problem: &'static str,
    },
    /// Levels of detail that an array cannot have.
    #[error("an array of this extent has 1 to {most} levels of detail, not {levels}")]
    Levels {
        /// What was asked for.
        levels: u32,
        /// The most levels that it can have.
        most: u32,
    },
    /// A copy that is not wholly inside its array.
    #[error(
        "a copy of {}×{}×{} texels from ({}, {}, {}) on is not inside an array of {}×{}×{}",
        .extent[0], .extent[1], .extent[2], .origin[0], .origin[1], .origin[2], .array[0], .array[1], .array[2]
    )]
    Region {
        /// First texel of the copy, in x, y, z.
        origin: [u32; 3],
        /// Texels of the copy, in x, y, z.
        extent: [u32; 3],
        /// Texels of the array, in x, y, z.
        array: [u32; 3],
    },
    /// The host's bytes of a copy are not as many as its texels take.
    #[error("a copy of {wanted} bytes with {found} bytes on the host")]
    Bytes {
        /// Bytes of the texels.
        wanted: u64,
        /// Bytes that were given.
        found: u64,
    },
    /// A sampler that cannot read these texels.
    #[error("{0}")]
    Sampler(&'static str),
    /// Linear memory that cannot be a texture.
    #[error("{0}")]
    Linear(String),
    /// An error of the memory that holds the array.
    #[error(transparent)]
    Memory(#[from] MemoryError),
}
