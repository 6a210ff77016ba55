//! A stream of the driver that keeps the order of the legacy default stream; cudarc's own do not.

use std::sync::Arc;

use cudarc::driver::result::DriverError;
use cudarc::driver::result::stream::{self, StreamKind};
use cudarc::driver::{CudaContext, sys};

/// A stream; destroyed when dropped, after its work has ended.
pub(super) struct Queue {
    context: Arc<CudaContext>,
    pub(super) stream: sys::CUstream,
}

// SAFETY: the handle is the driver's, which may be used from any thread that has the context bound.
unsafe impl Send for Queue {}
// SAFETY: as above; through `&Queue` it is only read.
unsafe impl Sync for Queue {}

impl Queue {
    /// A stream of the context that is bound.
    pub(super) fn new(context: &Arc<CudaContext>) -> Result<Queue, DriverError> {
        Ok(Queue { context: context.clone(), stream: stream::create(StreamKind::Default)? })
    }
}

impl Drop for Queue {
    fn drop(&mut self) {
        // As for memory: an error here is an earlier launch's.
        if self.context.bind_to_thread().is_ok() {
            // SAFETY: this is the handle's only owner. The driver frees it when its work has ended.
            let _ = unsafe { stream::destroy(self.stream) };
        }
    }
}
