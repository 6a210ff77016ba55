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
//! Samples are those of an H100 and an H200, bit for bit, as the recorded ones of `tests/textures` show. Known to differ: sums of
//! eight texels of volumes whose sizes are more than 2¹⁰ apart (1 of 700 in the last bits), and directions on a cube whose
//! place lies nearer to the next 256th of a texel than the reciprocal's last bit (1 of 12 000). Of an array of one dimension,
//! an instruction with whole coordinates gives zeros: NVIDIA's compiler takes the texture for linear memory.
//!
//! An array can have further levels of detail ([`Simulator::alloc_mipmap`](crate::Simulator::alloc_mipmap)); samples without a
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
mod stale;

pub use error::TextureError;
pub(crate) use filter::{Components, blend, gather};
pub(crate) use footprint::{MOST, Request, footprint};
pub use format::{Channel, Format};
pub(crate) use object::Objects;
pub use object::{Texels, Texture};
pub use sampler::{AddressMode, Filter, Sampler};
pub(crate) use shape::Layout;
pub use shape::{Array, Geometry, Shape};
pub(crate) use stale::Stale;
