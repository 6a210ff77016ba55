//! Memory that a device can use.

use std::any::Any;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::Error;

/// Which opened device something belongs to; unique within the process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DeviceId(u64);

impl DeviceId {
    pub(crate) fn next() -> DeviceId {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        DeviceId(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// Where a buffer's memory is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// In the device's own memory.
    Device,
    /// In the host's, page-locked and mapped: the device copies it asynchronously, and kernels can use it in place.
    Host,
    /// Managed memory. Each page is where it was touched last.
    Managed,
}

/// Memory that a device can use, whole or a part of it; freed when the last part is dropped.
pub struct Buffer {
    name: Arc<str>,
    place: Place,
    address: u64,
    bytes: usize,
    /// All that was allocated: address and size.
    whole: (u64, usize),
    device: DeviceId,
    /// Frees the memory when it is dropped, and keeps alive what the memory lives in.
    owner: Arc<dyn Any + Send + Sync>,
}

impl Buffer {
    pub(crate) fn new(
        name: &str,
        (address, bytes): (u64, usize),
        place: Place,
        device: DeviceId,
        owner: impl Any + Send + Sync,
    ) -> Buffer {
        let owner = Arc::new(owner);
        Buffer { name: name.into(), place, address, bytes, whole: (address, bytes), device, owner }
    }

    /// A part of it as a buffer of its own.
    ///
    /// # Errors
    /// They are not inside the buffer.
    pub fn part(&self, bytes: Range<usize>) -> Result<Buffer, Error> {
        if bytes.start > bytes.end || bytes.end > self.bytes {
            return Err(self.size_error(bytes.end.max(bytes.start)));
        }
        Ok(Buffer {
            name: self.name.clone(),
            address: self.address + bytes.start as u64,
            bytes: bytes.end - bytes.start,
            owner: self.owner.clone(),
            ..*self
        })
    }

    /// Its address on the device, for example to store it in a constant.
    pub fn address(&self) -> u64 {
        self.address
    }

    /// Its size in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Its name in messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Where its memory is: on the device, on the host, or managed.
    pub fn place(&self) -> Place {
        self.place
    }

    /// Address and size of all that was allocated.
    pub(crate) fn whole(&self) -> (u64, usize) {
        self.whole
    }

    /// Its place in all that was allocated.
    pub(crate) fn range(&self) -> Range<usize> {
        let start = (self.address - self.whole.0) as usize;
        start..start + self.bytes
    }

    /// What frees the memory, where it is of this type.
    pub(crate) fn owner<T: 'static>(&self) -> Option<&T> {
        (*self.owner).downcast_ref()
    }

    pub(crate) fn check(&self, device: DeviceId) -> Result<(), Error> {
        if self.device == device { Ok(()) } else { Err(Error::Foreign(self.name.to_string())) }
    }

    /// Checks that a copy of `given` bytes stays inside.
    pub(crate) fn check_copy(&self, device: DeviceId, given: usize) -> Result<(), Error> {
        self.check(device)?;
        if given <= self.bytes { Ok(()) } else { Err(self.size_error(given)) }
    }

    /// Checks that it has exactly so many bytes.
    pub(crate) fn check_whole(&self, device: DeviceId, given: usize) -> Result<(), Error> {
        self.check(device)?;
        if given == self.bytes { Ok(()) } else { Err(self.size_error(given)) }
    }

    fn size_error(&self, given: usize) -> Error {
        Error::Size { name: self.name.to_string(), has: self.bytes as u64, given: given as u64 }
    }
}

impl fmt::Debug for Buffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Buffer({} at {:#x}, {} bytes)", self.name, self.address, self.bytes)
    }
}
