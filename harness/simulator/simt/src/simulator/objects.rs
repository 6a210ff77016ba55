//! Arrays, texture objects and surface objects of a simulated device.

use std::sync::{PoisonError, RwLockWriteGuard};

use super::Simulator;
use memory::MemoryError;
use textures::{Array, Objects, Shape, Texels, Texture, TextureError};

impl Simulator {
    fn objects(&self) -> RwLockWriteGuard<'_, Objects> {
        // Objects stay valid whatever a panicking thread was doing.
        self.objects.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Allocates an array; `name` names it in faults. What is in it counts as unwritten.
    ///
    /// # Errors
    /// A shape that no GPU has, or out of memory.
    pub fn alloc_array(&self, name: &str, shape: Shape) -> Result<Array, TextureError> {
        shape.check()?;
        Ok(Array::new(self.alloc(name, shape.bytes())?, shape))
    }

    /// Allocates an array with further levels of detail, each of half the extents of the one before; `name` names it in faults.
    ///
    /// # Errors
    /// A shape that no GPU has, more levels than there can be, or out of memory.
    pub fn alloc_mipmap(
        &self,
        name: &str,
        shape: Shape,
        levels: u32,
    ) -> Result<Array, TextureError> {
        shape.check()?;
        let levels = shape.check_levels(levels)?;
        let bytes = Array::new(0, shape).with_levels(levels).bytes();
        Ok(Array::new(self.alloc(name, bytes)?, shape).with_levels(levels))
    }

    /// Copies texels to a part of an array: rows of `extent[0]` texels one after the other.
    ///
    /// # Errors
    /// The part is not inside the array, `bytes` are not those of its texels, or the array was freed.
    pub fn write_array(
        &self,
        array: &Array,
        origin: [u32; 3],
        extent: [u32; 3],
        bytes: &[u8],
    ) -> Result<(), TextureError> {
        array.region(origin, extent, bytes.len())?;
        let mut memory = self.memory();
        let shape = array.shape();
        let texels = memory.range_mut(array.address(), shape.bytes())?;
        array.pieces(origin, extent).for_each(|(address, first, count)| {
            let place = (address - array.address()) as usize;
            copy(&mut texels[place..place + count], &bytes[first..first + count]);
        });
        if extent == shape.extent {
            memory.note_written(array.address(), shape.bytes(), true);
        } else {
            for (address, _, count) in array.pieces(origin, extent) {
                memory.note_written(address, count as u64, true);
            }
        }
        Ok(())
    }

    /// Copies texels from a part of an array, rows one after the other.
    ///
    /// # Errors
    /// As for [`Simulator::write_array`].
    pub fn read_array(
        &self,
        array: &Array,
        origin: [u32; 3],
        extent: [u32; 3],
        into: &mut [u8],
    ) -> Result<(), TextureError> {
        array.region(origin, extent, into.len())?;
        let mut memory = self.memory();
        let texels = memory.range_mut(array.address(), array.shape().bytes())?;
        array.pieces(origin, extent).for_each(|(address, first, count)| {
            let place = (address - array.address()) as usize;
            copy(&mut into[first..first + count], &texels[place..place + count]);
        });
        Ok(())
    }

    /// Makes a texture object: the value that a kernel gets as `cudaTextureObject_t`.
    ///
    /// # Errors
    /// Texels or a sampler that no GPU has, or memory that is not inside one allocation.
    pub fn texture(&self, texture: &Texture) -> Result<u64, TextureError> {
        self.check_range(&texture.texels)?;
        self.objects().add_texture(*texture)
    }

    /// Makes a surface object of an array: the value that a kernel gets as `cudaSurfaceObject_t`.
    ///
    /// # Errors
    /// The array was freed.
    pub fn surface(&self, array: &Array) -> Result<u64, TextureError> {
        self.check_range(&Texels::Array(*array))?;
        Ok(self.objects().add_surface(*array))
    }

    /// Ends a texture or surface object; any other number is ignored.
    pub fn end_object(&self, object: u64) {
        self.objects().remove(object);
    }

    fn check_range(&self, texels: &Texels) -> Result<(), MemoryError> {
        let (address, bytes) = texels.range();
        self.memory().range_mut(address, bytes).map(|_| ())
    }
}

/// Copies a piece of a row: mostly one of 16 bytes, which needs no call.
#[inline(always)]
fn copy(to: &mut [u8], from: &[u8]) {
    match (<&mut [u8; 16]>::try_from(&mut *to), <&[u8; 16]>::try_from(from)) {
        (Ok(to), Ok(from)) => *to = *from,
        _ => to.copy_from_slice(from),
    }
}
