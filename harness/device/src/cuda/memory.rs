//! Memory of a GPU, and memory that it shares with the host.

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

/// Memory that the host and the GPU both use: page-locked and mapped into the GPU's address space, or managed; freed when
/// dropped.
pub(super) struct Shared {
    context: Arc<CudaContext>,
    host: *mut u8,
    bytes: usize,
    is_managed: bool,
    /// Where it begins for the GPU.
    pub(super) start: sys::CUdeviceptr,
}

// SAFETY: the memory belongs to the whole process, and is accessed by copies alone.
unsafe impl Send for Shared {}
// SAFETY: as above. Who writes while another thread or the GPU reads gets bytes of either.
unsafe impl Sync for Shared {}

impl Shared {
    /// Page-locked memory for the context that is bound.
    pub(super) fn pinned(context: &Arc<CudaContext>, bytes: usize) -> Result<Shared, DriverError> {
        let flags = sys::CU_MEMHOSTALLOC_DEVICEMAP | sys::CU_MEMHOSTALLOC_PORTABLE;
        // SAFETY: as for memory of the GPU; system pages hold initialised bytes.
        let host = unsafe { result::malloc_host(bytes, flags) }?;
        let (context, host) = (context.clone(), host.cast());
        let mut pinned = Shared { context, host, bytes, is_managed: false, start: 0 };
        // SAFETY: the memory was allocated just now, and the address has a place to be written to.
        unsafe { sys::cuMemHostGetDevicePointer_v2(&mut pinned.start, host.cast(), 0) }.result()?;
        Ok(pinned)
    }

    /// Managed memory of the context that is bound.
    pub(super) fn managed(context: &Arc<CudaContext>, bytes: usize) -> Result<Shared, DriverError> {
        let attach = sys::CUmemAttach_flags::CU_MEM_ATTACH_GLOBAL;
        // SAFETY: as for memory of the GPU; pages that nobody has touched hold zeros.
        let start = unsafe { result::malloc_managed(bytes, attach) }?;
        // Managed memory has one address, for the host and the GPU.
        let host = start as *mut u8;
        Ok(Shared { context: context.clone(), host, bytes, is_managed: true, start })
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
        assert!(offset + bytes <= self.bytes, "an access outside memory that the host shares");
        offset
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        // Unlike freeing memory of the GPU, this does not wait for copies: wait first.
        if self.context.synchronize().is_err() {
            return;
        }
        let _ = match self.is_managed {
            // SAFETY: the address came from `malloc_managed`, this is its only owner, and nothing runs that may use it.
            true => unsafe { result::free_sync(self.start) },
            // SAFETY: as above, from `malloc_host`.
            false => unsafe { result::free_host(self.host.cast()) },
        };
    }
}
