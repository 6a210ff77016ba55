//! The device's interface.

use std::sync::Arc;

use cudarc::driver::{CudaEvent, result, sys};
use simt::texture;

use super::driver::{self, check_functions, failed};
use super::exchange::NcclGroup;
use super::graph::Recorded;
use super::launch::Call;
use super::loaded::Loaded;
use super::memory::{Allocation, Shared};
use super::monitor::Monitor;
use super::open::{CudaDevice, FUNCTIONS};
use super::stream::Queue;
use crate::api::argument::Argument;
use crate::api::buffer::{Buffer, Place};
use crate::api::device::{Device, Group};
use crate::api::graph::{Graph, Node};
use crate::api::guard::{self, ZONE};
use crate::api::library::{Library, Routine};
use crate::api::member::Member;
use crate::api::module::Module;
use crate::api::shape::Shape;
use crate::api::state::{Conditions, Info, TimeSource, Timing};
use crate::api::stream::{Event, Start, Stream};
use crate::api::tensor::{Boxes, TensorMap};
use crate::api::texture::{Array, Object, TextureOf};
use crate::error::Error;
use crate::group::Alone;
use toolchain::Source;

impl Device for CudaDevice {
    fn info(&self) -> &Info {
        &self.info
    }

    fn load(&mut self, source: &Source) -> Result<Module, Error> {
        let (code, seconds) = self.ahead.take(source, self.route, self.reader);
        let code = code?;
        let says = code.says.clone();
        let loaded = Loaded::new(&self.context, Arc::new(code))?;
        Ok(Module::new(&source.name, says, self.id, loaded).made_in(seconds))
    }

    fn compile_ahead(&mut self, sources: Vec<Source>) {
        self.ahead.begin(sources, self.route, self.reader);
    }

    fn load_library(&mut self, library: Library) -> Result<Module, Error> {
        self.open_library(library)
    }

    fn call(
        &mut self,
        module: &Module,
        routine: &Routine,
        arrays: &[&Buffer],
    ) -> Result<(), Error> {
        self.call_library(module, routine, arrays)
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
        let pinned =
            Shared::pinned(&self.locked, bytes.saturating_add(2 * ZONE)).map_err(|error| {
                match error.0 {
                    sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY => {
                        Error::HostMemory { name: name.to_string(), bytes: bytes as u64 }
                    }
                    _ => failed(format!("allocating `{name}`"))(error),
                }
            })?;
        let place = (pinned.start + ZONE as u64, bytes);
        self.guard(Buffer::new(name, place, Place::Host, self.id, pinned))
    }

    fn alloc_managed(&mut self, name: &str, bytes: usize) -> Result<Buffer, Error> {
        check_functions(FUNCTIONS)?;
        self.bind()?;
        let managed = Shared::managed(&self.context, bytes.saturating_add(2 * ZONE))
            .map_err(|error| self.not_allocated(name, bytes, error))?;
        let place = (managed.start + ZONE as u64, bytes);
        self.guard(Buffer::new(name, place, Place::Managed, self.id, managed))
    }

    fn prefetch(&mut self, buffer: &Buffer, to: Place) -> Result<(), Error> {
        buffer.check(self.id)?;
        self.move_pages(buffer, to)
    }

    fn second_context(&mut self, module: &Module) -> Result<(Box<dyn Device>, Module), Error> {
        let (device, module) = self.beside(module)?;
        Ok((Box::new(device), module))
    }

    fn alloc_array(&mut self, name: &str, shape: texture::Shape) -> Result<Array, Error> {
        self.new_array(name, shape)
    }

    fn write_array(&mut self, to: &Array, bytes: &[u8]) -> Result<(), Error> {
        self.write_texels(to, bytes)
    }

    fn read_array(&mut self, from: &Array, into: &mut [u8]) -> Result<(), Error> {
        self.read_texels(from, into)
    }

    fn texture(&mut self, of: TextureOf, sampler: texture::Sampler) -> Result<Object, Error> {
        self.new_texture(of, sampler)
    }

    fn surface(&mut self, array: &Array) -> Result<Object, Error> {
        self.new_surface(array)
    }

    fn tensor_map(&mut self, buffer: &Buffer, boxes: &Boxes) -> Result<TensorMap, Error> {
        self.new_tensor_map(buffer, boxes)
    }

    fn upload(&mut self, to: &Buffer, bytes: &[u8]) -> Result<(), Error> {
        to.check_copy(self.id, bytes.len())?;
        self.await_pages(to)?;
        self.write(to, to.address(), bytes).map_err(failed(format!("uploading `{}`", to.name())))
    }

    fn download(&mut self, from: &Buffer, into: &mut [u8]) -> Result<(), Error> {
        from.check_copy(self.id, into.len())?;
        self.await_pages(from)?;
        self.read(from, from.address(), into)
            .map_err(failed(format!("downloading `{}`", from.name())))
    }

    fn fill(&mut self, buffer: &Buffer, byte: u8) -> Result<(), Error> {
        buffer.check(self.id)?;
        self.await_pages(buffer)?;
        let filling = failed(format!("filling `{}`", buffer.name()));
        match buffer.owner::<Shared>() {
            Some(shared) => {
                shared.fill(buffer.address(), byte, buffer.bytes());
                Ok(())
            }
            // SAFETY: the buffer is this device's and has this many bytes.
            None => unsafe { result::memset_d8_sync(buffer.address(), byte, buffer.bytes()) },
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

    fn start(
        &mut self,
        how: Start,
        module: &Module,
        kernel: &str,
        shape: Shape,
        arguments: &[Argument],
    ) -> Result<(), Error> {
        let call: (Call, sys::CUstream) = match how {
            Start::Default => (result::launch_kernel, self.stream.cu_stream()),
            Start::Together => (result::launch_cooperative_kernel, self.stream.cu_stream()),
            Start::On(stream) => (result::launch_kernel, stream.get::<Queue>(self.id)?.stream),
        };
        self.enqueue(module, (kernel, shape), arguments, call)
    }

    fn record<'a>(&mut self, module: &'a Module, nodes: Vec<Node<'a>>) -> Result<Graph<'a>, Error> {
        module.loaded::<Loaded>(self.id)?;
        self.bind()?;
        let recorded = Recorded::new(&self.context, &self.stream, |stream| {
            nodes.iter().try_for_each(|node| {
                let call = (result::launch_kernel as Call, stream.cu_stream());
                self.enqueue(module, (node.kernel, node.shape), &node.arguments, call)
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

    fn resident_blocks(
        &mut self,
        module: &Module,
        kernel: &str,
        shape: Shape,
    ) -> Result<Option<u32>, Error> {
        self.driver_residency(module, (kernel, shape)).map(Some)
    }

    fn join(&mut self, member: &Member) -> Result<Box<dyn Group>, Error> {
        Ok(match member.size {
            1 => Box::new(Alone),
            _ if member.through_files => crate::group::through_files(member),
            _ => Box::new(NcclGroup::join(&self.context, &self.stream, member)?),
        })
    }

    fn conditions(&mut self) -> Option<Conditions> {
        self.monitor.as_mut().map(Monitor::conditions)
    }

    fn uuid(&self) -> Option<String> {
        let bytes = self.context.uuid().ok()?.bytes;
        let digits: String = bytes.iter().map(|&byte| format!("{:02x}", byte as u8)).collect();
        let parts = [0..8, 8..12, 12..16, 16..20, 20..32].map(|part| &digits[part]);
        Some(format!("GPU-{}", parts.join("-")))
    }

    fn gpu(&self) -> Option<simt::model::Gpu> {
        let attributes = driver::attributes(self.number).ok()?;
        simt::model::Gpu::of_device(&attributes).ok()
    }

    fn check_guards(&mut self, buffer: &Buffer) -> Result<(), Error> {
        buffer.check(self.id)?;
        self.bind()?;
        if buffer.place() != Place::Device {
            self.synchronize()?;
        }
        let looking = failed(format!("looking around `{}`", buffer.name()));
        guard::check(buffer, |zone, found| self.read(buffer, zone, found).map_err(&looking))
    }

    fn synchronize(&mut self) -> Result<(), Error> {
        self.context.synchronize().map_err(failed("waiting for the kernels"))
    }
}
