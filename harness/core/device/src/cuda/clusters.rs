//! Launches of blocks in clusters.

use std::ffi::c_void;

use cudarc::driver::result::DriverError;
use cudarc::driver::sys;

use crate::api::shape::Shape;

/// The driver's function for launches with attributes (CUDA 11.8).
pub(super) const FUNCTIONS: &str = "cuLaunchKernelEx";

/// Starts a kernel on a stream.
///
/// # Safety
/// The function is of a module that is loaded, and the pointers are to as many values, of the same sizes, as it declares.
pub(super) unsafe fn start(
    function: sys::CUfunction,
    shape: Shape,
    stream: sys::CUstream,
    arguments: &mut [*mut c_void],
) -> Result<(), DriverError> {
    // SAFETY: it is plain data, for which zeros are valid.
    let mut attribute: sys::CUlaunchAttribute = unsafe { std::mem::zeroed() };
    attribute.id = sys::CUlaunchAttributeID::CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    let clusters = sys::CUlaunchAttributeValue_union__bindgen_ty_1 { x: shape.cluster, y: 1, z: 1 };
    attribute.value.clusterDim = clusters;
    let [blocks, threads] = [shape.blocks, shape.threads];
    let config = sys::CUlaunchConfig {
        gridDimX: blocks[0],
        gridDimY: blocks[1],
        gridDimZ: blocks[2],
        blockDimX: threads[0],
        blockDimY: threads[1],
        blockDimZ: threads[2],
        sharedMemBytes: shape.shared_bytes,
        hStream: stream,
        attrs: &raw mut attribute,
        numAttrs: 1,
    };
    // SAFETY: the driver reads the configuration, its one attribute and the arguments before it returns.
    unsafe {
        sys::cuLaunchKernelEx(
            &raw const config,
            function,
            arguments.as_mut_ptr(),
            std::ptr::null_mut(),
        )
    }
    .result()
}
