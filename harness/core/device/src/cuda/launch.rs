//! Launches.

use std::ffi::c_void;

use cudarc::driver::result::{self, DriverError};
use cudarc::driver::sys;
use simt::model::ResidencyError;

use super::clusters;
use super::driver::{attributes, check_functions, failed};
use super::loaded::Loaded;
use super::open::CudaDevice;
use crate::api::argument::{Argument, Bits};
use crate::api::module::Module;
use crate::api::shape::Shape;
use crate::error::Error;

/// What the driver needs to be asked for an occupancy.
pub(super) const FUNCTIONS: &str = "cuOccupancyMaxActiveBlocksPerMultiprocessor";

/// Shared memory that every block may have without asking for more, in bytes: what its kernel declares, and dynamic.
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
        self.allow_shared(found.function, shape.shared_bytes, &launching)?;
        // Every host that CUDA runs on is little-endian: a 4-byte argument is the low half of its first 8 bytes.
        let mut values: Vec<Bits> = arguments.iter().map(|argument| argument.bits().0).collect();
        let mut pointers: Vec<*mut c_void> =
            values.iter_mut().map(|value| std::ptr::from_mut(value).cast()).collect();
        if shape.cluster > 1 {
            check_functions(clusters::FUNCTIONS)?;
            // SAFETY: as below.
            return unsafe { clusters::start(found.function, shape, stream, &mut pointers) }
                .map_err(launching);
        }
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
                Error::NotTogether {
                    kernel: kernel.to_string(),
                    blocks: shape.blocks.iter().map(|&it| u64::from(it)).product(),
                    threads: shape.threads.iter().product(),
                    device: self.info.name.clone(),
                }
            }
            error => launching(error),
        })
    }

    /// How many blocks of a launch a multiprocessor holds, as the driver says.
    pub(super) fn driver_residency(
        &self,
        module: &Module,
        (kernel, shape): (&str, Shape),
    ) -> Result<u32, Error> {
        check_functions(FUNCTIONS)?;
        let loaded: &Loaded = module.loaded(self.id)?;
        let Some(found) = loaded.kernels.get(kernel) else {
            return Err(module.no_kernel(kernel, loaded.kernels.keys().map(String::as_str)));
        };
        self.bind()?;
        let asking = failed(format!("asking for the occupancy of `{kernel}`"));
        self.allow_shared(found.function, shape.shared_bytes, &asking)?;
        let threads: u32 = shape.threads.iter().product();
        // SAFETY: the function lives as long as the module.
        let blocks = unsafe {
            result::occupancy::max_active_block_per_multiprocessor(
                found.function,
                threads.cast_signed(),
                shape.shared_bytes as usize,
            )
        };
        blocks.map(i32::unsigned_abs).map_err(asking)
    }

    /// Lets a kernel have so much dynamic shared memory.
    ///
    /// # Errors
    /// The GPU gives a block less; else what `failed` makes of the driver's answer.
    fn allow_shared(
        &self,
        function: sys::CUfunction,
        bytes: u32,
        failed: impl Fn(DriverError) -> Error,
    ) -> Result<(), Error> {
        use sys::CUfunction_attribute_enum::{
            CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES as MOST,
            CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES as DECLARED,
        };
        if bytes == 0 {
            return Ok(());
        }
        // SAFETY: callers have the function of a module that is loaded.
        let declared = unsafe { result::function::get_function_attribute(function, DECLARED) };
        let declared = declared.map_err(&failed)?.unsigned_abs();
        if declared.saturating_add(bytes) <= SHARED_UNASKED {
            return Ok(());
        }
        // SAFETY: callers have the function of a module that is loaded.
        let set = unsafe {
            result::function::set_function_attribute(function, MOST, bytes.cast_signed())
        };
        let Err(error) = set else { return Ok(()) };
        let known = attributes(self.number)?;
        let (bytes, (major, minor)) =
            (u64::from(declared) + u64::from(bytes), known.compute_capability);
        Err(match known.block_shared_bytes {
            Some(most) if most < bytes => {
                let capability = format!("{major}.{minor}");
                ResidencyError::SharedMemory { bytes, most, gpu: known.name, capability }.into()
            }
            _ => failed(error),
        })
    }
}
