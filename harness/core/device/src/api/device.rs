//! What a device can do.

use simt::texture;

use super::argument::Argument;
use super::buffer::{Buffer, Place};
use super::graph::{Graph, Node};
use super::host::HostCode;
use super::library::{Library, Routine};
use super::member::Member;
use super::missing::{no_library, no_streams, no_tensor_maps, no_textures};
use super::module::Module;
use super::shape::Shape;
use super::simulation::Simulation;
use super::state::{Conditions, Info, Timing};
use super::stream::{Event, Start, Stream};
use super::tensor::{Boxes, TensorMap};
use super::texture::{Array, Object, TextureOf};
use crate::error::Error;
use toolchain::Source;

/// A GPU, the simulator or the CPU.
///
/// Calls without a stream go to the default stream: in their order, and in the order of CUDA's legacy default stream with
/// what other streams do. Their copies have ended when the call returns; launches may still run.
#[expect(unused_variables, reason = "a device that cannot do it looks at nothing")]
pub trait Device: Send {
    /// What this device is.
    fn info(&self) -> &Info;

    /// Makes a step's code runnable: compiled here, or committed with its source.
    fn load(&mut self, source: &Source) -> Result<Module, Error>;

    /// Begins to compile what is soon to be loaded, on threads of its own, where that takes time.
    fn compile_ahead(&mut self, sources: Vec<Source>) {}

    /// Makes functions of this program runnable. Only the CPU can: elsewhere the error is [`Error::Skipped`].
    fn load_host(&mut self, code: HostCode) -> Result<Module, Error> {
        Err(Error::Skipped {
            reason: format!("{} is code for the CPU, and this is {}", code.name, self.info().name),
            remedy: "run it there: cargo run -p harness -- run cpu".to_string(),
        })
    }

    /// Loads a library of NVIDIA's. Only a GPU can: elsewhere the error is [`Error::Skipped`].
    fn load_library(&mut self, library: Library) -> Result<Module, Error> {
        Err(no_library(library))
    }

    /// Starts a function of a library that was loaded, on the default stream, with these arrays.
    ///
    /// # Errors
    /// [`Error::Size`] of an array that is too small; [`Error::Arguments`] of a function that the library has not; the
    /// library's own.
    fn call(
        &mut self,
        module: &Module,
        routine: &Routine,
        arrays: &[&Buffer],
    ) -> Result<(), Error> {
        Err(Error::Foreign(module.name.clone()))
    }

    /// How many threads of the host the code may use that is loaded from functions.
    fn threads(&self) -> usize {
        1
    }

    /// Allocates `bytes` of uninitialised memory; `name` stands for it in messages.
    fn alloc(&mut self, name: &str, bytes: usize) -> Result<Buffer, Error>;

    /// Allocates page-locked host memory, which the device can copy asynchronously and which kernels can use in place.
    /// For it [`Device::upload`], [`Device::download`] and [`Device::fill`] are the host's own accesses, which wait for
    /// nothing.
    fn alloc_host(&mut self, name: &str, bytes: usize) -> Result<Buffer, Error> {
        Err(no_streams(self.info()))
    }

    /// Allocates managed memory, which the host and the device both use: its pages move to whoever touches them. For it
    /// [`Device::upload`], [`Device::download`] and [`Device::fill`] are the host's own accesses, after all work launched
    /// so far.
    fn alloc_managed(&mut self, name: &str, bytes: usize) -> Result<Buffer, Error> {
        Err(no_streams(self.info()))
    }

    /// Moves the pages of managed memory before they are touched, as work of the default stream: to the device's memory
    /// or the host's.
    fn prefetch(&mut self, buffer: &Buffer, to: Place) -> Result<(), Error> {
        Err(no_streams(self.info()))
    }

    /// Opens another context on the same GPU, with the code of a module loaded in it: a device of its own, which shares
    /// neither memory nor streams with this one. A GPU works for one context at a time.
    fn second_context(&mut self, module: &Module) -> Result<(Box<dyn Device>, Module), Error> {
        Err(no_streams(self.info()))
    }

    /// Allocates an array of texels, uninitialised; `name` stands for it in messages.
    fn alloc_array(&mut self, name: &str, shape: texture::Shape) -> Result<Array, Error> {
        Err(no_textures(self.info()))
    }

    /// Copies all texels of an array from the host, rows one after the other.
    fn write_array(&mut self, to: &Array, bytes: &[u8]) -> Result<(), Error> {
        Err(no_textures(self.info()))
    }

    /// Copies all texels of an array to the host, after all work launched so far.
    fn read_array(&mut self, from: &Array, into: &mut [u8]) -> Result<(), Error> {
        Err(no_textures(self.info()))
    }

    /// Makes a texture object: an argument of kernels that read it.
    fn texture(&mut self, of: TextureOf, sampler: texture::Sampler) -> Result<Object, Error> {
        Err(no_textures(self.info()))
    }

    /// Makes a surface object: an argument of kernels that read and write the array's elements.
    fn surface(&mut self, array: &Array) -> Result<Object, Error> {
        Err(no_textures(self.info()))
    }

    /// Makes a tensor map of a buffer: an argument of kernels that copy boxes of it.
    ///
    /// # Errors
    /// The buffer is too small; CUDA has no such map.
    fn tensor_map(&mut self, buffer: &Buffer, boxes: &Boxes) -> Result<TensorMap, Error> {
        Err(no_tensor_maps(self.info()))
    }

    /// Copies `bytes` from pageable host memory to the beginning of a buffer.
    fn upload(&mut self, to: &Buffer, bytes: &[u8]) -> Result<(), Error>;

    /// Copies the beginning of a buffer, after all work launched so far; page-locked memory at once, whatever runs.
    ///
    /// # Errors
    /// On the simulator, where launches are checked for hazards: the host reads page-locked memory that a kernel has
    /// written, and neither waits for the kernel nor has read a flag that announces it.
    fn download(&mut self, from: &Buffer, into: &mut [u8]) -> Result<(), Error>;

    /// Sets every byte of a buffer.
    fn fill(&mut self, buffer: &Buffer, byte: u8) -> Result<(), Error>;

    /// Sets a `__constant__` (or `__device__`) variable, whose size must be that of `bytes`.
    fn set_constant(&mut self, module: &Module, symbol: &str, bytes: &[u8]) -> Result<(), Error>;

    /// Reads a `__device__` variable, whose size must be that of `into`, after all work launched so far.
    fn read_symbol(&mut self, module: &Module, symbol: &str, into: &mut [u8]) -> Result<(), Error> {
        Err(Error::NoSymbol { module: module.name.clone(), symbol: symbol.to_string() })
    }

    /// Starts a kernel. On CUDA this returns at once, and what goes wrong in the kernel shows in a later call.
    ///
    /// # Errors
    /// [`Error::NotTogether`] where blocks that are to run together do not.
    fn start(
        &mut self,
        how: Start,
        module: &Module,
        kernel: &str,
        shape: Shape,
        arguments: &[Argument],
    ) -> Result<(), Error>;

    /// Starts a kernel on the default stream.
    fn launch(
        &mut self,
        module: &Module,
        kernel: &str,
        shape: Shape,
        arguments: &[Argument],
    ) -> Result<(), Error> {
        self.start(Start::Default, module, kernel, shape, arguments)
    }

    /// Starts a kernel whose blocks all run at once, so that they may wait for each other.
    fn launch_cooperative(
        &mut self,
        module: &Module,
        kernel: &str,
        shape: Shape,
        arguments: &[Argument],
    ) -> Result<(), Error> {
        self.start(Start::Together, module, kernel, shape, arguments)
    }

    /// Starts a kernel on a stream.
    fn launch_on(
        &mut self,
        stream: &Stream,
        module: &Module,
        kernel: &str,
        shape: Shape,
        arguments: &[Argument],
    ) -> Result<(), Error> {
        self.start(Start::On(stream), module, kernel, shape, arguments)
    }

    /// Records launches of a module's kernels, to be started together by [`Device::replay`]; none runs yet. CUDA keeps
    /// them as a graph. Elsewhere a launch costs nothing that a graph would save: they are launched one by one.
    ///
    /// # Errors
    /// As [`Device::launch`], here or when they are replayed; [`Error::Skipped`] where the driver is too old.
    fn record<'a>(&mut self, module: &'a Module, nodes: Vec<Node<'a>>) -> Result<Graph<'a>, Error> {
        Ok(Graph::new(module, nodes, None))
    }

    /// Starts what was recorded, each launch when the one before it has ended. It may be started as often as one likes.
    ///
    /// # Errors
    /// As [`Device::launch`].
    fn replay(&mut self, graph: &Graph) -> Result<(), Error> {
        let mut nodes = graph.nodes.iter();
        nodes.try_for_each(|node| {
            self.launch(graph.module, node.kernel, node.shape, &node.arguments)
        })
    }

    /// How long `work` took from its first call until the last of what it started has ended, on any stream.
    ///
    /// A GPU is timed by events on the default stream before and after the work. The simulator models the time: streams
    /// do their work in order, one engine copies in each direction over the bus, and launches of several streams overlap
    /// while their blocks fit together on the GPU. The host's own time is not modelled. Not to be nested.
    fn time(
        &mut self,
        work: &mut dyn FnMut(&mut dyn Device) -> Result<(), Error>,
    ) -> Result<Timing, Error>;

    /// Joins a group of devices, and waits until the devices that it exchanges data with have joined.
    ///
    /// # Errors
    /// [`Error::Skipped`]: what is needed to exchange data is not on this machine. Or the others do not join.
    fn join(&mut self, member: &Member) -> Result<Box<dyn Group>, Error> {
        Err(Error::Skipped {
            reason: format!(
                "{} cannot exchange data with {} other devices",
                self.info().name,
                member.size - 1
            ),
            remedy: "leave --gpus out".to_string(),
        })
    }

    /// Creates a stream.
    fn stream(&mut self) -> Result<Stream, Error> {
        Err(no_streams(self.info()))
    }

    /// Creates an event. On the simulator launches are modelled from the first event on.
    fn event(&mut self) -> Result<Event, Error> {
        Err(no_streams(self.info()))
    }

    /// Copies a buffer to another of the same size on a stream. The call returns at once: neither buffer may be touched
    /// until an event or [`Device::synchronize`] shows that the copy has ended.
    fn copy_on(&mut self, stream: &Stream, from: &Buffer, to: &Buffer) -> Result<(), Error> {
        Err(no_streams(self.info()))
    }

    /// Lets an event mark the end of a stream's work so far.
    fn record_event(&mut self, stream: &Stream, event: &Event) -> Result<(), Error> {
        Err(no_streams(self.info()))
    }

    /// Lets a stream's later work wait until what the event marks has ended; an event that marks nothing is not waited for.
    fn wait_event(&mut self, stream: &Stream, event: &Event) -> Result<(), Error> {
        Err(no_streams(self.info()))
    }

    /// Waits until what the event marks has ended.
    fn synchronize_event(&mut self, event: &Event) -> Result<(), Error> {
        Err(no_streams(self.info()))
    }

    /// Waits for two events and returns the seconds from one to the other.
    fn elapsed(&mut self, from: &Event, to: &Event) -> Result<f64, Error> {
        Err(no_streams(self.info()))
    }

    /// Leaves copies from now on out of the modelled time, or counts them again: what stands for a link that the model
    /// does not know is no copy of the program's.
    fn time_copies(&mut self, timed: bool) {}

    /// How many blocks of a launch a multiprocessor holds at once, as the driver says; none where there is no driver.
    ///
    /// # Errors
    /// The module has no such kernel; the driver's.
    fn resident_blocks(
        &mut self,
        module: &Module,
        kernel: &str,
        shape: Shape,
    ) -> Result<Option<u32>, Error> {
        Ok(None)
    }

    /// Says how launches from now on are simulated. A GPU runs them in its own way: there this does nothing.
    fn simulate(&mut self, how: Simulation) {}

    /// What of a module's code ran in launches that noted it; none where no launch can.
    fn coverage(&self, module: &Module) -> Option<simt::Coverage> {
        None
    }

    /// Declares some bytes of a buffer unwritten, so that their use is a hazard. What they hold stays.
    ///
    /// # Errors
    /// They are not inside the buffer.
    fn forget(&mut self, buffer: &Buffer, offset: usize, bytes: usize) -> Result<(), Error> {
        Ok(())
    }

    /// Chooses how lanes of a warp go on that have parted. A GPU has its own way: there this does nothing.
    fn schedule(&mut self, scheduling: simt::Scheduling) {}

    /// Clocks, temperature and power as they are now; none where nothing reports them. Work that was launched goes on.
    fn conditions(&mut self) -> Option<Conditions> {
        None
    }

    /// What tells a GPU from all others, as nvidia-smi writes it; none of what is no GPU.
    fn uuid(&self) -> Option<String> {
        None
    }

    /// The GPU that the launches run on, or whose time is modelled, as the time model describes it; none where the
    /// model knows nothing of it.
    fn gpu(&self) -> Option<simt::model::Gpu>;

    /// Waits for all work launched so far and looks whether anything was written around a buffer.
    ///
    /// # Errors
    /// [`Error::Guard`]: which buffer, on which side, how far from it.
    fn check_guards(&mut self, buffer: &Buffer) -> Result<(), Error>;

    /// Waits for all work launched so far and reports what went wrong in it.
    fn synchronize(&mut self) -> Result<(), Error>;
}

impl dyn Device + '_ {
    /// All of a buffer as numbers, after all work launched so far.
    ///
    /// # Errors
    /// As [`Device::download`].
    pub fn read<T: bytemuck::Pod>(&mut self, from: &Buffer) -> Result<Vec<T>, Error> {
        let mut numbers = vec![T::zeroed(); from.bytes() / size_of::<T>()];
        self.download(from, bytemuck::cast_slice_mut(&mut numbers))?;
        Ok(numbers)
    }
}

/// The connection of a device to the others of its group. All make the same calls in the same order.
///
/// A call begins when the launches before it have ended. Launches after it may overlap it: until [`Group::wait`] they must
/// not touch what it changes.
pub trait Group: Send {
    /// This device's number, from 0.
    fn rank(&self) -> usize;

    /// How many devices there are.
    fn size(&self) -> usize;

    /// Through what they talk, e.g. "NCCL 2.21.5".
    fn says(&self) -> String;

    /// Gathers a buffer of `f32` of as many equal parts as there are devices: each gives the part of its rank to all others.
    fn all_gather(&mut self, device: &mut dyn Device, buffer: &Buffer) -> Result<(), Error>;

    /// Sums a buffer of `f32` over the devices: each gets the part of its rank, and the other parts stay as they are.
    fn reduce_scatter(&mut self, device: &mut dyn Device, buffer: &Buffer) -> Result<(), Error>;

    /// Lets launches from now on wait until the call for this buffer has ended; nothing where there was none.
    fn wait(&mut self, device: &mut dyn Device, buffer: &Buffer) -> Result<(), Error>;
}
