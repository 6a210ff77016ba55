//! Streams, whose work is done in its order, and events, which mark places in it.

use std::any::Any;

use super::buffer::DeviceId;
use crate::error::Error;

/// Something of a device that only the device looks into.
struct Handle {
    device: DeviceId,
    inner: Box<dyn Any + Send + Sync>,
}

impl Handle {
    fn get<T: 'static>(&self, device: DeviceId, what: &str) -> Result<&T, Error> {
        let inner = self.inner.downcast_ref().filter(|_| self.device == device);
        inner.ok_or_else(|| Error::Foreign(what.to_string()))
    }
}

/// Work that a device does one after another; work of other streams may be done at the same time. The default stream,
/// that of all calls without one, waits for the work of every stream so far, and later work of every stream waits for it.
pub struct Stream(Handle);

/// A place in the work of a stream.
pub struct Event(Handle);

impl Stream {
    pub(crate) fn new(device: DeviceId, inner: impl Any + Send + Sync) -> Stream {
        Stream(Handle { device, inner: Box::new(inner) })
    }

    /// What it is for its device.
    pub(crate) fn get<T: 'static>(&self, device: DeviceId) -> Result<&T, Error> {
        self.0.get(device, "stream")
    }
}

impl Event {
    pub(crate) fn new(device: DeviceId, inner: impl Any + Send + Sync) -> Event {
        Event(Handle { device, inner: Box::new(inner) })
    }

    /// What it is for its device.
    pub(crate) fn get<T: 'static>(&self, device: DeviceId) -> Result<&T, Error> {
        self.0.get(device, "event")
    }
}

/// On which stream a kernel is launched, and how.
#[derive(Clone, Copy)]
pub enum Start<'s> {
    /// On the default stream.
    Default,
    /// On the default stream, cooperatively: all blocks are resident at once.
    Together,
    /// On another stream of the same device.
    On(&'s Stream),
}
