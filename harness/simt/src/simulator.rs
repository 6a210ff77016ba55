//! A simulated device: memory, loaded modules, launches.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock, RwLockWriteGuard};

use crate::events::Events;
use crate::fault::Fault;
use crate::hardware::Machine;
use crate::heap::{Heap, HeapBlock};
use crate::kernel::Kernel;
use crate::launch::{Launch, LaunchError};
use crate::level::Level;
use crate::memory::MemoryError;
use crate::memory::{Memory, Storage};
use crate::module::Module;
use crate::printed::Printed;
use crate::ptx::ast::{Initial, Operand, Variable};
use crate::schedule::Grid;
use crate::scheduling::Scheduling;
use crate::space::Space;
use crate::texture::Objects;
use crate::watch::{CoverageOfLaunch, OfLaunch, SparePages, Watch};

/// A module whose variables have their place in a simulator's memory.
#[derive(Debug, Clone)]
pub struct Loaded {
    module: Arc<Module>,
    symbols: BTreeMap<String, (u64, u64)>,
    /// By the variables' indices in the module.
    addresses: Vec<u64>,
}

impl Loaded {
    /// Address and size of a `.const` or `.global` variable.
    pub fn symbol(&self, name: &str) -> Option<(u64, u64)> {
        self.symbols.get(name).copied()
    }

    /// The module.
    pub fn module(&self) -> &Arc<Module> {
        &self.module
    }
}

mod textures;

/// A simulated device. Launches share its memory; they may run at the same time.
pub struct Simulator {
    memory: RwLock<Memory>,
    objects: RwLock<Objects>,
    level: Level,
    threads: Option<usize>,
    seed: AtomicU64,
    is_lockstep: AtomicBool,
    stack_bytes: AtomicU64,
    heap_bytes: AtomicU64,
    heap: OnceLock<Option<Heap>>,
    printed: Mutex<Printed>,
    /// For launches that are watched for hazards.
    spare_pages: SparePages,
}

/// Bytes of each thread's stack, as `cudaLimitStackSize` begins.
const STACK: u64 = 1 << 10;
/// Most bytes of a stack: as much as local memory of a thread.
const MOST_STACK: u64 = 512 << 10;
/// Bytes of the heap, as `cudaLimitMallocHeapSize` begins.
const HEAP: u64 = 8 << 20;

impl Simulator {
    /// A device with this many bytes of memory and the CPU's fastest vector instructions.
    pub fn new(memory_limit: u64) -> Simulator {
        Simulator {
            memory: RwLock::new(Memory::new(memory_limit)),
            objects: RwLock::default(),
            level: Level::detect(),
            threads: None,
            seed: AtomicU64::new(0),
            is_lockstep: AtomicBool::new(false),
            stack_bytes: AtomicU64::new(STACK),
            heap_bytes: AtomicU64::new(HEAP),
            heap: OnceLock::new(),
            printed: Mutex::default(),
            spare_pages: SparePages::default(),
        }
    }

    /// The same with a chosen build of the executor, or the fastest below it that the CPU has.
    pub fn with_level(mut self, level: Level) -> Simulator {
        self.level = level.min(Level::detect());
        self
    }

    /// The same with at most this many CPU threads (default: all of rayon's).
    pub fn with_threads(mut self, threads: usize) -> Simulator {
        self.threads = Some(threads.max(1));
        self
    }

    /// Lets blocks begin, and the warps of each take turns, in an order drawn from `seed`, or in ascending order again
    /// (0). Results that depend on it lack a barrier, or are sums that are rounded in that order.
    pub fn shuffle(&self, seed: u64) {
        self.seed.store(seed, Ordering::Relaxed);
    }

    /// The same with lanes that run as `scheduling` says.
    pub fn with_scheduling(self, scheduling: Scheduling) -> Simulator {
        self.set_scheduling(scheduling);
        self
    }

    /// Lets lanes run as `scheduling` says from the next launch on.
    pub fn set_scheduling(&self, scheduling: Scheduling) {
        self.is_lockstep.store(scheduling == Scheduling::Lockstep, Ordering::Relaxed);
    }

    /// Gives each thread a stack of this many bytes (1024 at first, at most 512 KiB) for calls of functions that call
    /// themselves or that pointers lead to.
    pub fn set_stack_bytes(&self, bytes: u64) {
        self.stack_bytes.store(bytes.min(MOST_STACK), Ordering::Relaxed);
    }

    /// Gives the heap from which kernels allocate this many bytes (8 MiB at first). As on a GPU that has no effect after
    /// the first launch of a kernel that allocates: then it is `false`.
    pub fn set_heap_bytes(&self, bytes: u64) -> bool {
        self.heap_bytes.store(bytes, Ordering::Relaxed);
        self.heap.get().is_none()
    }

    /// What kernels have allocated and nobody has freed, in the order of the addresses.
    pub fn heap_blocks(&self) -> Vec<HeapBlock> {
        self.heap.get().and_then(Option::as_ref).map(Heap::blocks).unwrap_or_default()
    }

    /// What kernels have printed since the last time, also those that were stopped by a fault.
    pub fn take_printed(&self) -> Printed {
        std::mem::take(&mut *self.printed.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn scheduling(&self) -> Scheduling {
        if self.is_lockstep.load(Ordering::Relaxed) {
            Scheduling::Lockstep
        } else {
            Scheduling::Independent
        }
    }

    pub(crate) fn memory(&self) -> RwLockWriteGuard<'_, Memory> {
        // Memory stays valid whatever a panicking thread was doing: it holds no broken invariants.
        self.memory.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives a module's `.const` and `.global` variables their memory and their initial values.
    ///
    /// # Errors
    /// Out of memory.
    pub fn load(&self, module: Arc<Module>) -> Result<Loaded, MemoryError> {
        let mut memory = self.memory();
        let mut addresses = Vec::new();
        let mut symbols = BTreeMap::new();
        for variable in &module.variables {
            if !matches!(variable.space, Space::Global | Space::Const) {
                addresses.push(0);
                continue;
            }
            let address = match variable.is_managed {
                true => memory.alloc_for_host(&variable.name, variable.bytes)?,
                false => memory.alloc(&variable.name, variable.bytes)?,
            };
            if variable.space == Space::Const {
                memory.protect(address);
            }
            addresses.push(address);
            symbols.insert(variable.name.clone(), (address, variable.bytes));
        }
        for (variable, &address) in module.variables.iter().zip(&addresses) {
            let bytes = initial_bytes(variable, &symbols, &module.functions);
            memory.range_mut(address, bytes.len() as u64)?.copy_from_slice(&bytes);
            // What has no initial value is 0.
            memory.note_written(address, variable.bytes, true);
        }
        drop(memory);
        Ok(Loaded { module, symbols, addresses })
    }

    /// Allocates memory, aligned to 256 bytes; `name` names it in faults. It is zeroed, but as on a GPU no program may
    /// count on that: until it is written, reads of it are hazards.
    ///
    /// # Errors
    /// Out of memory.
    pub fn alloc(&self, name: &str, bytes: u64) -> Result<u64, MemoryError> {
        self.memory().alloc(name, bytes)
    }

    /// Frees an allocation by its address; any other address is ignored.
    pub fn free(&self, address: u64) {
        self.memory().free(address);
    }

    /// Copies bytes to the device.
    ///
    /// # Errors
    /// The range is not inside one allocation.
    pub fn write(&self, address: u64, bytes: &[u8]) -> Result<(), MemoryError> {
        let mut memory = self.memory();
        memory.range_mut(address, bytes.len() as u64)?.copy_from_slice(bytes);
        memory.note_written(address, bytes.len() as u64, true);
        Ok(())
    }

    /// Copies bytes from the device.
    ///
    /// # Errors
    /// The range is not inside one allocation.
    pub fn read(&self, address: u64, into: &mut [u8]) -> Result<(), MemoryError> {
        into.copy_from_slice(self.memory().range_mut(address, into.len() as u64)?);
        Ok(())
    }

    /// Sets every byte of a range.
    ///
    /// # Errors
    /// The range is not inside one allocation.
    pub fn fill(&self, address: u64, bytes: u64, value: u8) -> Result<(), MemoryError> {
        let mut memory = self.memory();
        memory.range_mut(address, bytes)?.fill(value);
        memory.note_written(address, bytes, true);
        Ok(())
    }

    /// Sets every byte of a range to what nobody should see: in a launch that is watched for hazards a read of it
    /// counts as one of uninitialised memory.
    ///
    /// # Errors
    /// The range is not inside one allocation.
    pub fn poison(&self, address: u64, bytes: u64, value: u8) -> Result<(), MemoryError> {
        self.fill(address, bytes, value)?;
        self.forget(address, bytes)
    }

    /// Declares a range unwritten, as by [`Simulator::poison`], but lets it hold what it holds.
    ///
    /// # Errors
    /// The range is not inside one allocation.
    pub fn forget(&self, address: u64, bytes: u64) -> Result<(), MemoryError> {
        let mut memory = self.memory();
        memory.range_mut(address, bytes)?;
        memory.note_written(address, bytes, false);
        Ok(())
    }

    /// Runs a kernel to its end.
    ///
    /// # Errors
    /// A launch that no GPU would accept, or a [`Fault`] of the kernel.
    pub fn launch(
        &self,
        loaded: &Loaded,
        kernel: &str,
        launch: &Launch,
    ) -> Result<Events, LaunchError> {
        self.watch(loaded, kernel, launch, &Watch::default())
    }

    /// Runs a kernel to its end and watches it.
    ///
    /// # Errors
    /// A launch that no GPU would accept, or a [`Fault`] of the kernel.
    pub fn watch(
        &self,
        loaded: &Loaded,
        kernel: &str,
        launch: &Launch,
        watch: &Watch,
    ) -> Result<Events, LaunchError> {
        let module = &loaded.module;
        let kernel = module.find(kernel)?;
        let parameters = arguments(kernel, launch.arguments)?;
        shape(kernel, launch)?;
        let workspace = self.workspace(kernel, launch, watch)?;
        let events = self.run(loaded, kernel, launch, watch, (&parameters, workspace));
        if workspace != 0 {
            self.free(workspace);
        }
        Ok(events?)
    }

    /// Allocates what barriers of the grid need, if the kernel has some and the launch is cooperative: the size of the
    /// driver's structure and the count of the barrier, of 4 bytes each.
    fn workspace(
        &self,
        kernel: &Kernel,
        launch: &Launch,
        watch: &Watch,
    ) -> Result<u64, LaunchError> {
        const BYTES: u64 = 8;
        if !watch.together {
            return Ok(0);
        }
        fits(kernel, launch, watch)?;
        if !kernel.synchronises_grid() {
            return Ok(0);
        }
        let made = self
            .alloc("barrier of the grid", BYTES)
            .and_then(|address| self.write(address, &BYTES.to_le_bytes()).map(|()| address));
        made.map_err(|error| LaunchError::Shape {
            kernel: kernel.name().to_string(),
            message: error.to_string(),
        })
    }

    /// Runs a launch that was checked.
    fn run(
        &self,
        loaded: &Loaded,
        kernel: &Kernel,
        launch: &Launch,
        watch: &Watch,
        (parameters, workspace): (&Storage, u64),
    ) -> Result<Events, Box<Fault>> {
        let module = &loaded.module;
        if kernel.program.allocates() {
            let bytes = self.heap_bytes.load(Ordering::Relaxed);
            self.heap.get_or_init(|| Some(Heap::new(self.memory().alloc_heap(bytes)?, bytes)));
        }
        let objects = self.objects.read().unwrap_or_else(PoisonError::into_inner);
        let mut memory = self.memory.read().unwrap_or_else(PoisonError::into_inner);
        if watch.hazards || memory.has_unwritten() {
            drop(memory);
            match watch.hazards {
                true => self.memory().note_stores(),
                false => self.memory().forget_unwritten(),
            }
            memory = self.memory.read().unwrap_or_else(PoisonError::into_inner);
        }
        let hazards = watch.hazards.then(|| {
            let counts = [launch.grid, launch.block].map(|n| n.map(u64::from).iter().product());
            OfLaunch::new(kernel, &memory, counts, self.scheduling(), &self.spare_pages)
        });
        let between =
            kernel.communication().between(kernel, parameters, &memory, &loaded.addresses);
        let coverage = watch.coverage.then(|| CoverageOfLaunch::new(kernel));
        let grid = Grid {
            module,
            kernel,
            launch,
            memory: &memory,
            objects: &objects,
            addresses: &loaded.addresses,
            parameters,
            workspace,
            between: &between,
            seed: self.seed.load(Ordering::Relaxed),
            watch,
            scheduling: self.scheduling(),
            hazards: hazards.as_ref(),
            coverage: coverage.as_ref(),
            heap: self.heap.get().and_then(Option::as_ref),
            stack_bytes: self.stack_bytes.load(Ordering::Relaxed),
        };
        let (events, printed) = grid.run(self.level, self.threads);
        self.printed.lock().unwrap_or_else(PoisonError::into_inner).append(printed);
        events
    }
}

/// A variable's initial value; no longer than the variable (lowering checks that).
fn initial_bytes(
    variable: &Variable,
    symbols: &BTreeMap<String, (u64, u64)>,
    functions: &BTreeMap<String, u64>,
) -> Vec<u8> {
    let size = variable.element.bytes() as usize;
    let mut bytes = Vec::new();
    for initial in &variable.initial {
        let bits = match initial {
            Initial::Value(Operand::Integer(value) | Operand::Double(value)) => *value,
            Initial::Value(Operand::Single(value)) => u64::from(*value),
            Initial::Value(_) => 0,
            Initial::Address { name, plus } => {
                let address = symbols.get(name).map(|(address, _)| address);
                address.or(functions.get(name)).map_or(0, |it| it.wrapping_add_signed(*plus))
            }
        };
        bytes.extend_from_slice(&bits.to_le_bytes()[..size]);
    }
    bytes
}

/// Lays the arguments out as the kernel's parameters.
fn arguments(kernel: &Kernel, arguments: &[&[u8]]) -> Result<Storage, LaunchError> {
    let refuse = |message| LaunchError::Arguments { kernel: kernel.name().to_string(), message };
    let parameters = kernel.parameters();
    if parameters.len() != arguments.len() {
        let (wanted, found) = (parameters.len(), arguments.len());
        return Err(refuse(format!("it takes {wanted} parameters, {found} were given")));
    }
    let mut bytes: Vec<u8> = Vec::new();
    for (parameter, argument) in parameters.iter().zip(arguments) {
        if argument.len() != parameter.bytes as usize {
            let (name, wanted, found) = (&parameter.name, parameter.bytes, argument.len());
            return Err(refuse(format!("`{name}` has {wanted} bytes, {found} were given")));
        }
        bytes.resize(bytes.len().next_multiple_of(parameter.align as usize), 0);
        bytes.extend_from_slice(argument);
    }
    let mut storage = Storage::new(bytes.len() as u64)
        .ok_or_else(|| refuse("out of the host's memory".to_string()))?;
    storage.bytes_mut()[..bytes.len()].copy_from_slice(&bytes);
    Ok(storage)
}

/// Refuses a cooperative launch whose blocks do not all run at once.
fn fits(kernel: &Kernel, launch: &Launch, watch: &Watch) -> Result<(), LaunchError> {
    let Some(Machine { multiprocessors, resident_blocks, .. }) = watch.traffic else {
        return Ok(());
    };
    let blocks = launch.grid.iter().fold(1, |all: u64, &n| all.saturating_mul(n.into()));
    let most = u64::from(multiprocessors) * u64::from(resident_blocks);
    if blocks <= most {
        return Ok(());
    }
    Err(LaunchError::Shape {
        kernel: kernel.name().to_string(),
        message: format!(
            "a cooperative launch of {blocks} blocks, of which {most} run at once ({resident_blocks} on each of {multiprocessors} multiprocessors); launch at most {most}, and let each do the work of several"
        ),
    })
}

/// Refuses what a GPU refuses.
fn shape(kernel: &Kernel, launch: &Launch) -> Result<(), LaunchError> {
    /// The most that a block can have on any GPU so far (CC 9.0 and 10.0).
    const MOST_SHARED: u64 = 227 * 1024;
    /// `maxGridSize` of all GPUs since CC 3.0.
    const MOST_BLOCKS: [u32; 3] = [0x7fff_ffff, 65_535, 65_535];
    let refuse = |message| Err(LaunchError::Shape { kernel: kernel.name().to_string(), message });
    let [x, y, z] = launch.block;
    let threads = u64::from(x).saturating_mul(u64::from(y)).saturating_mul(u64::from(z));
    if threads == 0 || threads > 1024 || z > 64 {
        return refuse(format!(
            "a block of {x}×{y}×{z} threads; 1 to 1024 are possible, at most 64 in z"
        ));
    }
    if let Some(most) = kernel.most_threads.filter(|&most| threads > most) {
        return refuse(format!(
            "a block of {threads} threads; it was compiled for at most {most} (`__launch_bounds__`, `.maxntid`): \
             launch smaller blocks, or raise that bound"
        ));
    }
    if let Some(required) = kernel.required_block.filter(|&required| required != launch.block) {
        let [a, b, c] = required;
        return refuse(format!(
            "a block of {x}×{y}×{z} threads; it was compiled for {a}×{b}×{c} (`.reqntid`): launch such blocks"
        ));
    }
    if launch.grid.iter().zip(MOST_BLOCKS).any(|(&blocks, most)| blocks == 0 || blocks > most) {
        let [x, y, z] = launch.grid;
        return refuse(format!(
            "a grid of {x}×{y}×{z} blocks; 1 to 2147483647×65535×65535 are possible"
        ));
    }
    let shared = u64::from(kernel.shared_bytes()) + u64::from(launch.shared_bytes);
    if shared > MOST_SHARED {
        return refuse(format!(
            "{shared} bytes of shared memory; a block has at most {MOST_SHARED}"
        ));
    }
    Ok(())
}
