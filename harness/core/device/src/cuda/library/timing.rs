//! How long a library's function takes.

use std::sync::Arc;

use cudarc::driver::{CudaContext, sys};

use crate::cuda::driver::failed;
use crate::error::Error;

/// Milliseconds that a GPU takes for what is started on its default stream.
pub(super) fn timed(
    context: &Arc<CudaContext>,
    start: impl FnOnce() -> Result<(), Error>,
) -> Result<f32, Error> {
    let timing = failed("timing a library");
    let stream = context.default_stream();
    // Without this flag an event cannot time.
    let flags = Some(sys::CUevent_flags::CU_EVENT_DEFAULT);
    let begin = context.new_event(flags).map_err(&timing)?;
    let end = context.new_event(flags).map_err(&timing)?;
    begin.record(&stream).map_err(&timing)?;
    start()?;
    end.record(&stream).map_err(&timing)?;
    begin.elapsed_ms(&end).map_err(&timing)
}
