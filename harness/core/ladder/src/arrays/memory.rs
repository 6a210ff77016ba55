//! The memory of an array on a device, and the objects through which kernels access it.

use device::{Argument, Buffer, Device, Error, Object, TextureOf};
use rayon::prelude::*;

use super::data::{Array, Texels};
use super::values::Values;
use crate::problem::Copied;

/// Bytes that are copied at once where all of them are only compared.
const PIECE: usize = 16 << 20;

/// Bytes of them that one core compares at a time.
const PART: usize = 1 << 20;

/// An array on a device.
pub(super) struct Memory {
    place: Place,
    texture: Option<Object>,
    surface: Option<Object>,
}

enum Place {
    Buffer(Buffer),
    Texels(device::Array),
}

impl Memory {
    /// Allocates an array and makes its objects.
    ///
    /// # Errors
    /// The device's: out of memory, or it has no such textures.
    pub(super) fn new(device: &mut dyn Device, array: &Array) -> Result<Memory, Error> {
        let Some(Texels::Array(shape, sampler)) = array.texels else {
            let buffer = device.alloc(array.name, array.role.bytes())?;
            let texture = match array.texels {
                Some(Texels::Linear(format)) => {
                    let of = TextureOf::Linear(&buffer, format);
                    Some(device.texture(of, Default::default())?)
                }
                _ => None,
            };
            return Ok(Memory { place: Place::Buffer(buffer), texture, surface: None });
        };
        let texels = device.alloc_array(array.name, shape)?;
        let texture = device.texture(TextureOf::Array(&texels), sampler)?;
        let surface = device.surface(&texels)?;
        Ok(Memory { place: Place::Texels(texels), texture: Some(texture), surface: Some(surface) })
    }

    /// Its buffer; none where it has no address.
    pub(super) fn buffer(&self) -> Option<&Buffer> {
        match &self.place {
            Place::Buffer(buffer) => Some(buffer),
            Place::Texels(_) => None,
        }
    }

    /// The argument that is its texture.
    pub(super) fn texture(&self) -> Option<Argument<'_>> {
        self.texture.as_ref().map(Argument::Object)
    }

    /// The argument that is its surface.
    pub(super) fn surface(&self) -> Option<Argument<'_>> {
        self.surface.as_ref().map(Argument::Object)
    }

    /// How many bytes it has.
    pub(super) fn bytes(&self) -> usize {
        match &self.place {
            Place::Buffer(buffer) => buffer.bytes(),
            Place::Texels(texels) => texels.bytes(),
        }
    }

    /// Copies all of it from the host.
    pub(super) fn upload(&self, device: &mut dyn Device, bytes: &[u8]) -> Result<(), Error> {
        match &self.place {
            Place::Buffer(buffer) => device.upload(buffer, bytes),
            Place::Texels(texels) => device.write_array(texels, bytes),
        }
    }

    /// Copies all of it to the host.
    pub(super) fn download(&self, device: &mut dyn Device, into: &mut [u8]) -> Result<(), Error> {
        match &self.place {
            Place::Buffer(buffer) => device.download(buffer, into),
            Place::Texels(texels) => device.read_array(texels, into),
        }
    }

    /// Copies it to the host, in the place of as many values.
    pub(super) fn values(&self, device: &mut dyn Device, into: Values) -> Result<Values, Error> {
        let mut now = into;
        self.download(device, now.bytes_mut())?;
        Ok(now)
    }

    /// Whether it holds these bytes. They are copied to the host in pieces: fresh memory for half a gigabyte takes longer
    /// to get than to fill.
    pub(super) fn holds(&self, device: &mut dyn Device, bytes: &[u8]) -> Result<bool, Error> {
        let Place::Buffer(buffer) = &self.place else {
            let mut now = vec![0; bytes.len()];
            self.download(device, &mut now)?;
            return Ok(now == bytes);
        };
        let mut now = vec![0; bytes.len().min(PIECE)];
        for (number, piece) in bytes.chunks(PIECE).enumerate() {
            let start = number * PIECE;
            let now = &mut now[..piece.len()];
            device.download(&buffer.part(start..start + piece.len())?, now)?;
            if !equal(now, piece) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// All of it as words.
    pub(super) fn copied(&self, device: &mut dyn Device) -> Result<Copied, Error> {
        match &self.place {
            Place::Buffer(buffer) => Copied::from(device, buffer),
            Place::Texels(texels) => {
                let mut words = vec![0; texels.bytes().div_ceil(4)];
                let bytes = bytemuck::cast_slice_mut(&mut words);
                device.read_array(texels, &mut bytes[..texels.bytes()])?;
                Ok(Copied { name: texels.name().to_owned(), words })
            }
        }
    }

    /// Fills it with a byte, and has a detector forget what was written there.
    pub(super) fn poison(&self, device: &mut dyn Device, byte: u8) -> Result<(), Error> {
        match &self.place {
            Place::Buffer(buffer) => {
                device.fill(buffer, byte)?;
                device.forget(buffer, 0, buffer.bytes())
            }
            Place::Texels(texels) => device.write_array(texels, &vec![byte; texels.bytes()]),
        }
    }

    /// Looks whether anything was written around it; a surface has bounds of its own.
    pub(super) fn check_guards(&self, device: &mut dyn Device) -> Result<(), Error> {
        self.buffer().map_or(Ok(()), |buffer| device.check_guards(buffer))
    }
}

/// Whether two pieces hold the same bytes, compared on all cores.
fn equal(one: &[u8], other: &[u8]) -> bool {
    let parts = one.par_chunks(PART).zip(other.par_chunks(PART));
    one.len() == other.len() && parts.into_par_iter().all(|(one, other)| one == other)
}

#[cfg(test)]
mod tests {
    use device::{CodeRoute, SimulatorDevice};

    use super::super::data::Role;
    use super::*;

    #[test]
    fn every_byte_of_every_piece_is_compared() {
        let gpu = simt::model::Gpu::named("h200").expect("a known GPU");
        let mut device = SimulatorDevice::open(CodeRoute::Committed, gpu);
        let mut bytes = vec![7; PIECE + 5];
        let array = Array::new("a", Role::Scratch(bytes.len()));
        let memory = Memory::new(&mut device, &array).expect("memory");
        memory.upload(&mut device, &bytes).expect("uploaded");
        assert!(memory.holds(&mut device, &bytes).expect("compared"));
        for at in [0, PIECE - 1, PIECE, PIECE + 4] {
            bytes[at] = 8;
            assert!(!memory.holds(&mut device, &bytes).expect("compared"), "byte {at}");
            bytes[at] = 7;
        }
    }
}
