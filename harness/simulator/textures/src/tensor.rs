//! Tensor maps: how a box of a tensor in global memory is laid out in shared memory (PTX ISA, "Tensors"; CUDA driver API,
//! `cuTensorMapEncodeTiled`).
//!
//! What the driver makes is opaque. Here its 128 bytes hold the fields of [`TensorMap`], where [`offset`] says. The second 8
//! bytes are left empty: some libraries of kernels clear a bit there, to work around an error of old drivers.

/// Dimensions of a tensor, at most.
pub const MOST_DIMENSIONS: usize = 5;

/// Bytes of a tensor map.
pub const MAP_BYTES: usize = 128;

/// Where a map has the fields that kernels replace (PTX ISA, "tensormap.replace"), in bytes.
pub mod offset {
    /// The number of dimensions: 1 byte.
    pub const DIMENSIONS: u64 = 6;
    /// Address of the tensor: 8 bytes.
    pub const ADDRESS: u64 = 16;
    /// Sizes: 4 bytes for each dimension; 0 stands for 2³².
    pub const SIZES: u64 = 24;
    /// Strides: 8 bytes for each dimension but the innermost.
    pub const STRIDES: u64 = 48;
    /// Sizes of the box: 2 bytes for each dimension.
    pub const BOXES: u64 = 80;
}

/// By which a map is known.
const MAGIC: u32 = 0x7e50_4d41;

/// Elements of a tensor that are filled in outside of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fill {
    /// Zeros.
    Zeros,
    /// A NaN; floats only.
    Nan,
}

/// The type of a tensor's elements, as far as it matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TensorElement {
    /// Size, bytes: 1, 2, 4 or 8.
    pub bytes: u8,
    /// Whether it is a floating-point type.
    pub is_float: bool,
    /// `bfloat16`, whose bits an `f32` begins with.
    pub is_brain: bool,
    /// Whether it is a signed integer.
    pub is_signed: bool,
}

/// A tensor in global memory, and a box of it in shared memory. Dimensions are counted from the innermost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TensorMap {
    /// The type of its elements.
    pub element: TensorElement,
    /// Number of dimensions, 1 to 5.
    pub dimensions: u8,
    /// Address of the first element, a multiple of 16 bytes.
    pub address: u64,
    /// Elements along each dimension.
    pub sizes: [u64; MOST_DIMENSIONS],
    /// Bytes from one element to the next along each dimension: those of an element along the innermost.
    pub strides: [u64; MOST_DIMENSIONS],
    /// Elements of the box along each dimension, at most 256.
    pub boxes: [u32; MOST_DIMENSIONS],
    /// Bytes in which chunks of 16 are permuted: 32, 64 or 128; 16 for none.
    pub swizzle: u8,
    /// What is read outside of the tensor.
    pub fill: Fill,
}

/// Why there is no tensor map of some fields. Sizes are in elements, all else in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "each message says what its fields are")]
pub enum TensorError {
    /// It has too many dimensions, or none.
    #[error("{0} dimensions; 1 to {MOST_DIMENSIONS} are possible")]
    Dimensions(u8),
    /// Memory cannot begin there.
    #[error("the tensor's address {0:#x} is no multiple of 16")]
    Address(u64),
    /// It is empty, or too large.
    #[error("{size} elements along dimension {dimension}; 1 to 2^32 are possible")]
    Size { size: u64, dimension: usize },
    /// Neighbours lie at no such distance.
    #[error(
        "the stride of dimension {dimension} is {stride} bytes; it must be a multiple of 16 below 2^40"
    )]
    Stride { stride: u64, dimension: usize },
    /// The box is empty, or too large.
    #[error("{size} elements of the box along dimension {dimension}; 1 to 256 are possible")]
    Box { size: u32, dimension: usize },
    /// Rows of the box cannot be copied.
    #[error("rows of the box have {0} bytes, which is no multiple of 16")]
    Row(u64),
    /// Rows of the box are longer than what is permuted.
    #[error(
        "rows of the box have {row} bytes; a swizzle of {swizzle} bytes takes at most {swizzle}"
    )]
    Swizzle { row: u64, swizzle: u8 },
    /// Whole numbers have no NaN.
    #[error("only floating-point elements can be filled in as NaN")]
    Fill,
}

impl TensorMap {
    /// Bytes of the box.
    pub fn box_bytes(&self) -> u64 {
        let elements = self.boxes[..usize::from(self.dimensions)].iter();
        elements.fold(u64::from(self.element.bytes), |all, &count| all * u64::from(count))
    }

    /// Whether there is such a map.
    ///
    /// # Errors
    /// What is wrong with it first.
    pub fn check(&self) -> Result<(), TensorError> {
        if !(1..=MOST_DIMENSIONS).contains(&usize::from(self.dimensions)) {
            return Err(TensorError::Dimensions(self.dimensions));
        }
        if !self.address.is_multiple_of(16) {
            return Err(TensorError::Address(self.address));
        }
        for dimension in 0..usize::from(self.dimensions) {
            let (size, stride) = (self.sizes[dimension], self.strides[dimension]);
            if size == 0 || size > 1 << 32 {
                return Err(TensorError::Size { size, dimension });
            }
            if dimension > 0 && (!stride.is_multiple_of(16) || stride >= 1 << 40) {
                return Err(TensorError::Stride { stride, dimension });
            }
            if !(1..=256).contains(&self.boxes[dimension]) {
                return Err(TensorError::Box { size: self.boxes[dimension], dimension });
            }
        }
        let row = u64::from(self.boxes[0]) * u64::from(self.element.bytes);
        if !row.is_multiple_of(16) {
            return Err(TensorError::Row(row));
        }
        if self.swizzle > 16 && row > self.swizzle.into() {
            return Err(TensorError::Swizzle { row, swizzle: self.swizzle });
        }
        if self.fill == Fill::Nan && !self.element.is_float {
            return Err(TensorError::Fill);
        }
        Ok(())
    }

    /// The map as the bytes that kernels get.
    pub fn encode(&self) -> [u8; MAP_BYTES] {
        let mut bytes = Vec::with_capacity(MAP_BYTES);
        bytes.extend(MAGIC.to_le_bytes());
        let TensorElement { is_float, is_brain, is_signed, .. } = self.element;
        let flags = [is_float, self.fill == Fill::Nan, is_brain, is_signed];
        let flags = flags.iter().rev().fold(0, |all, &flag| all << 1 | u8::from(flag));
        bytes.extend([self.element.bytes, flags]);
        bytes.extend([self.dimensions, self.swizzle]);
        bytes.extend([0; 8]);
        bytes.extend(self.address.to_le_bytes());
        let sizes = self.sizes.map(|size| (size as u32).to_le_bytes());
        bytes.extend(sizes.as_flattened());
        bytes.resize(offset::STRIDES as usize, 0);
        bytes.extend(self.strides[1..].iter().flat_map(|stride| stride.to_le_bytes()));
        bytes.extend(self.boxes.iter().flat_map(|&count| (count as u16).to_le_bytes()));
        bytes.resize(MAP_BYTES, 0);
        let mut map = [0; MAP_BYTES];
        map.copy_from_slice(&bytes);
        map
    }

    /// From bytes; `None` if they are no map.
    pub fn decode(bytes: &[u8; MAP_BYTES]) -> Option<TensorMap> {
        let word = |at: usize| Some(u32::from_le_bytes(bytes[at..at + 4].try_into().ok()?));
        let double = |at: usize| Some(u64::from_le_bytes(bytes[at..at + 8].try_into().ok()?));
        if word(0)? != MAGIC {
            return None;
        }
        let flag = |at: u32| bytes[5] >> at & 1 != 0;
        let mut map = TensorMap {
            element: TensorElement {
                bytes: bytes[4],
                is_float: flag(0),
                is_brain: flag(2),
                is_signed: flag(3),
            },
            dimensions: bytes[6],
            address: double(offset::ADDRESS as usize)?,
            sizes: [1; MOST_DIMENSIONS],
            strides: [bytes[4].into(); MOST_DIMENSIONS],
            boxes: [1; MOST_DIMENSIONS],
            swizzle: bytes[7],
            fill: if flag(1) { Fill::Nan } else { Fill::Zeros },
        };
        for at in 0..MOST_DIMENSIONS {
            let size = u64::from(word(offset::SIZES as usize + 4 * at)?);
            map.sizes[at] = if size == 0 { 1 << 32 } else { size };
            if at > 0 {
                map.strides[at] = double(offset::STRIDES as usize + 8 * (at - 1))?;
            }
            let place = offset::BOXES as usize + 2 * at;
            map.boxes[at] = u16::from_le_bytes([bytes[place], bytes[place + 1]]).into();
        }
        Some(map)
    }

    /// The address of an element in global memory; `None` outside of the tensor.
    pub fn at(&self, place: [i64; MOST_DIMENSIONS]) -> Option<u64> {
        (0..usize::from(self.dimensions)).try_fold(self.address, |address, at| {
            let index = u64::try_from(place[at]).ok().filter(|&index| index < self.sizes[at])?;
            Some(address.wrapping_add(index.wrapping_mul(self.strides[at])))
        })
    }

    /// The map of what a store reaches: whole chunks of 16 bytes of each row, also beyond the last element (seen on an H100).
    #[must_use]
    pub fn of_stores(self) -> TensorMap {
        let mut map = self;
        map.sizes[0] = map.sizes[0].next_multiple_of(16 / u64::from(map.element.bytes));
        map
    }

    /// Why the copy engine cannot copy a box that begins there. The PTX ISA does not say so; an H100 ends such a kernel with an
    /// illegal instruction.
    pub fn refusal(&self, first: [i64; MOST_DIMENSIONS], stores: bool) -> Option<String> {
        let offset = first[0].wrapping_mul(self.element.bytes.into());
        if offset % 16 != 0 {
            return Some(format!(
                "the box begins {offset} bytes from the beginning of a row: it must be a multiple of 16"
            ));
        }
        let before = first[..usize::from(self.dimensions)].iter().find(|&&at| stores && at < 0)?;
        Some(format!("a box that is stored must not begin before the tensor, at {before}"))
    }

    /// The bits of an element outside of the tensor.
    pub fn outside(&self) -> u64 {
        match (self.fill, self.element.bytes) {
            (Fill::Zeros, _) => 0,
            // The same NaN of 16 bits over and over, as an H100 fills it in.
            (Fill::Nan, 2) => 0x7ff7,
            (Fill::Nan, 8) => 0x7ff7_7ff7_7ff7_7ff7,
            (Fill::Nan, _) => 0x7ff7_7ff7,
        }
    }
}

/// An address of shared memory with its 16-byte chunk exchanged: bits 4 and up by as many bits from 7 on, for rows of `width`
/// bytes (PTX ISA, "Swizzling Modes").
#[inline]
pub fn swizzled(address: u64, width: u64) -> u64 {
    address ^ (address >> 7 & (width / 16 - 1)) << 4
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAP: TensorMap = TensorMap {
        element: TensorElement { bytes: 2, is_float: true, is_brain: true, is_signed: false },
        dimensions: 3,
        address: 0x7000_0010,
        sizes: [100, 1 << 32, 3, 1, 1],
        strides: [2, 208, 4096, 0, 0],
        boxes: [64, 8, 2, 1, 1],
        swizzle: 128,
        fill: Fill::Nan,
    };

    #[test]
    fn a_map_keeps_its_fields() {
        assert_eq!(TensorMap::decode(&MAP.encode()), Some(MAP));
        let mut patched = MAP.encode();
        patched[8..16].fill(0);
        assert_eq!(TensorMap::decode(&patched), Some(MAP));
        assert_eq!(TensorMap::decode(&[0; MAP_BYTES]), None);
        assert_eq!((MAP.check(), MAP.box_bytes()), (Ok(()), 2048));
    }

    #[test]
    fn elements_outside_have_no_address() {
        assert_eq!(MAP.at([3, 2, 1, 0, 0]), Some(0x7000_0010 + 6 + 416 + 4096));
        for outside in [[100, 0, 0, 0, 0], [0, -1, 0, 0, 0], [0, 0, 3, 0, 0]] {
            assert_eq!(MAP.at(outside), None);
        }
    }

    #[test]
    fn what_a_driver_refuses_is_refused() {
        let refused = |map: TensorMap, text: &str| {
            let error = map.check().expect_err("it is refused");
            assert!(error.to_string().contains(text), "{error}");
        };
        refused(TensorMap { address: 8, ..MAP }, "no multiple of 16");
        refused(
            TensorMap { boxes: [65, 8, 2, 1, 1], ..MAP },
            "130 bytes, which is no multiple of 16",
        );
        refused(TensorMap { boxes: [72, 8, 2, 1, 1], ..MAP }, "takes at most 128");
        refused(TensorMap { strides: [2, 200, 4096, 0, 0], ..MAP }, "dimension 1 is 200 bytes");
        refused(TensorMap { boxes: [64, 257, 2, 1, 1], ..MAP }, "257 elements");
        refused(TensorMap { dimensions: 6, ..MAP }, "6 dimensions");
    }
}
