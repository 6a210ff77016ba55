//! Memory of a GPU, and page-locked memory of the host.

use std::sync::Arc;

use cudarc::driver::result::{self, DriverError};
use cudarc::driver::{CudaContext, sys};

/// Memory of a GPU; freed when dropped.
pub(super) struct Allocation {
    context: Arc<CudaContext>,
    pub(super) start: sys::CUdeviceptr,
}

impl Allocation {
    /// Memory of the context that is bound.
    pub(super) fn new(context: &Arc<CudaContext>, bytes: usize) -> Result<Allocation, DriverError> {
        // SAFETY: nothing reads the memory before it is written: buffers are bytes, whatever these are.
        let start = unsafe { result::malloc_sync(bytes) }?;
        Ok(Allocation { context: context.clone(), start })
    }
}

impl Drop for Allocation {
    fn drop(&mut self) {
        // An error here is an earlier launch's: it has been reported, or will be by the next call that waits.
        if self.context.bind_to_thread().is_ok() {
            // SAFETY: the address came from `malloc_sync`, and this is its only owner. Freeing waits for running work.
            let _ = unsafe { result::free_sync(self.start) };
        }
    }
}

/// Page-locked memory of the host that is mapped into the GPU's address space; freed when dropped.
pub(super) struct Pinned {
    context: Arc<CudaContext>,
    host: *mut u8,
    bytes: usize,
    /// Where it begins for the GPU.
    pub(super) start: sys::CUdeviceptr,
}

// SAFETY: the memory belongs to the whole process, and is accessed by copies alone.
unsafe impl Send for Pinned {}
// SAFETY: as above. Who writes while another thread or the GPU reads gets bytes of either.
unsafe impl Sync for Pinned {}

impl Pinned {
    /// Memory for the context that is bound.
    pub(super) fn new(context: &Arc<CudaContext>, bytes: usize) -> Result<Pinned, DriverError> {
        let flags = sys::CU_MEMHOSTALLOC_DEVICEMAP | sys::CU_MEMHOSTALLOC_PORTABLE;
        // SAFETY: as for memory of the GPU; system pages hold initialised bytes.
        let host = unsafe { result::malloc_host(bytes, flags) }?;
        let mut pinned = Pinned { context: context.clone(), host: host.cast(), bytes, start: 0 };
        // SAFETY: the memory was allocated just now, and the address has a place to be written to.
        unsafe { sys::cuMemHostGetDevicePointer_v2(&mut pinned.start, host, 0) }.result()?;
        Ok(pinned)
    }

    /// Copies bytes to an address as the GPU has it.
    pub(super) fn write(&self, address: u64, bytes: &[u8]) {
        let offset = self.offset(address, bytes.len());
        // SAFETY: `offset` has checked the range, which no reference points into.
        unsafe { self.host.add(offset).copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) }
    }

    /// Copies bytes from an address as the GPU has it.
    pub(super) fn read(&self, address: u64, into: &mut [u8]) {
        let offset = self.offset(address, into.len());
        // SAFETY: `offset` has checked the range, which no reference points into.
        unsafe { self.host.add(offset).copy_to_nonoverlapping(into.as_mut_ptr(), into.len()) }
    }

    fn offset(&self, address: u64, bytes: usize) -> usize {
        let offset = (address - self.start) as usize;
        assert!(offset + bytes <= self.bytes, "an access outside page-locked memory");
        offset
    }
}

impl Drop for Pinned {
    fn drop(&mut self) {
        // Unlike freeing memory of the GPU, this does not wait for copies: wait first.
        if self.context.synchronize().is_ok() {
            // SAFETY: the address came from `malloc_host`, this is its only owner, and nothing runs that may use it.
            let _ = unsafe { result::free_host(self.host.cast()) };
        }
    }
}
