//! A simulated device: memory, loaded modules, launches.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use crate::watch::Watch;
use events::Events;
use execution::{
    DeviceMemory, Grid, Heap, HeapBlock, Launch, LaunchError, Level, Printed, check_residency,
};
use hazards::{FaultReport, Spare};
use memory::Memory;
use program::Kernel;
use textures::Objects;

mod contents;
#[expect(unsafe_code, reason = "lends memory of the host")]
mod host;
mod loaded;
mod loading;
mod mapped;

mod objects;
mod running;

pub use loaded::Loaded;
pub use running::EarlyReadError;

use running::Running;

/// A simulated device. Launches share its memory; they may run at the same time.
pub struct Simulator {
    memory: RwLock<Memory>,
    objects: RwLock<Objects>,
    level: Level,
    threads: Option<usize>,
    stack_bytes: AtomicU64,
    heap_bytes: AtomicU64,
    heap: OnceLock<Option<Heap>>,
    printed: Mutex<Printed>,
    /// For launches that are watched for hazards.
    spare: Spare,
    /// Launches that the host has not waited for.
    running: Running,
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
            stack_bytes: AtomicU64::new(STACK),
            heap_bytes: AtomicU64::new(HEAP),
            heap: OnceLock::new(),
            printed: Mutex::default(),
            spare: Spare::default(),
            running: Running::default(),
        }
    }

    /// Uses these vector instructions, or the fastest below them that the CPU has. Default: [`Level::detect`].
    pub fn with_level(mut self, level: Level) -> Simulator {
        self.level = level.min(Level::detect());
        self
    }

    /// Uses at most this many CPU threads. Default: all of rayon's.
    pub fn with_threads(mut self, threads: usize) -> Simulator {
        self.threads = Some(threads.max(1));
        self
    }

    /// Sets the bytes of each thread's stack for recursive and indirect calls: 1024 by default, at most 512 KiB.
    pub fn set_stack_bytes(&self, bytes: u64) {
        self.stack_bytes.store(bytes.min(MOST_STACK), Ordering::Relaxed);
    }

    /// Sets the bytes of the heap for `malloc` in kernels, 8 MiB by default. As on a GPU, it has no effect after the first
    /// launch of a kernel that allocates; then it returns `false`.
    pub fn set_heap_bytes(&self, bytes: u64) -> bool {
        self.heap_bytes.store(bytes, Ordering::Relaxed);
        self.heap.get().is_none()
    }

    /// The live blocks of the heap, by ascending address.
    pub fn heap_blocks(&self) -> Vec<HeapBlock> {
        self.heap.get().and_then(Option::as_ref).map(Heap::blocks).unwrap_or_default()
    }

    /// What kernels have printed since the last call, including those that a fault stopped.
    pub fn take_printed(&self) -> Printed {
        std::mem::take(&mut *self.printed.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn memory(&self) -> RwLockWriteGuard<'_, Memory> {
        // Memory stays valid whatever a panicking thread was doing: it holds no broken invariants.
        self.memory.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Bytes of the device's memory that are allocated.
    pub fn used_bytes(&self) -> u64 {
        self.memory_to_read().used()
    }

    /// For readers and launches, of which several may run at a time.
    pub(crate) fn memory_to_read(&self) -> RwLockReadGuard<'_, Memory> {
        self.memory.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs a kernel to its end and records what `watch` asks for.
    ///
    /// # Errors
    /// No such kernel, a launch that no GPU would accept, or a fault of the kernel.
    pub fn launch(
        &self,
        loaded: &Loaded,
        kernel: &str,
        launch: &Launch,
        watch: &Watch,
    ) -> Result<Events, LaunchError> {
        let kernel = loaded.module.find(kernel)?;
        launch.check(kernel)?;
        let workspace = self.workspace(kernel, launch, watch)?;
        let events = self.run((loaded, kernel), launch, watch, workspace);
        if workspace != 0 {
            self.free(workspace);
        }
        events
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
        if !launch.cooperative {
            return Ok(0);
        }
        if let Some(multiprocessors) = watch.sampling().multiprocessors {
            check_residency(kernel, launch, multiprocessors)?;
        }
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

    fn run(
        &self,
        (loaded, kernel): (&Loaded, &Kernel),
        launch: &Launch,
        watch: &Watch,
        workspace: u64,
    ) -> Result<Events, LaunchError> {
        if kernel.program().allocates() {
            let bytes = self.heap_bytes.load(Ordering::Relaxed);
            self.heap.get_or_init(|| Some(Heap::new(self.memory().alloc_heap(bytes)?, bytes)));
        }
        let objects = self.objects.read().unwrap_or_else(PoisonError::into_inner);
        let mut memory = self.memory_to_read();
        if watch.hazards || memory.has_unwritten() {
            drop(memory);
            match watch.hazards {
                true => self.memory().note_stores(),
                false => self.memory().forget_unwritten(),
            }
            memory = self.memory_to_read();
        }
        let device = DeviceMemory {
            memory: &memory,
            objects: &objects,
            addresses: &loaded.addresses,
            heap: self.heap.get().and_then(Option::as_ref),
            stack_bytes: self.stack_bytes.load(Ordering::Relaxed),
            workspace,
        };
        let code = (&*loaded.module, kernel);
        let grid = Grid::new(code, launch, device)?.sampled(watch.sampling());
        let report = FaultReport { module: &loaded.module, kernel, launch, memory: &memory };
        let cpu = (self.level, self.threads);
        let facts = watch.hazards.then(|| loaded.facts(kernel));
        let (events, printed, order) = watch.run(&grid, &report, cpu, (facts, &self.spare));
        self.printed.lock().unwrap_or_else(PoisonError::into_inner).append(printed);
        self.running.add((loaded, kernel), launch, order);
        Ok(events?)
    }
}
