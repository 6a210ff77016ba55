//! An opened GPU and the bytes of its buffers.

use std::sync::Arc;

use cudarc::driver::result::{self, DriverError};
use cudarc::driver::{CudaContext, CudaStream, sys};

use super::contact::DRIVER;
use super::driver::{self, check_functions, failed};
use super::loaded::Loaded;
use super::memory::{Locked, Shared};
use super::monitor::Monitor;
use super::second::{Borrowed, Spare};
use crate::api::buffer::{Buffer, DeviceId, Place};
use crate::api::guard::{self, Side};
use crate::api::module::Module;
use crate::api::state::Info;
use crate::error::Error;
use toolchain::Ahead;
use toolchain::CodeRoute;
use toolchain::ptx::Reader;

/// Functions of the driver that only managed memory and a second context need (CUDA 12.5).
pub(super) const FUNCTIONS: &str = "cuCtxCreate_v4 cuMemAllocManaged cuMemPrefetchAsync_v2";

/// One GPU.
pub(crate) struct CudaDevice {
    pub(super) id: DeviceId,
    pub(super) number: usize,
    pub(super) info: Info,
    pub(super) route: CodeRoute,
    pub(super) reader: Reader,
    /// What is compiled ahead.
    pub(super) ahead: Ahead,
    pub(super) context: Arc<CudaContext>,
    /// The legacy default stream.
    pub(super) stream: Arc<CudaStream>,
    /// Page-locked memory for it.
    pub(super) locked: Arc<Locked>,
    /// What reports its clocks. `None` without NVML.
    pub(super) monitor: Option<Monitor>,
    /// Second contexts for it.
    pub(super) spare: Arc<Spare>,
    /// Of a second context: what gives it back.
    _borrowed: Option<Borrowed>,
}

impl CudaDevice {
    /// Opens the GPU of this number.
    pub(crate) fn open(number: usize, route: CodeRoute) -> Result<CudaDevice, Error> {
        let describe = move || -> Result<_, Error> {
            Ok((driver::describe(number)?, driver::cuda_version()?))
        };
        let (gpu, cuda) = DRIVER.call(describe)??;
        let (monitor, opened) = Monitor::around(gpu.bus_id, || {
            DRIVER.call(move || -> Result<_, DriverError> {
                let context = CudaContext::new(number)?;
                let memory = context.mem_get_info()?;
                Ok((context, memory))
            })
        });
        let (context, (free, total)) = opened?.map_err(failed("opening the GPU"))?;
        // SAFETY: cudarc would track who reads and writes each of its slices; none is used here.
        unsafe { context.disable_event_tracking() };
        let info = Info {
            kind: "cuda".to_string(),
            name: gpu.name,
            compute_capability: Some(gpu.compute_capability),
            driver_version: driver::driver_version(),
            cuda_version: Some(format!("{}.{}", cuda.0, cuda.1)),
            memory_bytes: total as u64,
            memory_free_bytes: free as u64,
            multiprocessors: Some(gpu.multiprocessors),
            clock_mhz: Some(gpu.clock_mhz),
            launch_limit_seconds: if gpu.watchdog { 1.0 } else { 20.0 },
            modelled: None,
        };
        Ok(CudaDevice {
            id: DeviceId::next(),
            number,
            info,
            route,
            reader: Reader::Gpu { capability: gpu.compute_capability, cuda },
            ahead: Ahead::default(),
            stream: context.default_stream(),
            locked: Locked::new(&context),
            context,
            monitor,
            spare: Arc::default(),
            _borrowed: None,
        })
    }

    /// Another context on the same GPU, with a module's code loaded in it.
    ///
    /// # Errors
    /// [`Error::NoFunction`] of a driver that is too old; those of the driver.
    pub(super) fn beside(&self, module: &Module) -> Result<(CudaDevice, Module), Error> {
        check_functions(FUNCTIONS)?;
        let code = module.loaded::<Loaded>(self.id)?.code.clone();
        let (context, locked) =
            self.spare.take(self.number).map_err(failed("opening a second context"))?;
        let borrowed =
            Borrowed { context: (context.clone(), locked.clone()), from: self.spare.clone() };
        let id = DeviceId::next();
        let loaded = Loaded::new(&context, code)?;
        let device = CudaDevice {
            id,
            number: self.number,
            info: self.info.clone(),
            route: self.route,
            reader: self.reader,
            ahead: Ahead::default(),
            stream: context.default_stream(),
            locked,
            context,
            monitor: None,
            spare: self.spare.clone(),
            _borrowed: Some(borrowed),
        };
        Ok((device, Module::new(&module.name, module.code().to_owned(), id, loaded)))
    }

    /// Binds the context for the host to access a buffer, and waits where a kernel may still use its pages.
    pub(super) fn await_pages(&self, buffer: &Buffer) -> Result<(), Error> {
        self.bind()?;
        match buffer.place() {
            Place::Managed => self.context.synchronize().map_err(failed("waiting for the kernels")),
            Place::Device | Place::Host => Ok(()),
        }
    }

    /// Has the driver move managed memory.
    pub(super) fn move_pages(&self, buffer: &Buffer, to: Place) -> Result<(), Error> {
        use sys::CUmemLocationType::{CU_MEM_LOCATION_TYPE_DEVICE, CU_MEM_LOCATION_TYPE_HOST};
        check_functions(FUNCTIONS)?;
        let (type_, id) = match to {
            Place::Host => (CU_MEM_LOCATION_TYPE_HOST, 0),
            Place::Device | Place::Managed => {
                (CU_MEM_LOCATION_TYPE_DEVICE, i32::try_from(self.number).unwrap_or(i32::MAX))
            }
        };
        let location = sys::CUmemLocation { type_, id };
        self.bind()?;
        // SAFETY: the buffer is this device's, and the driver refuses memory that is not managed.
        unsafe {
            result::mem_prefetch_async(
                buffer.address(),
                buffer.bytes(),
                location,
                self.stream.cu_stream(),
            )
        }
        .map_err(failed(format!("moving `{}`", buffer.name())))
    }

    /// Calls of `result` and `sys` act on the calling thread's context: make it this one.
    pub(super) fn bind(&self) -> Result<(), Error> {
        self.context.bind_to_thread().map_err(failed("using the GPU"))
    }

    /// Writes a zone on either side of memory that was allocated just now.
    pub(super) fn guard(&self, buffer: Buffer) -> Result<Buffer, Error> {
        for side in Side::BOTH {
            let zone = side.address(buffer.address(), buffer.bytes());
            self.write(&buffer, zone, &guard::zone(zone))
                .map_err(failed(format!("guarding `{}`", buffer.name())))?;
        }
        Ok(buffer)
    }

    /// Copies bytes to an address of a buffer or of its zones.
    pub(super) fn write(
        &self,
        buffer: &Buffer,
        address: u64,
        bytes: &[u8],
    ) -> Result<(), DriverError> {
        match buffer.owner::<Shared>() {
            Some(shared) => shared.write(address, bytes),
            // SAFETY: callers have checked that the bytes fit; the call returns when they are copied.
            None => unsafe { result::memcpy_htod_sync(address, bytes) }?,
        }
        Ok(())
    }

    /// Copies bytes from an address of a buffer or of its zones.
    pub(super) fn read(
        &self,
        buffer: &Buffer,
        address: u64,
        into: &mut [u8],
    ) -> Result<(), DriverError> {
        match buffer.owner::<Shared>() {
            Some(shared) => shared.read(address, into),
            // SAFETY: callers have checked that there are so many bytes; the call returns when they are copied.
            None => unsafe { result::memcpy_dtoh_sync(into, address) }?,
        }
        Ok(())
    }

    /// The error of an allocation that failed.
    pub(super) fn not_allocated(&self, name: &str, bytes: usize, error: DriverError) -> Error {
        let is_full = error.0 == sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY;
        match self.context.mem_get_info() {
            Ok((free, _)) if is_full => Error::OutOfMemory {
                name: name.to_string(),
                bytes: bytes as u64,
                free: free as u64,
                device: self.info.name.clone(),
            },
            _ => failed(format!("allocating `{name}`"))(error),
        }
    }
}
