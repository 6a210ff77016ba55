//! Code that the driver has loaded.

use std::collections::BTreeMap;
use std::ffi::{CString, c_void};
use std::sync::Arc;

use cudarc::driver::CudaContext;
use cudarc::driver::result::{self, DriverError};
use cudarc::driver::sys::{self, CUjit_option, CUresult};

use super::driver::failed;
use crate::api::module;
use crate::error::Error;
use toolchain::Code;
use toolchain::ptx;

/// Room for the words of the driver's assembler, in bytes.
const LOG_BYTES: usize = 8 << 10;

/// A module of the driver; unloaded when dropped.
pub(super) struct Loaded {
    context: Arc<CudaContext>,
    module: sys::CUmodule,
    /// What was loaded.
    pub(super) code: Arc<Code>,
    /// Its kernels by name.
    pub(super) kernels: BTreeMap<String, Kernel>,
}

/// A kernel of a loaded module.
pub(super) struct Kernel {
    pub(super) function: sys::CUfunction,
    /// Bytes of each parameter.
    pub(super) parameters: Vec<usize>,
}

// SAFETY: the handles are the driver's, which may be used from any thread that has the context bound.
unsafe impl Send for Loaded {}
// SAFETY: as above; through `&Loaded` they are only read.
unsafe impl Sync for Loaded {}

impl Loaded {
    /// Loads the cubin, or has the driver compile the PTX.
    pub(super) fn new(context: &Arc<CudaContext>, code: Arc<Code>) -> Result<Loaded, Error> {
        let loading = failed(format!("loading {}", code.file));
        context.bind_to_thread().map_err(&loading)?;
        let module = match &code.cubin {
            Some(cubin) => {
                // SAFETY: the image is what NVRTC wrote, whole; the driver copies it.
                unsafe { result::module::load_data(cubin.as_ptr().cast()) }.map_err(&loading)?
            }
            None => load_ptx(&code)?,
        };
        let kernels = ptx::kernels(&code.ptx);
        let mut loaded =
            Loaded { context: context.clone(), module, code, kernels: BTreeMap::new() };
        for kernel in kernels {
            let Ok(name) = CString::new(kernel.name.as_str()) else { continue };
            // SAFETY: the module is loaded.
            let function =
                unsafe { result::module::get_function(module, name) }.map_err(&loading)?;
            loaded.kernels.insert(kernel.name, Kernel { function, parameters: kernel.parameters });
        }
        Ok(loaded)
    }
}

impl module::Loaded for Loaded {
    fn symbol(&self, name: &str) -> Option<(u64, u64)> {
        let name = CString::new(name).ok()?;
        self.context.bind_to_thread().ok()?;
        // SAFETY: the module is loaded until `self` is dropped.
        let (address, bytes) = unsafe { result::module::get_global(self.module, name) }.ok()?;
        Some((address, bytes as u64))
    }
}

impl Drop for Loaded {
    fn drop(&mut self) {
        // As for memory: an error here is an earlier launch's.
        if self.context.bind_to_thread().is_ok() {
            // SAFETY: this is the handle's only owner, and nothing that borrows it is left.
            let _ = unsafe { result::module::unload(self.module) };
        }
    }
}

/// Has the driver compile PTX, keeping its words if it refuses.
fn load_ptx(code: &Code) -> Result<sys::CUmodule, Error> {
    let rejected = |why: &str| {
        toolchain::Error::BadPtx(format!("{}: the driver rejects it: {why}", code.file))
    };
    let text = CString::new(code.ptx.as_str()).map_err(|_| rejected("it contains a zero byte"))?;
    let mut log = vec![0u8; LOG_BYTES];
    let mut options =
        [CUjit_option::CU_JIT_ERROR_LOG_BUFFER, CUjit_option::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES];
    // An option's value is a pointer, or a number in a pointer's place.
    let mut values = [log.as_mut_ptr().cast::<c_void>(), LOG_BYTES as *mut c_void];
    let mut module = std::ptr::null_mut();
    // SAFETY: the text ends in a zero byte; both lists have two entries; the log has as many bytes as it is said to have
    // and lives through the call.
    let status = unsafe {
        sys::cuModuleLoadDataEx(
            &mut module,
            text.as_ptr().cast(),
            2,
            options.as_mut_ptr(),
            values.as_mut_ptr(),
        )
    };
    match status {
        CUresult::CUDA_SUCCESS => Ok(module),
        CUresult::CUDA_ERROR_INVALID_PTX => {
            let words = log.split(|&byte| byte == 0).next().unwrap_or_default();
            Err(rejected(String::from_utf8_lossy(words).trim()).into())
        }
        error => Err(failed(format!("loading {}", code.file))(DriverError(error))),
    }
}
