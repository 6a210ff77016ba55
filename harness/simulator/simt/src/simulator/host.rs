//! Memory that a program on the host accesses too.

use std::ops::Range;
use std::ptr::NonNull;
use std::sync::atomic::AtomicU32;

use super::Simulator;
use memory::MemoryError;

impl Simulator {
    /// Allocates memory that the host may access too, through its address as a pointer: page-locked or managed memory. What
    /// the host writes there is not seen, so all of it counts as written.
    ///
    /// # Errors
    /// Out of memory.
    pub fn alloc_for_host(&self, name: &str, bytes: u64) -> Result<u64, MemoryError> {
        self.memory().alloc_for_host(name, bytes)
    }

    /// Lets kernels access memory of the host at its own address, until it is freed.
    ///
    /// # Errors
    /// The memory overlaps an allocation.
    ///
    /// # Safety
    /// The memory, rounded up to whole words, stays valid until it is freed or the simulator is dropped, and nothing in Rust
    /// refers to it meanwhile.
    pub unsafe fn lend(
        &self,
        name: &str,
        first: NonNull<AtomicU32>,
        bytes: u64,
    ) -> Result<u64, MemoryError> {
        // SAFETY: the caller promises it.
        unsafe { self.memory().lend(name, first, bytes) }
    }

    /// Moves what an allocation holds into memory of the host, where others may write it too. Its address stays.
    ///
    /// # Errors
    /// There is no such allocation.
    ///
    /// # Safety
    /// As for [`Simulator::lend`](Self::lend), for the bytes of the allocation.
    pub unsafe fn relocate(
        &self,
        address: u64,
        first: NonNull<AtomicU32>,
    ) -> Result<(), MemoryError> {
        // SAFETY: the caller promises it.
        unsafe { self.memory().relocate(address, first) }
    }

    /// The addresses of the allocation that holds an address, and whether the host may access it there.
    pub fn allocation(&self, address: u64) -> Option<(Range<u64>, bool)> {
        self.memory_to_read().at(address)
    }

    /// Whether there is memory that the host may access too.
    pub fn shares_memory(&self) -> bool {
        self.memory_to_read().allocations().iter().any(|it| it.for_host)
    }
}
