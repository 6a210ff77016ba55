//! The simulated device: its memory, what is loaded on it, and what is asked of its launches.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hasher};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use simt::{Coverage, MemoryError};

use super::profile::{Profile, Watching};
use crate::api::buffer::{Buffer, DeviceId, Place};
use crate::api::module::{self, Module};
use crate::api::simulation::Simulation;
use crate::api::state::Info;
use crate::error::Error;
use simt::model::{Mark, Timeline};
use toolchain::CodeRoute;
use toolchain::Machine;
use toolchain::Ptx;

/// Memory of the simulated device in bytes: plenty for what the simulator can run in a sitting, and less than a small
/// machine has.
const MEMORY: u64 = 2 << 30;

/// How long one launch may last, in seconds; the simulator has no watchdog.
const LAUNCH_LIMIT: f64 = 20.0;

/// The simulator. Beyond what a [`Device`] can do it says what it saw of every launch.
pub struct SimulatorDevice {
    pub(super) id: DeviceId,
    pub(super) info: Info,
    pub(super) route: CodeRoute,
    pub(super) simulator: Arc<simt::Simulator>,
    /// The GPU whose time is modelled.
    pub(super) gpu: simt::model::Gpu,
    /// How launches run.
    pub(super) simulation: Simulation,
    /// Whether instructions and registers are those of the machine code, where it is known.
    pub(super) counts_machine_code: bool,
    pub(super) scheduling: simt::Scheduling,
    /// When the work so far begins and ends; kept only where somebody asks, since the model takes time itself.
    pub(super) clock: Arc<Mutex<Clock>>,
    /// Kernels of a second context never run beside others: the multiprocessors work for one at a time. Its copies go on
    /// beside anything (measured on an H200: overlap/03x-two-contexts is as fast as 03-two-streams).
    pub(super) is_second: bool,
    pub(super) leaves_copies_out: bool,
    /// What launches are watched for, and what was seen of those so far; none where nobody asked.
    pub(super) watching: Option<(Watching, Vec<Profile>)>,
    /// What was executed and downloaded; none where nobody asked.
    pub(super) seen: Option<(BTreeMap<u32, u64>, DefaultHasher)>,
}

/// The modelled time of all contexts of a GPU.
#[derive(Debug, Default)]
pub(super) struct Clock {
    pub(super) timeline: Timeline,
    /// Inside [`Device::time`].
    pub(super) is_timing: bool,
    pub(super) has_events: bool,
}

/// The simulator's half of a [`Buffer`].
pub(super) struct Allocation {
    pub(super) simulator: Arc<simt::Simulator>,
    pub(super) address: u64,
    /// Where the pages of managed memory are: all of them, wherever the last was touched.
    pub(super) on_the_gpu: AtomicBool,
}

impl Drop for Allocation {
    fn drop(&mut self) {
        self.simulator.free(self.address);
    }
}

/// The simulator's half of a [`Module`].
pub(super) struct Loaded {
    pub(super) code: simt::Loaded,
    pub(super) ptx: Ptx,
    /// What ran of it, of what was noted.
    pub(super) coverage: Mutex<Coverage>,
    /// The machine code of the same source, where it is known.
    pub(super) machine: Option<Machine>,
}

impl module::Loaded for Loaded {
    fn symbol(&self, name: &str) -> Option<(u64, u64)> {
        self.code.symbol(name)
    }
}

/// The number of a stream.
pub(super) struct StreamId(pub(super) u64);

/// What an event marks.
pub(super) type Marked = Mutex<Option<Mark>>;

pub(super) fn marked(event: &Marked) -> Option<Mark> {
    *event.lock().unwrap_or_else(PoisonError::into_inner)
}

impl SimulatorDevice {
    /// A fresh simulator whose time is that of `gpu`.
    pub fn open(route: CodeRoute, gpu: simt::model::Gpu) -> SimulatorDevice {
        let info = Info {
            kind: "simt".to_string(),
            name: "simulator".to_string(),
            compute_capability: None,
            driver_version: None,
            cuda_version: None,
            memory_bytes: MEMORY,
            memory_free_bytes: MEMORY,
            multiprocessors: None,
            clock_mhz: None,
            launch_limit_seconds: LAUNCH_LIMIT,
            modelled: Some(gpu.name.clone()),
        };
        SimulatorDevice {
            id: DeviceId::next(),
            info,
            route,
            simulator: Arc::new(simt::Simulator::new(MEMORY)),
            gpu,
            clock: Arc::default(),
            is_second: false,
            leaves_copies_out: false,
            watching: None,
            seen: None,
            simulation: Simulation::default(),
            scheduling: simt::Scheduling::default(),
            counts_machine_code: true,
        }
    }

    /// Keeps when copies and launches would begin and end, for [`operations`](Self::operations).
    pub fn keep_operations(&mut self) {
        self.clock().timeline.keep();
    }

    /// The copies and launches of what was last timed by [`Device::time`], from its begin.
    pub fn operations(&self) -> Vec<simt::model::Operation> {
        self.clock().timeline.operations().to_vec()
    }

    /// Counts instructions by the PTX alone of what is loaded from now on. It is so on every machine, with a
    /// disassembler or without.
    pub fn leave_machine_code_out(&mut self) {
        self.counts_machine_code = false;
    }

    /// Watches every launch from now on.
    pub fn watch(&mut self, watching: Watching) {
        self.watching = Some((watching, Vec::new()));
    }

    /// What kernels printed since the last time and no profile has: also those that were stopped.
    pub fn take_printed(&mut self) -> simt::Printed {
        self.simulator.take_printed()
    }

    /// What was seen of the launches since [`SimulatorDevice::watch`] or the last call, in order.
    pub fn take_profiles(&mut self) -> Vec<Profile> {
        self.watching.as_mut().map(|(_, seen)| std::mem::take(seen)).unwrap_or_default()
    }

    /// How often warps executed each line of the PTX since the last call, and a digest of all bytes that were downloaded.
    /// The first call begins it.
    pub fn take_seen(&mut self) -> (BTreeMap<u32, u64>, u64) {
        let (executed, digest) = self.seen.replace(Default::default()).unwrap_or_default();
        (executed, digest.finish())
    }

    /// The code of a module that was loaded here, and where its variables are.
    ///
    /// # Errors
    /// The module belongs to another device.
    pub fn code<'a>(&self, module: &'a Module) -> Result<&'a simt::Loaded, Error> {
        Ok(&module.loaded::<Loaded>(self.id)?.code)
    }

    /// The PTX of a module that was loaded here.
    ///
    /// # Errors
    /// The module belongs to another device.
    pub fn ptx<'a>(&self, module: &'a Module) -> Result<&'a Ptx, Error> {
        Ok(&module.loaded::<Loaded>(self.id)?.ptx)
    }

    pub(super) fn is_modelling(&self) -> bool {
        let clock = self.clock();
        clock.is_timing || clock.has_events
    }

    pub(super) fn clock(&self) -> MutexGuard<'_, Clock> {
        self.clock.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Another context: the same memory, GPU and clock, and nothing of what was loaded here.
    pub(super) fn beside(&self) -> SimulatorDevice {
        SimulatorDevice {
            id: DeviceId::next(),
            info: self.info.clone(),
            route: self.route,
            simulator: self.simulator.clone(),
            gpu: self.gpu.clone(),
            clock: self.clock.clone(),
            is_second: true,
            watching: None,
            seen: None,
            simulation: self.simulation.clone(),
            ..*self
        }
    }

    pub(super) fn allocate(
        &mut self,
        name: &str,
        bytes: usize,
        place: Place,
    ) -> Result<Buffer, Error> {
        let address = match place {
            Place::Host => self.simulator.alloc_mapped(name, bytes as u64),
            Place::Device | Place::Managed => self.simulator.alloc(name, bytes as u64),
        };
        let address = address.map_err(|error| self.memory_error(error))?;
        let owner = Allocation {
            simulator: self.simulator.clone(),
            address,
            on_the_gpu: AtomicBool::new(false),
        };
        Ok(Buffer::new(name, (address, bytes), place, self.id, owner))
    }

    pub(super) fn memory_error(&self, error: MemoryError) -> Error {
        match error {
            MemoryError::OutOfMemory { name, bytes, used, limit }
                if bytes <= limit.saturating_sub(used) =>
            {
                Error::HostMemory { name, bytes }
            }
            MemoryError::OutOfMemory { name, bytes, used, limit } => Error::OutOfMemory {
                name,
                bytes,
                free: limit.saturating_sub(used),
                device: self.info.name.clone(),
            },
            other => Error::Fault(other.to_string()),
        }
    }
}
