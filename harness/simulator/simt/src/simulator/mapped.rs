//! Memory of the host that kernels access in place, and that the host may read before they have ended.

use super::Simulator;
use super::running::EarlyReadError;
use hazards::FaultReport;
use memory::MemoryError;

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
