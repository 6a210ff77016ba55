//! How many texels an array has, and where each lies in its memory.

use super::error::TextureError;
use super::format::Format;

/// What coordinates a texture has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Geometry {
    /// One dimension: `tex1D`.
    Row,
    /// Two: `tex2D`.
    Plane,
    /// Three: `tex3D`.
    Space,
    /// Layers of one dimension: `tex1DLayered`.
    Rows,
    /// Layers of two: `tex2DLayered`.
    Planes,
    /// Six square faces: `texCubemap`.
    Cube,
    /// Layers of six faces: `texCubemapLayered`.
    Cubes,
}

impl Geometry {
    /// Its part of an opcode.
    pub fn name(self) -> &'static str {
        match self {
            Geometry::Row => "1d",
            Geometry::Plane => "2d",
            Geometry::Space => "3d",
            Geometry::Rows => "a1d",
            Geometry::Planes => "a2d",
            Geometry::Cube => "cube",
            Geometry::Cubes => "acube",
        }
    }

    /// The greatest extents of an array with compute capability 9.0, and whether it is a cube.
    fn most(self) -> ([u32; 3], bool) {
        match self {
            Geometry::Row => ([131_072, 1, 1], false),
            Geometry::Plane => ([131_072, 65_536, 1], false),
            Geometry::Space => ([16_384; 3], false),
            Geometry::Rows => ([32_768, 1, 2048], false),
            Geometry::Planes => ([32_768, 32_768, 2048], false),
            Geometry::Cube => ([32_768, 32_768, 6], true),
            Geometry::Cubes => ([32_768, 32_768, 2046], true),
        }
    }
}

/// What an array is allocated as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Shape {
    /// Whether it has one, two or three dimensions, layers, or cube faces.
    pub geometry: Geometry,
    /// Width, height, and depth, layers or faces (6 for each cube); 1 where there is none.
    pub extent: [u32; 3],
    /// Format of a texel.
    pub format: Format,
}

/// Bytes of a row in a block.
const BLOCK_WIDTH: u64 = 64;
/// Rows of a block.
const BLOCK_HEIGHT: u64 = 8;

impl Shape {
    /// Refuses what no GPU allocates.
    ///
    /// # Errors
    /// What it is.
    pub fn check(&self) -> Result<(), TextureError> {
        self.format.check()?;
        let refuse = |problem| Err(TextureError::Extent { extent: self.extent, problem });
        let (most, is_cube) = self.geometry.most();
        let [width, height, depth] = self.extent;
        if self.extent.contains(&0) {
            return refuse("every extent is at least 1");
        }
        if self.extent.iter().zip(most).any(|(&extent, most)| extent > most) {
            return refuse(
                "that is more than a GPU of compute capability 9.0 has in this geometry",
            );
        }
        if is_cube && (width != height || !depth.is_multiple_of(6)) {
            return refuse("a cube's faces are square, and 6 for each cube");
        }
        Ok(())
    }

    /// Refuses levels of detail that there cannot be: the last has one texel along each axis.
    pub fn check_levels(&self, levels: u32) -> Result<u8, TextureError> {
        let most = (0..32).find(|&k| self.level(k) == self.level(k + 1)).unwrap_or(31) + 1;
        match u8::try_from(levels) {
            Ok(number) if (1..=most).contains(&levels) => Ok(number),
            _ => Err(TextureError::Levels { levels, most }),
        }
    }

    /// The same in a level of detail: along each axis half of the one before, but for layers and faces.
    fn level(mut self, number: u32) -> Shape {
        let axes = match self.geometry {
            Geometry::Row | Geometry::Rows => 1,
            Geometry::Space => 3,
            _ => 2,
        };
        for extent in &mut self.extent[..axes] {
            *extent = (*extent >> number).max(1);
        }
        self
    }

    /// Whether rows lie one after the other: arrays of one dimension.
    fn is_flat(&self) -> bool {
        matches!(self.geometry, Geometry::Row | Geometry::Rows)
    }

    /// Bytes from a row (or a row of blocks) to the next.
    fn row(&self) -> u64 {
        (u64::from(self.extent[0]) * self.format.bytes()).next_multiple_of(BLOCK_WIDTH)
    }

    /// Bytes from a slice (a layer, a face) to the next.
    fn slice(&self) -> u64 {
        let rows = if self.is_flat() { 1 } else { BLOCK_HEIGHT };
        self.row() * u64::from(self.extent[1]).next_multiple_of(rows)
    }

    /// Bytes of its memory: whole blocks.
    #[inline]
    pub fn bytes(&self) -> u64 {
        self.slice() * u64::from(self.extent[2])
    }

    /// How its texels lie.
    #[inline]
    pub fn layout(&self) -> Layout {
        let (row, slice) = (self.row(), self.slice());
        if self.is_flat() { Layout::Rows { row, slice } } else { Layout::Blocks { row, slice } }
    }
}

/// How texels lie in memory.
#[derive(Debug, Clone, Copy)]
pub enum Layout {
    /// One row after the other.
    Rows {
        /// Bytes from a row to the next.
        row: u64,
        /// Bytes from a slice to the next.
        slice: u64,
    },
    /// In blocks of 64 bytes by 8 rows, in which every 32 bytes, a sector, are 16 bytes of two rows (a "GOB", as the Tegra
    /// X1 manual describes it): neighbours in y are near each other too. No 16 bytes of a row, so no texel, are taken
    /// apart.
    Blocks {
        /// Bytes of a row of texels.
        row: u64,
        /// Bytes from a slice to the next.
        slice: u64,
    },
}

impl Layout {
    /// Where a byte of a row lies.
    #[inline]
    pub fn offset(self, byte: u64, y: u32, z: u32) -> u64 {
        let (y, z) = (u64::from(y), u64::from(z));
        match self {
            Layout::Rows { row, slice } => z * slice + y * row + byte,
            Layout::Blocks { row, slice } => {
                let block = y / BLOCK_HEIGHT * BLOCK_HEIGHT * row
                    + byte / BLOCK_WIDTH * BLOCK_WIDTH * BLOCK_HEIGHT;
                let inside =
                    byte % 64 / 32 * 256 + y % 8 / 2 * 64 + byte % 32 / 16 * 32 + y % 2 * 16;
                z * slice + block + inside + byte % 16
            }
        }
    }
}

/// An array: texels of a shape at an address of the device's memory, and those of further levels of detail (a mipmap) after
/// them. Free it as any memory, by its address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Array {
    pub(crate) address: u64,
    pub(crate) shape: Shape,
    pub(crate) levels: u8,
}

impl Array {
    /// An array of one level.
    #[inline]
    pub fn new(address: u64, shape: Shape) -> Array {
        Array { address, shape, levels: 1 }
    }

    /// The same with further levels of detail, `levels` in all.
    pub fn with_levels(self, levels: u8) -> Array {
        Array { levels, ..self }
    }

    /// How many levels of detail it has; 1 if it is no mipmap.
    #[inline]
    pub fn levels(&self) -> u32 {
        self.levels.into()
    }

    /// A level of detail as an array of its own, to be copied and sampled; `None` if it has fewer. Not to be freed.
    #[inline]
    pub fn level(&self, number: u32) -> Option<Array> {
        let before: u64 = (0..number).map(|k| self.shape.level(k).bytes()).sum();
        let shape = self.shape.level(number);
        (number < self.levels()).then(|| Array::new(self.address + before, shape))
    }

    /// Whether one of its levels begins at an address.
    pub fn holds(&self, address: u64) -> bool {
        (0..self.levels()).filter_map(|k| self.level(k)).any(|level| level.address == address)
    }

    /// Bytes of all levels.
    #[inline]
    pub fn bytes(&self) -> u64 {
        (0..self.levels()).map(|k| self.shape.level(k).bytes()).sum()
    }

    /// What it was allocated as.
    #[inline]
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The address of its first texel, by which its memory is freed.
    #[inline]
    pub fn address(&self) -> u64 {
        self.address
    }

    /// Refuses a copy that is not inside, or of other than `bytes` bytes; gives the bytes of a row of the copy.
    pub fn region(
        &self,
        origin: [u32; 3],
        extent: [u32; 3],
        bytes: usize,
    ) -> Result<u64, TextureError> {
        let inside = (0..3).all(|axis| {
            let end = origin[axis].checked_add(extent[axis]);
            end.is_some_and(|end| end <= self.shape.extent[axis])
        });
        if !inside {
            return Err(TextureError::Region { origin, extent, array: self.shape.extent });
        }
        let row = u64::from(extent[0]) * self.shape.format.bytes();
        let (wanted, found) = (row * u64::from(extent[1]) * u64::from(extent[2]), bytes as u64);
        if wanted == found { Ok(row) } else { Err(TextureError::Bytes { wanted, found }) }
    }

    /// For each 16 bytes (or fewer, at the end) of the rows of a region: where they lie in memory, and among the region's
    /// bytes; and their number.
    pub fn pieces(
        &self,
        origin: [u32; 3],
        extent: [u32; 3],
    ) -> impl Iterator<Item = (u64, usize, usize)> + use<> {
        /// What is never taken apart.
        const PIECE: u64 = 16;
        let (address, layout) = (self.address, self.shape.layout());
        let texel = self.shape.format.bytes();
        let [first, last] = [origin[0], origin[0] + extent[0]].map(|x| u64::from(x) * texel);
        let rows = (0..extent[2]).flat_map(move |z| (0..extent[1]).map(move |y| (y, z)));
        rows.enumerate().flat_map(move |(number, (y, z))| {
            let start = number as u64 * (last - first);
            (first / PIECE..last.div_ceil(PIECE)).map(move |piece| {
                let (from, to) = ((piece * PIECE).max(first), ((piece + 1) * PIECE).min(last));
                let offset = layout.offset(from, origin[1] + y, origin[2] + z);
                (address + offset, (start + from - first) as usize, (to - from) as usize)
            })
        })
    }
}
