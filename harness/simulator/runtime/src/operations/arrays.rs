//! Arrays, textures and surfaces.

use simt::model::End;
use simt::texture::{Array, Channel, Format, Geometry, Shape, Texture, TextureError};

use crate::error::{self, CudaError, CudaResult};
use crate::state::{CopyEnd, CopyKind, Runtime};

/// `cudaArrayLayered`, `cudaArrayCubemap`
const LAYERED: u32 = 1;
const CUBE: u32 = 4;

/// The format of a `cudaChannelFormatDesc`: bits of x, y, z and w, and their kind.
pub(crate) fn format([x, y, z, w, kind]: [i32; 5]) -> CudaResult<Format> {
    let channel = match kind {
        0 => Channel::Signed,
        1 => Channel::Unsigned,
        2 => Channel::Float,
        _ => return Err(error::INVALID_CHANNELS),
    };
    let bits = [x, y, z, w];
    let components = bits.iter().take_while(|bits| **bits > 0).count();
    if bits[..components].iter().any(|bits| *bits != x) || !matches!(x, 8 | 16 | 32) {
        return Err(error::INVALID_CHANNELS);
    }
    Ok(Format { channel, bits: x as u8, components: components as u8 })
}

/// The `cudaChannelFormatDesc` of a format.
pub(crate) fn channels(format: Format) -> [i32; 5] {
    let bits = |place| if place < format.components { i32::from(format.bits) } else { 0 };
    let kind = match format.channel {
        Channel::Signed => 0,
        Channel::Unsigned => 1,
        Channel::Float => 2,
    };
    [bits(0), bits(1), bits(2), bits(3), kind]
}

/// The shape of an array from its extents in texels, 0 where it has no such dimension, and flags.
fn shape(format: Format, extent: [usize; 3], flags: u32) -> CudaResult<Shape> {
    let geometry = match (flags & LAYERED != 0, flags & CUBE != 0, extent[1], extent[2]) {
        (true, true, ..) => Geometry::Cubes,
        (false, true, ..) => Geometry::Cube,
        (true, false, 0, _) => Geometry::Rows,
        (true, false, ..) => Geometry::Planes,
        (false, false, 0, 0) => Geometry::Row,
        (false, false, _, 0) => Geometry::Plane,
        (false, false, ..) => Geometry::Space,
    };
    let mut whole = [1; 3];
    for (whole, extent) in whole.iter_mut().zip(extent) {
        *whole = u32::try_from(extent.max(1)).map_err(|_| error::INVALID_VALUE)?;
    }
    Ok(Shape { geometry, extent: whole, format })
}

impl Runtime {
    /// Allocates an array.
    pub(crate) fn allocate_array(
        &mut self,
        format: Format,
        extent: [usize; 3],
        flags: u32,
    ) -> CudaResult<u64> {
        let name = self.allocation_name();
        let done = self.simulator.alloc_array(&name, shape(format, extent, flags)?);
        let array = done.map_err(|error| self.texture_error(error))?;
        Ok(self.arrays.add(array))
    }

    /// Frees an array.
    pub(crate) fn free_array(&mut self, handle: u64) -> CudaResult {
        if handle != 0 {
            self.arrays.remove(handle)?;
            self.simulator.free(handle);
        }
        Ok(())
    }

    /// Allocates a mipmapped array.
    pub(crate) fn allocate_mipmap(
        &mut self,
        format: Format,
        extent: [usize; 3],
        levels: u32,
        flags: u32,
    ) -> CudaResult<u64> {
        let (name, shape) = (self.allocation_name(), shape(format, extent, flags)?);
        let done = self.simulator.alloc_mipmap(&name, shape, levels.max(1));
        let mipmap = done.map_err(|error| self.texture_error(error))?;
        Ok(self.arrays.add_mipmap(mipmap))
    }

    /// Frees a mipmapped array and its levels.
    pub(crate) fn free_mipmap(&mut self, handle: u64) -> CudaResult {
        if handle != 0 {
            self.arrays.remove_mipmap(handle)?;
            self.simulator.free(handle);
        }
        Ok(())
    }

    /// Copies rows of `width` bytes, `height` in each of `depth` layers, where either end may be an array.
    pub(crate) fn copy(
        &mut self,
        to: CopyEnd,
        from: CopyEnd,
        extent: [usize; 3],
        kind: CopyKind,
        stream: Option<u64>,
    ) -> CudaResult {
        if let (CopyEnd::Rows(to), CopyEnd::Rows(from)) = (to, from) {
            return self.copy_rows(to, from, extent, kind, stream);
        }
        let [width, height, depth] = extent;
        let bytes = width.checked_mul(height).and_then(|rows| rows.checked_mul(depth));
        let mut data = vec![0; bytes.ok_or(error::INVALID_VALUE)?];
        let region = |array: Array| {
            let texel = array.shape().format.bytes() as usize;
            let whole = [width / texel, height, depth].map(u32::try_from);
            match whole {
                [Ok(x), Ok(y), Ok(z)] if width % texel == 0 => Ok([x, y, z]),
                _ => Err(error::INVALID_VALUE),
            }
        };
        let places = (self.end_of(to), self.end_of(from));
        match from {
            CopyEnd::Rows(rows) => self.gather(rows, extent, &mut data)?,
            CopyEnd::Array(array, origin) => {
                let done = self.simulator.read_array(&array, origin, region(array)?, &mut data);
                done.map_err(|error| self.texture_error(error))?;
            }
        }
        match to {
            CopyEnd::Rows(rows) => self.scatter(rows, extent, &data)?,
            CopyEnd::Array(array, origin) => {
                let done = self.simulator.write_array(&array, origin, region(array)?, &data);
                done.map_err(|error| self.texture_error(error))?;
            }
        }
        self.add_copy_time(places, data.len(), stream);
        Ok(())
    }

    fn end_of(&self, end: CopyEnd) -> End {
        match end {
            CopyEnd::Rows(rows) => self.end(rows.first),
            CopyEnd::Array(..) => End::Device,
        }
    }

    /// Makes a texture object.
    pub(crate) fn create_texture(&mut self, texture: &Texture) -> CudaResult<u64> {
        self.simulator.texture(texture).map_err(|error| self.texture_error(error))
    }

    /// Makes a surface object.
    pub(crate) fn create_surface(&mut self, array: &Array) -> CudaResult<u64> {
        self.simulator.surface(array).map_err(|error| self.texture_error(error))
    }

    /// Logs what is wrong with an array or an object, and returns the error.
    fn texture_error(&mut self, error: TextureError) -> CudaError {
        self.refuse(error::INVALID_VALUE, error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_those_of_channel_descriptions() {
        for given in [[32, 0, 0, 0, 2], [8, 8, 8, 8, 1], [16, 16, 0, 0, 0]] {
            assert_eq!(channels(format(given).unwrap()), given);
        }
        for wrong in [[32, 16, 0, 0, 2], [64, 0, 0, 0, 2], [32, 0, 0, 0, 3], [0, 0, 0, 0, 2]] {
            assert_eq!(format(wrong), Err(error::INVALID_CHANNELS), "{wrong:?}");
        }
    }

    #[test]
    fn extents_and_flags_make_the_geometry() {
        let of = |extent, flags| {
            let shape = shape(Format::F32, extent, flags).unwrap();
            (shape.geometry, shape.extent)
        };
        assert_eq!(of([64, 0, 0], 0), (Geometry::Row, [64, 1, 1]));
        assert_eq!(of([64, 32, 0], 2), (Geometry::Plane, [64, 32, 1]));
        assert_eq!(of([64, 32, 8], 0), (Geometry::Space, [64, 32, 8]));
        assert_eq!(of([64, 0, 3], LAYERED), (Geometry::Rows, [64, 1, 3]));
        assert_eq!(of([64, 32, 3], LAYERED), (Geometry::Planes, [64, 32, 3]));
        assert_eq!(of([64, 64, 6], CUBE), (Geometry::Cube, [64, 64, 6]));
        assert_eq!(of([64, 64, 12], CUBE | LAYERED), (Geometry::Cubes, [64, 64, 12]));
    }
}
