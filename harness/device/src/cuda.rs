//! A GPU, through the NVIDIA driver. Everything runs on the default stream, so that calls take effect in their order.

mod driver;
mod graph;
mod loaded;
mod monitor;

pub(crate) use driver::{attributes, count, driver, failed};
pub(crate) use loaded::Loaded;
pub(crate) use monitor::version as monitor;

use std::ffi::c_void;
use std::sync::Arc;

use cudarc::driver::result::{self, DriverError};
use cudarc::driver::{CudaContext, CudaStream, sys};

use crate::choice::CodeRoute;
use crate::code;
use crate::device::{
    Argument, Buffer, Conditions, Device, DeviceId, Info, Shape, TimeSource, Timing,
};
use crate::error::Error;
use crate::graph::{Graph, Node};
use crate::group::{Alone, Group, Seat};
use crate::guard::{self, Side, ZONE};
use crate::module::{Module, OnDevice, check_shape};
use crate::nccl::NcclGroup;
use crate::nvrtc;
use crate::ptx::Reader;
use crate::source::Source;
use graph::Recorded;
use monitor::Monitor;

/// Dynamic shared memory that every kernel may have without asking for more, in bytes.
const SHARED_UNASKED: u32 = 48 << 10;

/// A call of the driver that starts a kernel: function, blocks, threads, shared memory, stream, arguments.
type Call = unsafe fn(
    sys::CUfunction,
    (u32, u32, u32),
    (u32, u32, u32),
    u32,
    sys::CUstream,
    &mut [*mut c_void],
) -> Result<(), DriverError>;

/// One GPU.
pub(crate) struct CudaDevice {
    id: DeviceId,
    number: usize,
    info: Info,
    route: CodeRoute,
    reader: Reader,
    context: Arc<CudaContext>,
    stream: Arc<CudaStream>,
    /// What tells of its clocks, where something does.
    monitor: Option<Monitor>,
}

impl CudaDevice {
    /// Opens the GPU of this number.
    pub(crate) fn open(number: usize, route: CodeRoute) -> Result<CudaDevice, Error> {
        let there = driver::ready()?;
        if number >= there {
            return Err(Error::Unavailable {
                what: format!("there is no GPU {number}: the driver has {there}"),
                remedy: "number them from 0, as `doctor` lists them".to_string(),
            });
        }
        let opening = failed("opening the GPU");
        let bus_id = driver::bus_id(number);
        let (monitor, context) =
            Monitor::around(bus_id.as_deref(), || CudaContext::new(number).map_err(&opening));
        let context = context?;
        // SAFETY: cudarc would track who reads and writes each of its slices; none is used here, and there is one stream.
        unsafe { context.disable_event_tracking() };
        let gpu = driver::describe(number)?;
        let cuda = driver::cuda_version()?;
        let (free, total) = context.mem_get_info().map_err(&opening)?;
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
            stream: context.default_stream(),
            context,
            monitor,
        })
    }

    /// Calls of `result` and `sys` act on the calling thread's context: make it this one.
    fn bind(&self) -> Result<(), Error> {
        self.context.bind_to_thread().map_err(failed("using the GPU"))
    }

    /// Starts a kernel on a stream, by one of the driver's calls for that.
    fn start(
        &self,
        module: &Module,
        (kernel, shape): (&str, Shape),
        arguments: &[Argument],
        (call, stream): (Call, &CudaStream),
    ) -> Result<(), Error> {
        let loaded = loaded(self.id, module)?;
        let Some(found) = loaded.kernels.get(kernel) else {
            return Err(module.no_kernel(kernel, loaded.kernels.keys().map(String::as_str)));
        };
        check_shape(kernel, shape)?;
        let declared = found.parameters.iter().copied();
        module.check_arguments(kernel, declared, arguments)?;
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
                (shape.blocks, 1, 1),
                (shape.threads, 1, 1),
                shape.shared_bytes,
                stream.cu_stream(),
                &mut pointers,
            )
        }
        .map_err(|error| match error {
            DriverError(sys::CUresult::CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE) => {
                Error::BadShape {
                    kernel: kernel.to_string(),
                    message: format!(
                        "{} blocks of {} threads do not all run at once on {}",
                        shape.blocks, shape.threads, self.info.name
                    ),
                }
            }
            error => launching(error),
        })
    }
}

/// The driver's half of a [`Buffer`].
struct Allocation {
    context: Arc<CudaContext>,
    /// Where the zone before the buffer begins.
    start: sys::CUdeviceptr,
}

impl Drop for Allocation {
    fn drop(&mut self) {
        // An error here is an earlier launch's: it has been reported, or will be by the next call that waits.
        if self.context.bind_to_thread().is_ok() {
            // SAFETY: the address came from `malloc_sync`, and this is its only owner. Freeing waits for running work.
            let _ = unsafe { result::free_sync(self.start) };
        }
    }
}

impl Device for CudaDevice {
    fn info(&self) -> &Info {
        &self.info
    }

    fn load(&mut self, source: &Source) -> Result<Module, Error> {
        let code = code::choose(source, self.route, self.reader, nvrtc::installed)?;
        Ok(Module {
            name: source.name.clone(),
            device: self.id,
            loaded: OnDevice::Cuda(Loaded::new(&self.context, &code)?),
            code: code.says,
        })
    }

    fn alloc(&mut self, name: &str, bytes: usize) -> Result<Buffer, Error> {
        self.bind()?;
        // SAFETY: nothing reads the memory before it is written: buffers are bytes, whatever these are.
        let start = match unsafe { result::malloc_sync(bytes.saturating_add(2 * ZONE)) } {
            Ok(start) => start,
            Err(DriverError(sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY)) => {
                let (free, _) = self.context.mem_get_info().map_err(failed("asking for memory"))?;
                return Err(Error::OutOfMemory {
                    name: name.to_string(),
                    bytes: bytes as u64,
                    free: free as u64,
                    device: self.info.name.clone(),
                });
            }
            Err(error) => return Err(failed(format!("allocating `{name}`"))(error)),
        };
        let owner = Allocation { context: self.context.clone(), start };
        let buffer = Buffer::new(name, start + ZONE as u64, bytes, self.id, Box::new(owner));
        for side in Side::BOTH {
            let zone = side.address(buffer.address(), bytes);
            // SAFETY: the zone is inside what was allocated just now, on either side of the buffer.
            unsafe { result::memcpy_htod_sync(zone, &guard::zone(zone)) }
                .map_err(failed(format!("guarding `{name}`")))?;
        }
        Ok(buffer)
    }

    fn upload(&mut self, to: &Buffer, bytes: &[u8]) -> Result<(), Error> {
        to.check_copy(self.id, bytes.len())?;
        self.bind()?;
        // SAFETY: the buffer is this device's and holds at least as many bytes; the call returns when they are copied.
        unsafe { result::memcpy_htod_sync(to.address(), bytes) }
            .map_err(failed(format!("uploading `{}`", to.name())))
    }

    fn download(&mut self, from: &Buffer, into: &mut [u8]) -> Result<(), Error> {
        from.check_copy(self.id, into.len())?;
        self.bind()?;
        // SAFETY: the buffer is this device's and holds at least as many bytes; the call returns when they are copied.
        unsafe { result::memcpy_dtoh_sync(into, from.address()) }
            .map_err(failed(format!("downloading `{}`", from.name())))
    }

    fn fill(&mut self, buffer: &Buffer, byte: u8) -> Result<(), Error> {
        buffer.check(self.id)?;
        self.bind()?;
        // SAFETY: the buffer is this device's and has this many bytes.
        unsafe { result::memset_d8_sync(buffer.address(), byte, buffer.bytes()) }
            .map_err(failed(format!("filling `{}`", buffer.name())))
    }

    fn set_constant(&mut self, module: &Module, symbol: &str, bytes: &[u8]) -> Result<(), Error> {
        let variable = loaded(self.id, module)?.symbol(symbol);
        let address = module.check_symbol(symbol, variable, bytes)?;
        self.bind()?;
        // SAFETY: the variable is this module's and has exactly as many bytes.
        unsafe { result::memcpy_htod_sync(address, bytes) }
            .map_err(failed(format!("setting `{symbol}`")))
    }

    fn launch(
        &mut self,
        module: &Module,
        kernel: &str,
        shape: Shape,
        arguments: &[Argument],
    ) -> Result<(), Error> {
        self.start(module, (kernel, shape), arguments, (result::launch_kernel, &self.stream))
    }

    fn launch_cooperative(
        &mut self,
        module: &Module,
        kernel: &str,
        shape: Shape,
        arguments: &[Argument],
    ) -> Result<(), Error> {
        let call = result::launch_cooperative_kernel;
        self.start(module, (kernel, shape), arguments, (call, &self.stream))
    }

    fn record<'a>(&mut self, module: &'a Module, nodes: Vec<Node<'a>>) -> Result<Graph<'a>, Error> {
        loaded(self.id, module)?;
        self.bind()?;
        let recorded = Recorded::new(&self.context, &self.stream, |stream| {
            nodes.iter().try_for_each(|node| {
                let call = (result::launch_kernel as Call, stream);
                self.start(module, (node.kernel, node.shape), &node.arguments, call)
            })
        })?;
        Ok(Graph::new(module, nodes, Some(Box::new(recorded))))
    }

    fn replay(&mut self, graph: &Graph) -> Result<(), Error> {
        // What this device has recorded is of a module that was loaded here.
        loaded(self.id, graph.module)?;
        let recorded = graph
            .recorded::<Recorded>()
            .ok_or_else(|| Error::Foreign(graph.module.name.clone()))?;
        self.bind()?;
        // SAFETY: the graph borrows the module, so that its functions are loaded; `record` has checked each launch.
        unsafe { recorded.start(&self.stream) }
    }

    fn time(
        &mut self,
        work: &mut dyn FnMut(&mut dyn Device) -> Result<(), Error>,
    ) -> Result<Timing, Error> {
        let timing = failed("timing");
        // Without this flag an event cannot time.
        let flags = Some(sys::CUevent_flags::CU_EVENT_DEFAULT);
        let begin = self.context.new_event(flags).map_err(&timing)?;
        let end = self.context.new_event(flags).map_err(&timing)?;
        begin.record(&self.stream).map_err(&timing)?;
        work(self)?;
        end.record(&self.stream).map_err(&timing)?;
        let milliseconds = begin.elapsed_ms(&end).map_err(failed("waiting for the kernels"))?;
        Ok(Timing { seconds: f64::from(milliseconds) / 1e3, source: TimeSource::Device })
    }

    fn join(&mut self, seat: &Seat) -> Result<Box<dyn Group>, Error> {
        Ok(match seat.size {
            1 => Box::new(Alone),
            _ => Box::new(NcclGroup::join(&self.context, &self.stream, seat)?),
        })
    }

    fn conditions(&mut self) -> Option<Conditions> {
        self.monitor.as_mut().map(Monitor::conditions)
    }

    fn gpu(&self) -> Option<simt::model::Gpu> {
        let attributes = attributes(self.number).ok()?;
        simt::model::Gpu::of_device(&attributes).ok()
    }

    fn check_guards(&mut self, buffer: &Buffer) -> Result<(), Error> {
        buffer.check(self.id)?;
        self.bind()?;
        for side in Side::BOTH {
            let zone = side.address(buffer.address(), buffer.bytes());
            let mut found = [0; ZONE];
            // SAFETY: `alloc` has put a zone on either side of each buffer of this device, which lives as long.
            unsafe { result::memcpy_dtoh_sync(&mut found, zone) }
                .map_err(failed(format!("looking around `{}`", buffer.name())))?;
            if let Some(distance) = guard::harm(side, zone, &found) {
                let (name, side) = (buffer.name().to_string(), side.word());
                return Err(Error::Guard { name, side, distance });
            }
        }
        Ok(())
    }

    fn synchronize(&mut self) -> Result<(), Error> {
        self.context.synchronize().map_err(failed("waiting for the kernels"))
    }
}

/// The driver's half of a module of this device.
fn loaded(device: DeviceId, module: &Module) -> Result<&Loaded, Error> {
    match &module.loaded {
        OnDevice::Cuda(loaded) if module.device == device => Ok(loaded),
        _ => Err(Error::Foreign(module.name.clone())),
    }
}
