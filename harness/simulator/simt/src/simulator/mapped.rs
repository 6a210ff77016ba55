//! Memory of the host that kernels access in place, and that the host may read before they have ended.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{Loaded, Simulator};
use execution::{Fault, Launch};
use hazards::{FaultReport, HostOrder};
use memory::MemoryError;
use program::{Kernel, Module};

/// Launches whose hazards were looked for and that the host has not waited for, the oldest first. They have ended here, but
/// the host may not count on it.
#[derive(Default)]
pub(super) struct Running(Mutex<Vec<RunningLaunch>>);

struct RunningLaunch {
    module: Arc<Module>,
    kernel: String,
    /// Its shape.
    launch: Launch<'static>,
    order: HostOrder,
}

/// Why the host cannot read mapped memory now.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EarlyReadError {
    /// The range is not inside one allocation.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// Nothing orders a store of a kernel before it.
    #[error(transparent)]
    Fault(#[from] Box<Fault>),
}

impl Running {
    fn lock(&self) -> MutexGuard<'_, Vec<RunningLaunch>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a launch that has run; of one without `order` nothing is known, or it stored nothing in mapped memory.
    pub(super) fn add(
        &self,
        (loaded, kernel): (&Loaded, &Kernel),
        launch: &Launch,
        order: Option<HostOrder>,
    ) {
        let Some(order) = order else { return };
        let mut running = self.lock();
        running.iter().for_each(|before| order.replace(&before.order));
        running.push(RunningLaunch {
            module: loaded.module.clone(),
            kernel: kernel.name().to_owned(),
            launch: Launch::new(launch.grid, launch.block),
            order,
        });
    }

    /// The host has written some bytes.
    pub(super) fn forget(&self, address: u64, bytes: u64) {
        self.lock().iter().for_each(|launch| launch.order.forget(address, bytes));
    }
}

impl Simulator {
    /// Allocates page-locked memory of the host that kernels access in place, and the host by [`Simulator::read_early`]
    /// before they have ended.
    ///
    /// # Errors
    /// Out of memory.
    pub fn alloc_mapped(&self, name: &str, bytes: u64) -> Result<u64, MemoryError> {
        let mut memory = self.memory();
        let address = memory.alloc(name, bytes)?;
        memory.map(address);
        Ok(address)
    }

    /// Reads mapped memory as a host that does not wait for kernels. Of launches since [`Simulator::wait`] that were checked
    /// for hazards it may read what a flag announces that it has read before. A flag, and any other strong store of the
    /// scope of the system, may come late; drawn by the launch's seed.
    ///
    /// # Errors
    /// The range is not inside one allocation, or nothing orders a kernel's store before the read.
    pub fn read_early(&self, address: u64, into: &mut [u8]) -> Result<(), EarlyReadError> {
        self.read(address, into)?;
        let mut running = self.running.lock();
        for at in (0..running.len()).rev() {
            let launch = &mut running[at];
            match launch.order.read(address, into) {
                Ok(false) => {}
                // Whoever has news of one launch knows that those before it have ended.
                Ok(true) => {
                    running.drain(..at);
                    break;
                }
                Err(finding) => {
                    let kernel = launch.module.kernel(&launch.kernel).expect("it ran");
                    let (module, shape) = (&launch.module, &launch.launch);
                    let memory = &self.memory_to_read();
                    let report = FaultReport { module, kernel, launch: shape, memory };
                    let fault = report.faults(vec![finding]).swap_remove(0);
                    return Err(EarlyReadError::Fault(Box::new(fault)));
                }
            }
        }
        Ok(())
    }

    /// The host waits for the end of all launches so far.
    pub fn wait(&self) {
        self.running.lock().clear();
    }
}
