//! The group of one device.

use crate::api::buffer::Buffer;
use crate::api::device::{Device, Group};
use crate::error::Error;

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
