//! Texture and surface objects.

use std::collections::BTreeMap;

use super::error::TextureError;
use super::format::Format;
use super::sampler::Sampler;
use super::shape::{Array, Geometry, Layout, Shape};

/// What a texture object reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Texels {
    /// All of an array.
    Array(Array),
    /// Texels one after the other, for `tex1Dfetch`.
    Linear {
        /// Address of the first texel.
        address: u64,
        /// Number of texels.
        count: u32,
        /// Format of a texel.
        format: Format,
    },
    /// Rows of texels in linear memory, for `tex2D`.
    Pitch {
        /// Address of the first texel.
        address: u64,
        /// Width and height, in texels.
        extent: [u32; 2],
        /// Bytes from a row to the next: a multiple of 32.
        pitch: u64,
        /// Format of a texel.
        format: Format,
    },
}

/// A texture: texels and how they are read.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Texture {
    /// The texels that it reads.
    pub texels: Texels,
    /// How the texels are sampled.
    pub sampler: Sampler,
}

impl Texels {
    /// Geometry, extent and format.
    #[inline]
    pub fn shape(&self) -> Shape {
        match *self {
            Texels::Array(array) => array.shape,
            Texels::Linear { count, format, .. } => {
                Shape { geometry: Geometry::Row, extent: [count, 1, 1], format }
            }
            Texels::Pitch { extent: [width, height], format, .. } => {
                Shape { geometry: Geometry::Plane, extent: [width, height, 1], format }
            }
        }
    }

    /// How they lie from the beginning of their memory on.
    #[inline]
    pub fn layout(&self) -> Layout {
        match *self {
            Texels::Array(array) => array.shape.layout(),
            Texels::Linear { .. } => Layout::Rows { row: 0, slice: 0 },
            Texels::Pitch { pitch, .. } => Layout::Rows { row: pitch, slice: 0 },
        }
    }

    /// The memory of all texels: where it begins and how many bytes it has.
    #[inline]
    pub fn range(&self) -> (u64, u64) {
        match *self {
            Texels::Array(array) => (array.address, array.bytes()),
            Texels::Linear { address, count, format } => {
                (address, u64::from(count) * format.bytes())
            }
            Texels::Pitch { address, extent: [width, height], pitch, format } => {
                let last = u64::from(width) * format.bytes();
                (address, u64::from(height.saturating_sub(1)).saturating_mul(pitch) + last)
            }
        }
    }

    /// How many levels of detail there are.
    #[inline]
    pub fn levels(&self) -> u32 {
        match self {
            Texels::Array(array) => array.levels(),
            Texels::Linear { .. } | Texels::Pitch { .. } => 1,
        }
    }

    /// The texels of level of detail `number`; of the last level if there are fewer.
    #[inline]
    pub fn level(&self, number: u32) -> Texels {
        match self {
            Texels::Array(array) => {
                Texels::Array(array.level(number.min(array.levels() - 1)).unwrap_or(*array))
            }
            Texels::Linear { .. } | Texels::Pitch { .. } => *self,
        }
    }

    /// Bytes of the memory that [`Texels::range`] gives.
    pub fn bytes(&self) -> u64 {
        self.range().1
    }

    /// Refuses what the driver refuses.
    ///
    /// # Errors
    /// What it is, in words.
    pub fn check(&self) -> Result<(), TextureError> {
        /// Texels that a texture over linear memory can have (compute capability 9.0).
        const MOST_LINEAR: u32 = 1 << 28;
        /// What every allocation is aligned to, and `texturePitchAlignment`.
        const ALIGNMENT: u64 = 256;
        const PITCH_ALIGNMENT: u64 = 32;
        let refuse = |message| Err(TextureError::Linear(message));
        let (Texels::Linear { address, format, .. } | Texels::Pitch { address, format, .. }) =
            *self
        else {
            return Ok(());
        };
        format.check()?;
        if !address.is_multiple_of(ALIGNMENT) {
            return refuse(format!(
                "a texture cannot begin at address {address:#x}: it is no multiple of {ALIGNMENT}"
            ));
        }
        match *self {
            Texels::Linear { count, .. } if count == 0 || count > MOST_LINEAR => refuse(format!(
                "a texture over linear memory has 1 to {MOST_LINEAR} texels, not {count}"
            )),
            Texels::Pitch { extent: [width, height], pitch, .. } => {
                if width == 0 || height == 0 {
                    return refuse(
                        "a texture over linear memory has at least one texel".to_string(),
                    );
                }
                if !pitch.is_multiple_of(PITCH_ALIGNMENT)
                    || pitch < u64::from(width) * format.bytes()
                {
                    return refuse(format!(
                        "rows of {width} texels cannot lie {pitch} bytes apart: a multiple of 32 that holds a row is \
                         needed, as cudaMallocPitch gives it"
                    ));
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

/// All objects, by the numbers that kernels get.
#[derive(Debug, Default)]
pub struct Objects {
    textures: BTreeMap<u64, Texture>,
    surfaces: BTreeMap<u64, Array>,
    made: u64,
}

/// Where numbers begin: no address and no small number is one.
const FIRST: u64 = 0x7e87_0000_0000_0000;

impl Objects {
    fn number(&mut self) -> u64 {
        self.made += 1;
        FIRST + self.made
    }

    /// Makes a texture object.
    pub fn add_texture(&mut self, texture: Texture) -> Result<u64, TextureError> {
        texture.texels.check()?;
        texture.sampler.check(texture.texels.shape().format)?;
        let number = self.number();
        self.textures.insert(number, texture);
        Ok(number)
    }

    /// Makes a surface object.
    pub fn add_surface(&mut self, array: Array) -> u64 {
        let number = self.number();
        self.surfaces.insert(number, array);
        number
    }

    /// Ends an object; a number that is none is ignored.
    pub fn remove(&mut self, number: u64) {
        self.textures.remove(&number);
        self.surfaces.remove(&number);
    }

    /// The texture object with this number, if there is one.
    #[inline]
    pub fn texture(&self, number: u64) -> Option<&Texture> {
        self.textures.get(&number)
    }

    /// The surface object with this number, if there is one.
    #[inline]
    pub fn surface(&self, number: u64) -> Option<&Array> {
        self.surfaces.get(&number)
    }

    /// What a number is that is not what an instruction needs.
    pub fn what(&self, number: u64) -> &'static str {
        if self.textures.contains_key(&number) {
            "a texture object"
        } else if self.surfaces.contains_key(&number) {
            "a surface object"
        } else if (FIRST..=FIRST + self.made).contains(&number) {
            "an object that was destroyed"
        } else {
            "no object"
        }
    }
}
