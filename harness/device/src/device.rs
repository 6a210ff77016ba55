//! The API: what a device can do, and the values that go in and out of it.

use std::any::Any;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

pub use report::{Info, TimeSource};
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::graph::{Graph, Node};
use crate::group::{Alone, FolderGroup, Group, Seat};
use crate::host::HostCode;
use crate::module::Module;
use crate::source::Source;

/// A GPU, the simulator or the CPU. Copies wait for the launches before them; launches may run on after the call.
pub trait Device: Send {
    /// What this device is.
    fn info(&self) -> &Info;

    /// Makes a step's code runnable: compiled here, or committed beside its source.
    fn load(&mut self, source: &Source) -> Result<Module, Error>;

    /// Makes functions of this program runnable. Only the CPU can: elsewhere the error is [`Error::Skipped`].
    fn load_host(&mut self, code: HostCode) -> Result<Module, Error> {
        Err(Error::Skipped {
            reason: format!("{} is code for the CPU, and this is {}", code.name, self.info().name),
            remedy: "run it there: cargo run -p harness -- run cpu".to_string(),
        })
    }

    /// How many threads of the host the code may use that is loaded from functions.
    fn threads(&self) -> usize {
        1
    }

    /// Allocates `bytes` of uninitialised memory; `name` stands for it in messages.
    fn alloc(&mut self, name: &str, bytes: usize) -> Result<Buffer, Error>;

    /// Copies `bytes` to the beginning of a buffer.
    fn upload(&mut self, to: &Buffer, bytes: &[u8]) -> Result<(), Error>;

    /// Copies the beginning of a buffer, after all work launched so far.
    fn download(&mut self, from: &Buffer, into: &mut [u8]) -> Result<(), Error>;

    /// Sets every byte of a buffer.
    fn fill(&mut self, buffer: &Buffer, byte: u8) -> Result<(), Error>;

    /// Sets a `__constant__` (or `__device__`) variable, whose size must be that of `bytes`.
    fn set_constant(&mut self, module: &Module, symbol: &str, bytes: &[u8]) -> Result<(), Error>;

    /// Starts a kernel. On CUDA this returns at once, and what goes wrong in the kernel shows in a later call.
    fn launch(
        &mut self,
        module: &Module,
        kernel: &str,
        shape: Shape,
        arguments: &[Argument],
    ) -> Result<(), Error>;

    /// Starts a kernel whose blocks all run at once, so that they may wait for each other.
    ///
    /// # Errors
    /// As [`Device::launch`]; [`Error::BadShape`] where so many blocks do not run at once.
    fn launch_cooperative(
        &mut self,
        module: &Module,
        kernel: &str,
        shape: Shape,
        arguments: &[Argument],
    ) -> Result<(), Error> {
        let _ = (module, shape, arguments);
        Err(Error::BadShape {
            kernel: kernel.to_string(),
            message: format!("{} has no blocks that wait for each other", self.info().name),
        })
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

    /// How long the launches made by `work` took, waiting for them: by the GPU's own clock, or by the time model summed
    /// over the launches. Not to be nested.
    fn time(
        &mut self,
        work: &mut dyn FnMut(&mut dyn Device) -> Result<(), Error>,
    ) -> Result<Timing, Error>;

    /// Takes a seat among several devices, and waits until those that exchange data with this one have theirs.
    ///
    /// # Errors
    /// [`Error::Skipped`]: what is needed to exchange data is not on this machine. Or the others do not come.
    fn join(&mut self, seat: &Seat) -> Result<Box<dyn Group>, Error> {
        Ok(match seat.size {
            1 => Box::new(Alone),
            _ => Box::new(FolderGroup::new(seat.clone())),
        })
    }

    /// Lets the warps of blocks launched from now on take turns in an order drawn from `seed`; 0: in the usual one.
    /// What order a GPU takes is its own affair: there this does nothing.
    fn shuffle_warps(&mut self, seed: u64) {
        let _ = seed;
    }

    /// Lets launches from now on be searched for hazards (races, reads of unwritten memory, barriers in divergent code),
    /// or no longer: a launch in which there are any is then an error. Only the simulator can.
    fn check_hazards(&mut self, check: bool) {
        let _ = check;
    }

    /// Declares some bytes of a buffer unwritten, so that their use is a hazard. What they hold stays.
    ///
    /// # Errors
    /// They are not inside the buffer.
    fn forget(&mut self, buffer: &Buffer, offset: usize, bytes: usize) -> Result<(), Error> {
        let _ = (buffer, offset, bytes);
        Ok(())
    }

    /// Chooses how lanes of a warp go on that have parted. A GPU has its own way: there this does nothing.
    fn schedule(&mut self, scheduling: simt::Scheduling) {
        let _ = scheduling;
    }

    /// Clocks, temperature and power as they are now; none where nothing tells of them. Work that was launched goes on.
    fn conditions(&mut self) -> Option<Conditions> {
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

/// A one-dimensional grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shape {
    /// Blocks in the grid.
    pub blocks: u32,
    /// Threads in a block.
    pub threads: u32,
    /// Dynamic shared memory of a block in bytes.
    pub shared_bytes: u32,
}

/// One kernel argument.
#[derive(Debug, Clone, Copy)]
pub enum Argument<'a> {
    /// An `int`.
    I32(i32),
    /// A `float`.
    F32(f32),
    /// A pointer to the beginning of a buffer.
    Buffer(&'a Buffer),
}

impl Argument<'_> {
    /// The argument's bits in the low end, and how many bytes of them the kernel takes.
    pub(crate) fn bits(&self) -> (u64, usize) {
        match self {
            Argument::I32(value) => (u64::from(value.cast_unsigned()), 4),
            Argument::F32(value) => (u64::from(value.to_bits()), 4),
            Argument::Buffer(buffer) => (buffer.address, 8),
        }
    }
}

/// Which opened device something belongs to; unique within the process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DeviceId(u64);

impl DeviceId {
    pub(crate) fn next() -> DeviceId {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        DeviceId(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// Memory of a device; freed when dropped.
pub struct Buffer {
    name: String,
    address: u64,
    bytes: usize,
    device: DeviceId,
    /// Frees the memory when it is dropped, and keeps alive what the memory lives in.
    owner: Box<dyn Any + Send + Sync>,
}

impl Buffer {
    pub(crate) fn new(
        name: &str,
        address: u64,
        bytes: usize,
        device: DeviceId,
        owner: Box<dyn Any + Send + Sync>,
    ) -> Buffer {
        Buffer { name: name.to_string(), address, bytes, device, owner }
    }

    /// Where it begins in the device's memory, e.g. to be stored in a constant.
    pub fn address(&self) -> u64 {
        self.address
    }

    /// Its size in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// What messages call it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What frees the memory, where it is of this type.
    pub(crate) fn owner<T: 'static>(&self) -> Option<&T> {
        self.owner.downcast_ref()
    }

    pub(crate) fn check(&self, device: DeviceId) -> Result<(), Error> {
        if self.device == device { Ok(()) } else { Err(Error::Foreign(self.name.clone())) }
    }

    /// Checks that a copy of `given` bytes stays inside.
    pub(crate) fn check_copy(&self, device: DeviceId, given: usize) -> Result<(), Error> {
        self.check(device)?;
        if given <= self.bytes {
            Ok(())
        } else {
            Err(Error::Size {
                name: self.name.clone(),
                has: self.bytes as u64,
                given: given as u64,
            })
        }
    }
}

impl fmt::Debug for Buffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Buffer({} at {:#x}, {} bytes)", self.name, self.address, self.bytes)
    }
}

/// What may change how fast a GPU is.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Conditions {
    /// Clock of the multiprocessors, MHz.
    pub clock_mhz: Option<u32>,
    /// Clock of the memory, MHz.
    pub memory_clock_mhz: Option<u32>,
    /// Temperature of the GPU, °C.
    pub temperature_c: Option<u32>,
    /// Power drawn by the board, W.
    pub power_w: Option<f64>,
    /// Why its clocks are lower than they could be: "power cap", "temperature" …; empty where they are not. That the GPU
    /// has nothing to do is no reason.
    pub throttled: Vec<String>,
    /// Other processes that compute on it.
    pub others: u32,
}

/// A duration and what it was taken from.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Timing {
    /// Seconds.
    pub seconds: f64,
    /// What they were taken from.
    pub source: TimeSource,
}
