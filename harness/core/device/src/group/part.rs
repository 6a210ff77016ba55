//! The parts of a buffer that is divided among devices.

use crate::api::buffer::Buffer;
use crate::error::Error;

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
