//! A graph of the driver: launches that it has taken down and starts with one call.

use std::sync::Arc;

use cudarc::driver::{CudaContext, CudaStream, result, sys};

use super::driver::{check_functions, cuda_version, failed};
use crate::error::Error;

/// The CUDA version from which on drivers have all functions that are called here.
const NEEDS: (u32, u32) = (11, 4);

/// Those functions.
pub(super) const FUNCTIONS: &str = "
    cuGraphDestroy cuGraphExecDestroy cuGraphInstantiateWithFlags cuGraphLaunch
    cuGraphUpload cuStreamBeginCapture_v2 cuStreamEndCapture";

/// A graph that can be started; freed when dropped.
pub(super) struct Recorded {
    context: Arc<CudaContext>,
    graph: sys::CUgraphExec,
}

// SAFETY: the handle is the driver's, which may be used from any thread that has the context bound.
unsafe impl Send for Recorded {}
// SAFETY: as above. A graph must not be used by two threads at once: it is started by a `CudaDevice` alone, through
// `&mut`, and by the one that recorded it.
unsafe impl Sync for Recorded {}

impl Recorded {
    /// Records what `launch` starts on the stream that it is given; nothing of that runs. What the GPU needs of it is
    /// brought there on `stream`, so that the first start takes no longer than others.
    ///
    /// # Errors
    /// [`Error::Skipped`]: the driver is too old. Those of `launch`, and the driver's.
    pub(super) fn new(
        context: &Arc<CudaContext>,
        stream: &CudaStream,
        launch: impl FnOnce(&CudaStream) -> Result<(), Error>,
    ) -> Result<Recorded, Error> {
        let version = cuda_version()?;
        if version < NEEDS {
            return Err(Error::Skipped {
                reason: format!(
                    "a graph of launches needs a driver with CUDA {}.{}, and this one has {}.{}",
                    NEEDS.0, NEEDS.1, version.0, version.1
                ),
                remedy: "update the NVIDIA driver".to_string(),
            });
        }
        check_functions(FUNCTIONS)?;
        let recording = failed("recording launches");
        // The default stream cannot be recorded.
        let recorder = context.new_stream().map_err(&recording)?;
        // Relaxed: the thread may meanwhile do what else a launch needs, such as loading a kernel's code.
        recorder
            .begin_capture(sys::CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_RELAXED)
            .map_err(&recording)?;
        let launched = launch(&recorder);
        // Also where a launch failed: the recording has to end.
        // SAFETY: the stream lives, and its recording was begun just now.
        let drawn = unsafe { result::stream::end_capture(recorder.cu_stream()) }.map(Drawn);
        launched?;
        let drawn = drawn.map_err(&recording)?;
        // SAFETY: the graph is the one that was recorded, and lives through the call.
        let graph =
            unsafe { result::graph::instantiate(drawn.0, sys::CUgraphInstantiate_flags(0)) }
                .map_err(&recording)?;
        let recorded = Recorded { context: context.clone(), graph };
        // SAFETY: both live, and the stream is of the same context.
        unsafe { result::graph::upload(graph, stream.cu_stream()) }.map_err(&recording)?;
        Ok(recorded)
    }

    /// Starts the launches, in their order, after what `stream` has to do.
    ///
    /// # Errors
    /// The driver's.
    ///
    /// # Safety
    /// The functions that were launched are still loaded, and the stream is of the same context, which is bound.
    pub(super) unsafe fn start(&self, stream: &CudaStream) -> Result<(), Error> {
        // SAFETY: the graph lives as long as `self`; the rest is the caller's promise.
        unsafe { result::graph::launch(self.graph, stream.cu_stream()) }
            .map_err(failed("launching what was recorded"))
    }
}

impl Drop for Recorded {
    fn drop(&mut self) {
        // As for memory: an error here is an earlier launch's.
        if self.context.bind_to_thread().is_ok() {
            // SAFETY: this is the handle's only owner. What still runs of it ends first: the driver frees it then.
            let _ = unsafe { result::graph::exec_destroy(self.graph) };
        }
    }
}

/// A graph as it was recorded, from which one is made that can be started; freed when dropped.
struct Drawn(sys::CUgraph);

impl Drop for Drawn {
    fn drop(&mut self) {
        // SAFETY: this is the handle's only owner, and the context is bound: it recorded just now.
        let _ = unsafe { result::graph::destroy(self.0) };
    }
}
