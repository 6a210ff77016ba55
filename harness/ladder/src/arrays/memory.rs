//! The memory of an array on a device, and the objects through which kernels access it.

use device::{Argument, Buffer, Device, Error, Object, TextureOf};

use super::data::{Array, Texels};
use crate::problem::Copied;

/// What outputs and scratch memory hold before a pass: no number, and no index.
pub(super) const POISON: u8 = 0xff;

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

    /// All of it as words.
    pub(super) fn copied(&self, device: &mut dyn Device) -> Result<Copied, Error> {
        match &self.place {
            Place::Buffer(buffer) => Copied::from(device, buffer),
            Place::Texels(texels) => {
                let mut bytes = vec![0; texels.bytes()];
                device.read_array(texels, &mut bytes)?;
                let words = bytes.chunks_exact(4).map(bytemuck::pod_read_unaligned).collect();
                Ok(Copied { name: texels.name().to_owned(), words })
            }
        }
    }

    /// Leaves in it what is no result.
    pub(super) fn poison(&self, device: &mut dyn Device) -> Result<(), Error> {
        match &self.place {
            Place::Buffer(buffer) => {
                device.fill(buffer, POISON)?;
                device.forget(buffer, 0, buffer.bytes())
            }
            Place::Texels(texels) => device.write_array(texels, &vec![POISON; texels.bytes()]),
        }
    }

    /// Looks whether anything was written around it; a surface has bounds of its own.
    pub(super) fn check_guards(&self, device: &mut dyn Device) -> Result<(), Error> {
        self.buffer().map_or(Ok(()), |buffer| device.check_guards(buffer))
    }
}
