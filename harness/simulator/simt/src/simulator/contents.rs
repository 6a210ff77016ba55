//! What is in a simulator's memory.

use super::Simulator;
use memory::{MemoryError, SavedMemory};

impl Simulator {
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
        self.running.forget(address, bytes.len() as u64);
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
        self.running.forget(address, bytes);
        Ok(())
    }

    /// Fills a range and declares it unwritten: in a launch that is checked for hazards, a read of it is one of
    /// uninitialised memory.
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

    /// What kernels may change, as it is now. None where it cannot be put back: there is no room for a copy, kernels
    /// allocate, or the host reads memory before they have ended.
    pub fn save(&self) -> Option<SavedMemory> {
        self.memory_to_read().save()
    }

    /// Puts back what was saved, unless memory has changed that the host may access unseen; whether it did.
    #[must_use]
    pub fn restore(&self, saved: SavedMemory) -> bool {
        self.memory().restore(saved)
    }
}
