//! Performs work.

use crate::error::{self, CudaResult};
use crate::state::{Runtime, Work};

impl Runtime {
    /// Performs work now; without a stream the host waits for it.
    pub(crate) fn perform(&mut self, work: &Work, stream: Option<u64>) -> CudaResult {
        match work {
            Work::Launch { function, shape, arguments } => {
                self.launch(*function, *shape, arguments, stream)
            }
            Work::Copy { to, from, extent, kind } => self.copy(*to, *from, *extent, *kind, stream),
            Work::Set { to, value, element: 1, extent } => {
                self.fill(*to, *value as u8, *extent, stream)
            }
            Work::Set { to, value, element, extent: [width, height, depth] } => {
                let value = &value.to_le_bytes()[..*element];
                let bytes = [width * element, *height, *depth];
                self.scatter(*to, bytes, &value.repeat(width * height * depth))?;
                self.add_fill_time(bytes, stream);
                Ok(())
            }
            Work::Wait(event) => stream.map_or(Ok(()), |stream| self.streams.wait(stream, *event)),
            Work::Record(event) => self.streams.record(*event, stream.unwrap_or(0)),
            Work::Allocate { address, bytes } => {
                let done = self.simulator.forget(*address, *bytes);
                done.map_err(|error| self.memory_error(error))
            }
            Work::Free(address) => self.free(*address),
            Work::Empty => Ok(()),
            // The launch of a graph takes these apart, with the runtime unlocked.
            Work::Graph(_) | Work::Host { .. } | Work::Conditional(_) => Err(error::INVALID_VALUE),
        }
    }
}
