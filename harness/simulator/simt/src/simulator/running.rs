//! Launches that the host has not waited for.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::loaded::Loaded;
use execution::{Fault, Launch};
use hazards::HostOrder;
use memory::MemoryError;
use program::{Kernel, Module};

/// Launches whose hazards were looked for and that the host has not waited for, the oldest first. They have ended here, but
/// the host may not count on it.
#[derive(Default)]
pub(super) struct Running(Mutex<Vec<RunningLaunch>>);

pub(super) struct RunningLaunch {
    pub(super) module: Arc<Module>,
    pub(super) kernel: String,
    /// Its shape.
    pub(super) launch: Launch<'static>,
    pub(super) order: HostOrder,
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
    pub(super) fn lock(&self) -> MutexGuard<'_, Vec<RunningLaunch>> {
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
