//! Tensor maps: what the copy engine of a Hopper GPU (TMA) needs to know of a matrix to copy boxes of it.

use std::fmt;

use simt::texture::{Fill, MAP_BYTES, MOST_DIMENSIONS, TensorElement, TensorMap as Description};

use super::buffer::{Buffer, DeviceId};
use crate::error::Error;

/// A matrix that fills a buffer from its beginning, rows one after the other, and the boxes of it that kernels copy. Zeros
/// are read outside of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Boxes {
    /// The type of its elements.
    pub element: TensorElement,
    /// Its columns and rows. A row has a multiple of 16 bytes.
    pub size: [u32; 2],
    /// Columns and rows of a box.
    pub of: [u32; 2],
    /// Bytes of a box's row in which chunks of 16 are permuted in shared memory: 32, 64 or 128; 16 for none.
    pub swizzle: u8,
}

impl Boxes {
    /// The map of a buffer, in the simulator's words.
    ///
    /// # Errors
    /// The buffer is another device's or too small; CUDA has no such map.
    pub(crate) fn description(
        &self,
        device: DeviceId,
        buffer: &Buffer,
    ) -> Result<Description, Error> {
        let [columns, rows] = self.size.map(u64::from);
        let bytes = u64::from(self.element.bytes);
        let all = usize::try_from(columns * rows * bytes).unwrap_or(usize::MAX);
        buffer.check_copy(device, all)?;
        let (mut sizes, mut strides) = ([1; MOST_DIMENSIONS], [bytes; MOST_DIMENSIONS]);
        let mut boxes = [1; MOST_DIMENSIONS];
        sizes[..2].copy_from_slice(&[columns, rows]);
        boxes[..2].copy_from_slice(&self.of);
        strides[1] = columns * bytes;
        let description = Description {
            element: self.element,
            dimensions: 2,
            address: buffer.address(),
            sizes,
            strides,
            boxes,
            swizzle: self.swizzle,
            fill: Fill::Zeros,
        };
        match description.check() {
            Ok(()) => Ok(description),
            Err(what) => {
                Err(Error::Fault(format!("there is no tensor map of `{}`: {what}", buffer.name())))
            }
        }
    }
}

/// A tensor map: the argument of a kernel that is `const __grid_constant__ CUtensorMap`. The memory of the matrix lives as
/// long.
pub struct TensorMap {
    words: [u64; MAP_BYTES / 8],
    device: DeviceId,
    matrix: Buffer,
}

impl TensorMap {
    pub(crate) fn new(
        words: [u64; MAP_BYTES / 8],
        device: DeviceId,
        matrix: &Buffer,
    ) -> Result<TensorMap, Error> {
        Ok(TensorMap { words, device, matrix: matrix.part(0..matrix.bytes())? })
    }

    /// Its bytes, as kernels get them.
    pub(crate) fn words(&self) -> [u64; MAP_BYTES / 8] {
        self.words
    }

    pub(crate) fn check(&self, device: DeviceId) -> Result<(), Error> {
        if self.device == device {
            return Ok(());
        }
        Err(Error::Foreign("a tensor map".to_string()))
    }
}

impl fmt::Debug for TensorMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TensorMap({:?})", self.matrix)
    }
}
