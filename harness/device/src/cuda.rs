//! A GPU, through the NVIDIA driver.

mod contact;
mod driver;
mod exchange;
mod graph;
mod loaded;
mod memory;
mod monitor;
pub mod nccl;
mod stream;

pub use contact::leave_if_driver_hangs;
pub use driver::{Driver, Gpu, count};
pub(crate) use driver::{attributes, driver};
pub(crate) use monitor::version as monitor;

use std::ffi::c_void;
use std::sync::Arc;

use cudarc::driver::result::{self, DriverError};
use cudarc::driver::{CudaContext, CudaEvent, CudaStream, sys};

use crate::api::argument::Argument;
use crate::api::buffer::{Buffer, DeviceId, Place};
use crate::api::device::{Device, Group};
use crate::api::graph::{Graph, Node};
use crate::api::guard::{self, Side, ZONE};
use crate::api::member::Member;
use crate::api::module::Module;
use crate::api::shape::Shape;
use crate::api::state::{Conditions, Info, TimeSource, Timing};
use crate::api::stream::{Event, Stream};
use crate::code::ptx::Reader;
use crate::code::route::CodeRoute;
use crate::code::source::Source;
use crate::code::{choose, nvrtc};
use crate::error::Error;
use crate::group::Alone;
use contact::DRIVER;
use driver::failed;
use exchange::NcclGroup;
use graph::Recorded;
use loaded::Loaded;
use memory::{Allocation, Pinned};
use monitor::Monitor;
use stream::Queue;

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
    /// The legacy default stream.
    stream: Arc<CudaStream>,
    /// What tells of its clocks, where something does.
    monitor: Option<Monitor>,
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
        (call, stream): (Call, sys::CUstream),
    ) -> Result<(), Error> {
        let loaded: &Loaded = module.loaded(self.id)?;
        let Some(found) = loaded.kernels.get(kernel) else {
            return Err(module.no_kernel(kernel, loaded.kernels.keys().map(String::as_str)));
        };
        shape.check(kernel)?;
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

impl CudaDevice {
    /// Writes a zone on either side of memory that was allocated just now.
    fn guard(&self, buffer: Buffer) -> Result<Buffer, Error> {
        for side in Side::BOTH {
            let zone = side.address(buffer.address(), buffer.bytes());
            self.write(&buffer, zone, &guard::zone(zone))
                .map_err(failed(format!("guarding `{}`", buffer.name())))?;
        }
        Ok(buffer)
    }

    /// Copies bytes to an address of a buffer or of its zones.
    fn write(&self, buffer: &Buffer, address: u64, bytes: &[u8]) -> Result<(), DriverError> {
        match buffer.owner::<Pinned>() {
            Some(pinned) => pinned.write(address, bytes),
            // SAFETY: callers have checked that the bytes fit; the call returns when they are copied.
            None => unsafe { result::memcpy_htod_sync(address, bytes) }?,
        }
        Ok(())
    }

    /// Copies bytes from an address of a buffer or of its zones.
    fn read(&self, buffer: &Buffer, address: u64, into: &mut [u8]) -> Result<(), DriverError> {
        match buffer.owner::<Pinned>() {
            Some(pinned) => pinned.read(address, into),
            // SAFETY: callers have checked that there are so many bytes; the call returns when they are copied.
            None => unsafe { result::memcpy_dtoh_sync(into, address) }?,
        }
        Ok(())
    }

    /// The error of an allocation that failed.
    fn not_allocated(&self, name: &str, bytes: usize, error: DriverError) -> Error {
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

impl Device for CudaDevice {
    fn info(&self) -> &Info {
        &self.info
    }

    fn load(&mut self, source: &Source) -> Result<Module, Error> {
        let code = choose::choose(source, self.route, self.reader, nvrtc::installed)?;
        let loaded = Loaded::new(&self.context, &code)?;
        Ok(Module::new(&source.name, code.says, self.id, loaded))
    }

    fn alloc(&mut self, name: &str, bytes: usize) -> Result<Buffer, Error> {
        self.bind()?;
        let allocation = Allocation::new(&self.context, bytes.saturating_add(2 * ZONE))
            .map_err(|error| self.not_allocated(name, bytes, error))?;
        let place = (allocation.start + ZONE as u64, bytes);
        self.guard(Buffer::new(name, place, Place::Device, self.id, allocation))
    }

    fn alloc_host(&mut self, name: &str, bytes: usize) -> Result<Buffer, Error> {
        self.bind()?;
        let pinned = Pinned::new(&self.context, bytes.saturating_add(2 * ZONE)).map_err(
            |error| match error.0 {
                sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY => {
                    Error::HostMemory { name: name.to_string(), bytes: bytes as u64 }
                }
                _ => failed(format!("allocating `{name}`"))(error),
            },
        )?;
        let place = (pinned.start + ZONE as u64, bytes);
        self.guard(Buffer::new(name, place, Place::Host, self.id, pinned))
    }

    fn upload(&mut self, to: &Buffer, bytes: &[u8]) -> Result<(), Error> {
        to.check_copy(self.id, bytes.len())?;
        self.bind()?;
        self.write(to, to.address(), bytes).map_err(failed(format!("uploading `{}`", to.name())))
    }

    fn download(&mut self, from: &Buffer, into: &mut [u8]) -> Result<(), Error> {
        from.check_copy(self.id, into.len())?;
        self.bind()?;
        self.read(from, from.address(), into)
            .map_err(failed(format!("downloading `{}`", from.name())))
    }

    fn fill(&mut self, buffer: &Buffer, byte: u8) -> Result<(), Error> {
        buffer.check(self.id)?;
        self.bind()?;
        let filling = failed(format!("filling `{}`", buffer.name()));
        match buffer.place() {
            Place::Host => self.write(buffer, buffer.address(), &vec![byte; buffer.bytes()]),
            // SAFETY: the buffer is this device's and has this many bytes.
            Place::Device => unsafe {
                result::memset_d8_sync(buffer.address(), byte, buffer.bytes())
            },
        }
        .map_err(filling)
    }

    fn set_constant(&mut self, module: &Module, symbol: &str, bytes: &[u8]) -> Result<(), Error> {
        let address = module.variable(self.id, symbol, bytes.len())?;
        self.bind()?;
        // SAFETY: the variable is this module's and has exactly as many bytes.
        unsafe { result::memcpy_htod_sync(address, bytes) }
            .map_err(failed(format!("setting `{symbol}`")))
    }

    fn read_symbol(&mut self, module: &Module, symbol: &str, into: &mut [u8]) -> Result<(), Error> {
        let address = module.variable(self.id, symbol, into.len())?;
        self.bind()?;
        // SAFETY: as above.
        unsafe { result::memcpy_dtoh_sync(into, address) }
            .map_err(failed(format!("reading `{symbol}`")))
    }

    fn launch(
        &mut self,
        module: &Module,
        kernel: &str,
        shape: Shape,
        arguments: &[Argument],
    ) -> Result<(), Error> {
        self.start(
            module,
            (kernel, shape),
            arguments,
            (result::launch_kernel, self.stream.cu_stream()),
        )
    }

    fn launch_cooperative(
        &mut self,
        module: &Module,
        kernel: &str,
        shape: Shape,
        arguments: &[Argument],
    ) -> Result<(), Error> {
        let call = result::launch_cooperative_kernel;
        self.start(module, (kernel, shape), arguments, (call, self.stream.cu_stream()))
    }

    fn record<'a>(&mut self, module: &'a Module, nodes: Vec<Node<'a>>) -> Result<Graph<'a>, Error> {
        module.loaded::<Loaded>(self.id)?;
        self.bind()?;
        let recorded = Recorded::new(&self.context, &self.stream, |stream| {
            nodes.iter().try_for_each(|node| {
                let call = (result::launch_kernel as Call, stream.cu_stream());
                self.start(module, (node.kernel, node.shape), &node.arguments, call)
            })
        })?;
        Ok(Graph::new(module, nodes, Some(Box::new(recorded))))
    }

    fn replay(&mut self, graph: &Graph) -> Result<(), Error> {
        // What this device has recorded is of a module that was loaded here.
        graph.module.loaded::<Loaded>(self.id)?;
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

    fn stream(&mut self) -> Result<Stream, Error> {
        self.bind()?;
        let queue = Queue::new(&self.context).map_err(failed("creating a stream"))?;
        Ok(Stream::new(self.id, queue))
    }

    fn event(&mut self) -> Result<Event, Error> {
        self.bind()?;
        // Without this flag an event cannot time.
        let flags = Some(sys::CUevent_flags::CU_EVENT_DEFAULT);
        let event = self.context.new_event(flags).map_err(failed("creating an event"))?;
        Ok(Event::new(self.id, event))
    }

    fn launch_on(
        &mut self,
        stream: &Stream,
        module: &Module,
        kernel: &str,
        shape: Shape,
        arguments: &[Argument],
    ) -> Result<(), Error> {
        let queue: &Queue = stream.get(self.id)?;
        self.start(module, (kernel, shape), arguments, (result::launch_kernel, queue.stream))
    }

    fn copy_on(&mut self, stream: &Stream, from: &Buffer, to: &Buffer) -> Result<(), Error> {
        let queue: &Queue = stream.get(self.id)?;
        from.check(self.id)?;
        to.check_whole(self.id, from.bytes())?;
        self.bind()?;
        // SAFETY: both are this device's and have as many bytes; addresses of device and host memory are of one space.
        // Freeing either waits for the copy.
        unsafe {
            sys::cuMemcpyAsync(to.address(), from.address(), from.bytes(), queue.stream).result()
        }
        .map_err(failed(format!("copying `{}` to `{}`", from.name(), to.name())))
    }

    fn record_event(&mut self, stream: &Stream, event: &Event) -> Result<(), Error> {
        let (queue, event): (&Queue, &CudaEvent) = (stream.get(self.id)?, event.get(self.id)?);
        self.bind()?;
        // SAFETY: both live, and are of the same context.
        unsafe { result::event::record(event.cu_event(), queue.stream) }
            .map_err(failed("recording an event"))
    }

    fn wait_event(&mut self, stream: &Stream, event: &Event) -> Result<(), Error> {
        let (queue, event): (&Queue, &CudaEvent) = (stream.get(self.id)?, event.get(self.id)?);
        self.bind()?;
        let flags = sys::CUevent_wait_flags::CU_EVENT_WAIT_DEFAULT;
        // SAFETY: both live, and are of the same context.
        unsafe { result::stream::wait_event(queue.stream, event.cu_event(), flags) }
            .map_err(failed("waiting for an event"))
    }

    fn synchronize_event(&mut self, event: &Event) -> Result<(), Error> {
        let event: &CudaEvent = event.get(self.id)?;
        event.synchronize().map_err(failed("waiting for an event"))
    }

    fn elapsed(&mut self, from: &Event, to: &Event) -> Result<f64, Error> {
        let (from, to): (&CudaEvent, &CudaEvent) = (from.get(self.id)?, to.get(self.id)?);
        let milliseconds = from.elapsed_ms(to).map_err(failed("timing by events"))?;
        Ok(f64::from(milliseconds) / 1e3)
    }

    fn join(&mut self, member: &Member) -> Result<Box<dyn Group>, Error> {
        Ok(match member.size {
            1 => Box::new(Alone),
            _ => Box::new(NcclGroup::join(&self.context, &self.stream, member)?),
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
        if buffer.place() == Place::Host {
            self.synchronize()?;
        }
        let (start, bytes) = buffer.whole();
        for side in Side::BOTH {
            let zone = side.address(start, bytes);
            let mut found = [0; ZONE];
            self.read(buffer, zone, &mut found)
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
