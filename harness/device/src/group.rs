//! Several devices that compute together, each in a thread or a process of its own.
//!
//! Every device has its seat: [`Device::join`](crate::Device::join) brings it together with the others, and the [`Group`] that
//! comes of it is the device's way to their data. GPUs talk through NCCL ([`crate::nccl`]); simulators, and what has
//! no way of its own, through files in a folder that all of them see, summing in the order of their ranks.

mod folder;
mod launcher;

use std::path::PathBuf;
use std::time::Duration;

pub(crate) use folder::{FolderGroup, read_when_there, write_whole};
pub use launcher::{Launched, job, launched};

use crate::device::{Buffer, Device};
use crate::error::Error;

/// A device's place among several.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seat {
    /// Its number, from 0.
    pub rank: usize,
    /// How many devices there are.
    pub size: usize,
    /// A folder that all of them see, in which they find each other. It belongs to this group alone.
    pub folder: PathBuf,
    /// How long one waits for another.
    pub patience: Duration,
}

/// A device's way to the others of its group. All make the same calls in the same order.
///
/// A call begins when the launches before it have ended. Launches after it may run beside it: until [`Group::wait`] they
/// must keep away from what it changes.
pub trait Group: Send {
    /// This device's number, from 0.
    fn rank(&self) -> usize;

    /// How many devices there are.
    fn size(&self) -> usize;

    /// Through what they talk, e.g. "NCCL 2.21.5".
    fn says(&self) -> String;

    /// Gathers a buffer of `f32` of as many equal parts as there are devices: each gives the part of its rank to all others.
    fn all_gather(&mut self, device: &mut dyn Device, buffer: &Buffer) -> Result<(), Error>;

    /// Sums a buffer of `f32` over the devices: each gets the part of its rank, and the other parts stay as they are.
    fn reduce_scatter(&mut self, device: &mut dyn Device, buffer: &Buffer) -> Result<(), Error>;

    /// Lets launches from now on wait until the call for this buffer has ended; nothing where there was none.
    fn wait(&mut self, device: &mut dyn Device, buffer: &Buffer) -> Result<(), Error>;
}

/// The group of a device that is alone.
pub(crate) struct Alone;

impl Group for Alone {
    fn rank(&self) -> usize {
        0
    }

    fn size(&self) -> usize {
        1
    }

    fn says(&self) -> String {
        "alone".to_string()
    }

    fn all_gather(&mut self, _: &mut dyn Device, _: &Buffer) -> Result<(), Error> {
        Ok(())
    }

    fn reduce_scatter(&mut self, _: &mut dyn Device, _: &Buffer) -> Result<(), Error> {
        Ok(())
    }

    fn wait(&mut self, _: &mut dyn Device, _: &Buffer) -> Result<(), Error> {
        Ok(())
    }
}

/// Where each device's part of a buffer begins, and its size, in bytes.
///
/// # Errors
/// The buffer cannot be divided into as many equal parts of whole numbers.
pub(crate) fn part(buffer: &Buffer, rank: usize, size: usize) -> Result<(usize, usize), Error> {
    let bytes = buffer.bytes() / size;
    if bytes.is_multiple_of(size_of::<f32>()) && bytes * size == buffer.bytes() {
        return Ok((rank * bytes, bytes));
    }
    Err(Error::Group {
        doing: format!("dividing `{}` among {size} devices", buffer.name()),
        message: format!("its {} bytes are not as many equal parts of numbers", buffer.bytes()),
    })
}
