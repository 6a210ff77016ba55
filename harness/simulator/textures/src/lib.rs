#![doc = include_str!("../README.md")]
//!
//! Samples are those of an H100 and an H200, bit for bit, as the recorded ones of `tests/textures` show. Known to differ: sums of
//! eight texels of volumes whose sizes are more than 2¹⁰ apart (1 of 700 in the last bits), and directions on a cube whose
//! place lies nearer to the next 256th of a texel than the reciprocal's last bit (1 of 12 000). Of an array of one dimension,
//! an instruction with whole coordinates gives zeros: NVIDIA's compiler takes the texture for linear memory.
//!
//! An array can have further levels of detail ([`Array::with_levels`]); samples without a
//! level of detail are of level 0, as there are no neighbouring pixels. Which levels are sampled, and all
//! samples of one level, are an H200's bits; samples between two levels under linear filtering differ in the last bits (as much as
//! 1/256 of the difference between texels), and levels of gradients by up to a tenth of a level. Anisotropic filtering is not simulated.

mod coordinate;
mod cube;
mod error;
mod filter;
mod footprint;
mod format;
mod object;
mod sampler;
mod shape;
mod srgb;
mod tensor;

pub use error::TextureError;
pub use filter::{Components, blend, gather};
pub use footprint::{MOST, Request, footprint};
pub use format::{Channel, Format};
pub use object::Objects;
pub use object::{Texels, Texture};
pub use sampler::{AddressMode, Filter, Sampler};
pub use shape::Layout;
pub use shape::{Array, Geometry, Shape};
pub use tensor::{
    Fill, MAP_BYTES, MOST_DIMENSIONS, TensorElement, TensorError, TensorMap, offset, swizzled,
};
