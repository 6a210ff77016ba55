//! What is done with texture and surface objects.

use crate::registers::File;
use textures::Geometry;

/// What is done with a texture or surface object, whose number is in register `a`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Texturing {
    /// Index into `Program::samples`.
    Sample(u32),
    /// Index into `Program::surfaces`.
    Surface(u32),
    /// Asks a texture object, into register `d`.
    AskTexture(Query),
    /// Asks a surface object.
    AskSurface(Query),
}

/// Where coordinates come from: registers of 32 bits, the layer first where there are layers.
#[derive(Debug, Clone, Copy)]
pub struct Coordinates {
    /// How many there are, and what they mean.
    pub geometry: Geometry,
    /// Indices of the registers, one for each coordinate.
    pub registers: [u16; 4],
}

/// What a sample becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// 32 bits as they are: `.f32`, `.s32`, `.u32`.
    Words,
    /// `.f16`: a float in 16 bits.
    Halves,
    /// `.f16x2`: two of them in a register.
    Pairs,
}

/// Where a sample's level of detail comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Detail {
    /// 0: outside of pictures, neighbours say nothing.
    None,
    /// `tex.level`: a register.
    Given(u16),
    /// `tex.grad`: how far coordinates are from those of the neighbours in x and in y.
    Gradients([[u16; 3]; 2]),
}

/// `tex` and `tld4`.
#[derive(Debug, Clone, Copy)]
pub struct Sample {
    /// Coordinates of the sample.
    pub coordinates: Coordinates,
    /// Whether coordinates are whole texels.
    pub whole: bool,
    /// `tld4`: one component of the four texels around.
    pub gathers: Option<u8>,
    /// The register of the object whose sampler it takes, if it is not the texture's own.
    pub sampler: Option<u16>,
    /// Where the level of detail comes from.
    pub detail: Detail,
    /// Texels that are added to the place, for x, y and z.
    pub offsets: Option<[u16; 3]>,
    /// Form of the results in their registers.
    pub outcome: Outcome,
    /// The four result registers.
    pub data: [u16; 4],
}

/// What a surface access does outside of its surface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outside {
    /// `.trap`
    Trap,
    /// `.clamp`: the nearest element.
    Clamp,
    /// `.zero`: reads 0, writes nothing.
    Zero,
}

/// What a surface access moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SurfaceData {
    /// `suld.b`
    Load,
    /// `sust.b`
    Store,
    /// `sust.p`: values that become the surface's format; x counts elements.
    StoreFormatted,
}

/// `suld` and `sust`.
#[derive(Debug, Clone, Copy)]
pub struct SurfaceAccess {
    /// Whether it loads or stores, and how values are converted.
    pub what: SurfaceData,
    /// Coordinates of the first element; x counts bytes, except in `sust.p`.
    pub coordinates: Coordinates,
    /// What an access outside of the surface does.
    pub outside: Outside,
    /// Bytes of an element: 1, 2, 4 or 8.
    pub bytes: u64,
    /// Elements: 1, 2 or 4.
    pub count: u8,
    /// The file of the data registers.
    pub file: File,
    /// Data registers; the first `count` are used.
    pub data: [u16; 4],
}

impl SurfaceAccess {
    /// Whether it writes.
    #[inline]
    pub fn stores(&self) -> bool {
        self.what != SurfaceData::Load
    }
}

/// What `txq` and `suq` ask.
#[expect(missing_docs, reason = "named as PTX names the attributes")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Query {
    Width,
    Height,
    Depth,
    ArraySize,
    Levels,
    Samples,
}
