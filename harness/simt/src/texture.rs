//! Textures and surfaces: texels in memory, and how instructions read and write them.
//!
//! An [`Array`] is memory for texels of one [`Format`] in a [`Shape`]. A [`Texture`] says which texels (of an array or of
//! linear memory) an object reads, and with which [`Sampler`]; a surface object reads and writes the elements of an array as
//! they are. A kernel gets an object as a number of 64 bits, as CUDA passes `cudaTextureObject_t` and `cudaSurfaceObject_t`.
//! The simulator makes and ends all of them:
//!
//! ```
//! use simt::texture::{AddressMode, Filter, Format, Geometry, Sampler, Shape, Texels, Texture};
//! let simulator = simt::Simulator::new(1 << 20);
//! let shape = Shape { geometry: Geometry::Plane, extent: [4, 2, 1], format: Format::F32 };
//! let array = simulator.alloc_array("image", shape)?;
//! simulator.write_array(&array, [0; 3], [4, 2, 1], &[0; 4 * 2 * 4])?;
//! let sampler = Sampler { filter: Filter::Linear, address: [AddressMode::Wrap; 3], normalised: true, ..Sampler::default() };
//! let texture = simulator.texture(&Texture { texels: Texels::Array(array), sampler })?;
//! // `texture.to_le_bytes()` is the kernel's argument.
//! # assert_ne!(texture, 0);
//! # Ok::<(), simt::texture::TextureError>(())
//! ```
//!
//! A `.texref` or `.surfref` variable of a module is 8 bytes that hold an object: write it to the address that
//! [`Loaded::symbol`](crate::Loaded::symbol) gives.
//!
//! Samples are those of an H100, bit for bit, as the recorded ones of `tests/textures` show: points, fetches, linear samples of
//! one and two dimensions, surfaces. Not yet all bits of these are: linear samples of three dimensions (a few 256ths of the
//! texels' range) and of signed 8-bit texels (the last of 16 bits), sRGB (1/64), cubes at directions with infinite components,
//! and linear samples at the edges of seamless cubes. Of integers as whole coordinates of a one-dimensional array, the ISA's
//! texels come, where NVIDIA's compiler takes the texture for linear memory and zeros come.
//!
//! Mipmaps are not simulated: every level of detail is the only one that there is.

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

pub use error::TextureError;
pub(crate) use filter::{Components, gather};
pub(crate) use footprint::{MOST, Request, footprint};
pub use format::{Channel, Format};
pub(crate) use object::Objects;
pub use object::{Texels, Texture};
pub use sampler::{AddressMode, Filter, Sampler};
pub(crate) use shape::Layout;
pub use shape::{Array, Geometry, Shape};
