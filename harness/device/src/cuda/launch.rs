//! Launches.

use std::ffi::c_void;

use cudarc::driver::result::{self, DriverError};
use cudarc::driver::sys;

use super::driver::failed;
use super::loaded::Loaded;
use super::open::CudaDevice;
use crate::api::argument::Argument;
use crate::api::module::Module;
use crate::api::shape::Shape;
use crate::error::Error;

/// Dynamic shared memory that every kernel may have without asking for more, in bytes.
const SHARED_UNASKED: u32 = 48 << 10;

/// A call of the driver that starts a kernel: function, blocks, threads, shared memory, stream, arguments.
pub(super) type Call = unsafe fn(
    sys::CUfunction,
    (u32, u32, u32),
    (u32, u32, u32),
    u32,
    sys::CUstream,
    &mut [*mut c_void],
) -> Result<(), DriverError>;

impl CudaDevice {
    /// Starts a kernel on a stream, by one of the driver's calls for that.
    pub(super) fn enqueue(
        &self,
        module: &Module,
        (kernel, shape): (&str, Shape),
        arguments: &[Argument],
        (call, stream): (Call, sys::CUstream),
    ) -> Result<(), Error> {
        let loaded: &Loaded = module.loaded(self.id)?;
        let Some(found) = loaded.kernels.get(kernel) else {
            return Err(module.no_kernel(kernel, loaded.kernels.keys().map(String::as_str)));
        };
        let declared = found.parameters.iter().copied();
        module.check_launch((kernel, shape), declared, arguments)?;
        let launching = failed(format!("launching `{kernel}`"));
        self.bind()?;
        if shape.shared_bytes > SHARED_UNASKED {
            let attribute =
                sys::CUfunction_attribute_enum::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
            // SAFETY: the function lives as long as the module.
            unsafe {
                result::function::set_function_attribute(
                    found.function,
                    attribute,
                    shape.shared_bytes.cast_signed(),
                )
            }
            .map_err(&launching)?;
        }
        // Every host that CUDA runs on is little-endian: a 4-byte argument is the low half of its 8 bytes.
        let mut values: Vec<u64> = arguments.iter().map(|argument| argument.bits().0).collect();
        let mut pointers: Vec<*mut c_void> =
            values.iter_mut().map(|value| std::ptr::from_mut(value).cast()).collect();
        // SAFETY: the function is of a loaded module, and the pointers are to as many values, of the same sizes, as it
        // declares; the driver copies them before it returns. What the kernel does with them is the kernel's matter: the
        // GPU keeps it inside this process's own device memory.
        unsafe {
            call(
                found.function,
                shape.blocks.into(),
                shape.threads.into(),
                shape.shared_bytes,
                stream,
                &mut pointers,
            )
        }
        .map_err(|error| match error {
            DriverError(sys::CUresult::CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE) => {
                Error::BadShape {
                    kernel: kernel.to_string(),
                    message: format!(
                        "{:?} blocks of {:?} threads do not all run at once on {}",
                        shape.blocks, shape.threads, self.info.name
                    ),
                }
            }
            error => launching(error),
        })
    }
}
