//! Arrays, and the texture and surface objects through which kernels read and write them.
//!
//! What texels are and how they are read is said in the words of [`simt::texture`], on every device alike.

use std::any::Any;
use std::sync::Arc;

use simt::texture::{Format, Shape, Texels, TextureError};

use super::buffer::{Buffer, DeviceId};
use crate::error::Error;

/// Memory for texels; freed when the array and all objects of it are dropped.
#[derive(Clone)]
pub struct Array {
    name: Arc<str>,
    shape: Shape,
    device: DeviceId,
    /// Frees the memory when it is dropped.
    owner: Arc<dyn Any + Send + Sync>,
}

impl Array {
    pub(crate) fn new(
        name: &str,
        shape: Shape,
        device: DeviceId,
        owner: impl Any + Send + Sync,
    ) -> Array {
        Array { name: name.into(), shape, device, owner: Arc::new(owner) }
    }

    /// Its name in messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The dimensions and format that it was allocated with.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Bytes of all its texels, rows one after the other.
    pub fn bytes(&self) -> usize {
        let texels: usize = self.shape.extent.iter().map(|&extent| extent as usize).product();
        texels * self.shape.format.bytes() as usize
    }

    /// The device's half of it.
    pub(crate) fn get<T: 'static>(&self, device: DeviceId) -> Result<&T, Error> {
        let own = (self.device == device).then(|| (*self.owner).downcast_ref()).flatten();
        own.ok_or_else(|| Error::Foreign(self.name.to_string()))
    }

    /// The same, for a copy of so many bytes.
    pub(crate) fn for_copy<T: 'static>(&self, device: DeviceId, given: usize) -> Result<&T, Error> {
        if given != self.bytes() {
            let (has, given) = (self.bytes() as u64, given as u64);
            return Err(Error::Size { name: self.name.to_string(), has, given });
        }
        self.get(device)
    }
}

/// What a texture object reads.
#[derive(Clone, Copy)]
pub enum TextureOf<'a> {
    /// All of an array.
    Array(&'a Array),
    /// The texels of a buffer, one after the other, for `tex1Dfetch`.
    Linear(&'a Buffer, Format),
    /// Rows of texels in a buffer, for `tex2D`.
    Pitch {
        /// Where they lie, from its beginning on.
        buffer: &'a Buffer,
        /// Width and height, in texels.
        extent: [u32; 2],
        /// Bytes from a row to the next: a multiple of 32.
        pitch: usize,
        /// What the texels are.
        format: Format,
    },
}

impl TextureOf<'_> {
    /// The format of its texels.
    pub(crate) fn format(&self) -> Format {
        match *self {
            TextureOf::Array(array) => array.shape.format,
            TextureOf::Linear(_, format) | TextureOf::Pitch { format, .. } => format,
        }
    }

    /// The texels of a buffer, which the device has and which hold all of them; none of an array.
    pub(crate) fn linear(&self, device: DeviceId) -> Result<Option<Texels>, Error> {
        let (buffer, texels) = match *self {
            TextureOf::Array(_) => return Ok(None),
            TextureOf::Linear(buffer, format) => {
                let count = (buffer.bytes() as u64).checked_div(format.bytes()).unwrap_or(0);
                let count = u32::try_from(count).unwrap_or(u32::MAX);
                (buffer, Texels::Linear { address: buffer.address(), count, format })
            }
            TextureOf::Pitch { buffer, extent, pitch, format } => {
                let (address, pitch) = (buffer.address(), pitch as u64);
                (buffer, Texels::Pitch { address, extent, pitch, format })
            }
        };
        texels.check()?;
        buffer.check_copy(device, usize::try_from(texels.bytes()).unwrap_or(usize::MAX))?;
        Ok(Some(texels))
    }

    /// What must live as long as an object of it.
    pub(crate) fn keep(&self) -> Result<Kept, Error> {
        Ok(match *self {
            TextureOf::Array(array) => Kept { _array: Some(array.clone()), _buffer: None },
            TextureOf::Linear(buffer, _) | TextureOf::Pitch { buffer, .. } => {
                Kept { _array: None, _buffer: Some(buffer.part(0..buffer.bytes())?) }
            }
        })
    }
}

/// What an object reads or writes, kept alive.
pub(crate) struct Kept {
    _array: Option<Array>,
    _buffer: Option<Buffer>,
}

/// A texture or surface object: the argument of a kernel that is `cudaTextureObject_t` or `cudaSurfaceObject_t`. What it
/// reads or writes lives as long.
pub struct Object {
    number: u64,
    device: DeviceId,
    /// Ends the object, before what it reads may go.
    _owner: Box<dyn Any + Send + Sync>,
    _kept: Kept,
}

impl Object {
    pub(crate) fn new(
        number: u64,
        device: DeviceId,
        owner: impl Any + Send + Sync,
        kept: Kept,
    ) -> Object {
        Object { number, device, _owner: Box::new(owner), _kept: kept }
    }

    /// Its value for kernels.
    pub fn number(&self) -> u64 {
        self.number
    }

    pub(crate) fn check(&self, device: DeviceId) -> Result<(), Error> {
        if self.device == device {
            return Ok(());
        }
        Err(Error::Foreign("a texture or surface object".to_string()))
    }
}

impl std::fmt::Debug for Object {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Object({:#x})", self.number)
    }
}

impl From<TextureError> for Error {
    fn from(error: TextureError) -> Error {
        Error::Texture(error)
    }
}
