//! How a texture is read.

use super::error::TextureError;
use super::format::{Channel, Format};

/// What a coordinate outside of the texture means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum AddressMode {
    /// The texture repeats. With coordinates that are not normalised: clamped.
    Wrap,
    /// The nearest texel of the edge.
    #[default]
    Clamp,
    /// The texture repeats, every other time mirrored. With coordinates that are not normalised: clamped.
    Mirror,
    /// The border's colour.
    Border,
}

/// Which texels a sample is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Filter {
    /// The one at the coordinates.
    #[default]
    Point,
    /// The two, four or eight around them, weighted.
    Linear,
}

/// How a texture is read. The default is that of a zeroed `cudaTextureDesc`, but for its address modes: texels as they are,
/// coordinates in texels, point sampling, clamped.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Sampler {
    /// What coordinates outside of the texture mean, for x, y and z.
    pub address: [AddressMode; 3],
    /// Linear filtering needs texels that are read as floats.
    pub filter: Filter,
    /// Whether coordinates go from 0 to 1 over the texture and not from 0 to its extent.
    pub normalised: bool,
    /// Whether integers of 8 or 16 bits are read as floats from 0 or -1 to 1 (`cudaReadModeNormalizedFloat`).
    pub as_float: bool,
    /// Whether the first three components of unsigned 8-bit texels are decoded from sRGB.
    pub srgb: bool,
    /// What lies outside under [`AddressMode::Border`].
    pub border: [f32; 4],
    /// Whether linear filtering of a cube goes on over an edge into the next face.
    pub seamless: bool,
    /// Which levels of a mipmap a sample is made of: the nearest one, or two, weighted.
    pub mip_filter: Filter,
    /// Added to the level of detail that an instruction gives.
    pub bias: f32,
    /// The least and the greatest level of detail, after that.
    pub levels: [f32; 2],
}

/// A level of detail, and how much of the next one, in 256ths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Level {
    pub number: u32,
    pub weight: u32,
}

impl Sampler {
    /// The mip levels to sample for level of detail `detail`, of `levels` levels. Without `detail`, it is 0 and no bias is
    /// added. Either is limited to [`Sampler::levels`] and to the last level, and cut off after 8 bits of fraction, as an
    /// H200 does.
    #[inline]
    pub fn level(&self, detail: Option<f32>, levels: u32) -> Level {
        let [least, most] = self.levels.map(f64::from);
        let last = f64::from(levels - 1);
        let detail = detail.map_or(0.0, |detail| f64::from(detail) + f64::from(self.bias));
        let detail = detail.max(least).min(most).clamp(0.0, last);
        let fixed = (detail * 256.0).floor() as u32;
        match self.mip_filter {
            Filter::Point => Level { number: (fixed + 128) >> 8, weight: 0 },
            Filter::Linear => Level { number: fixed >> 8, weight: fixed & 0xff },
        }
    }

    /// Whether texels of a format come as floats.
    #[inline]
    pub fn gives_floats(&self, format: Format) -> bool {
        format.channel == Channel::Float || self.as_float && format.can_normalise()
    }

    /// Refuses what the driver refuses.
    ///
    /// # Errors
    /// The texels cannot be read so.
    pub fn check(&self, format: Format) -> Result<(), TextureError> {
        if self.as_float && format.channel != Channel::Float && format.bits == 32 {
            return Err(TextureError::Sampler(
                "integers of 32 bits cannot be read as normalised floats: only those of 8 and 16",
            ));
        }
        if self.filter == Filter::Linear && !self.gives_floats(format) {
            return Err(TextureError::Sampler(
                "linear filtering needs texels that are floats or are read as normalised floats: sample points, or set \
                 the read mode",
            ));
        }
        if self.mip_filter == Filter::Linear && !self.gives_floats(format) {
            return Err(TextureError::Sampler(
                "weighted levels of detail need texels that are floats or are read as normalised floats",
            ));
        }
        Ok(())
    }
}
