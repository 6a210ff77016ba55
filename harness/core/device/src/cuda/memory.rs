//! Memory of a GPU, and memory that it shares with the host.

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use cudarc::driver::result::{self, DriverError};
use cudarc::driver::{CudaContext, sys};
use rayon::prelude::*;

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

/// Page-locked memory that a context keeps for whoever needs as much again: the driver takes long to lock it, and every step
/// has its inputs placed 24 times to be timed.
pub(super) struct Locked {
    context: Arc<CudaContext>,
    /// What nobody uses, the oldest first: its address and bytes.
    spare: Mutex<Vec<(usize, usize)>>,
}

/// Bytes that are kept at most.
const MOST_SPARE: usize = 1 << 30;

impl Locked {
    /// None yet.
    pub(super) fn new(context: &Arc<CudaContext>) -> Arc<Locked> {
        Arc::new(Locked { context: context.clone(), spare: Mutex::default() })
    }

    /// So many bytes for the context, which is bound; what they hold does not matter.
    fn take(&self, bytes: usize) -> Result<*mut u8, DriverError> {
        let mut spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(place) = spare.iter().position(|&(_, own)| own == bytes) {
            return Ok(spare.remove(place).0 as *mut u8);
        }
        drop(spare);
        let flags = sys::CU_MEMHOSTALLOC_DEVICEMAP | sys::CU_MEMHOSTALLOC_PORTABLE;
        // SAFETY: as for memory of the GPU; system pages hold initialised bytes.
        Ok(unsafe { result::malloc_host(bytes, flags) }?.cast())
    }

    /// Keeps memory that nothing uses any more, and frees what has been kept for longest if that is too much.
    fn put(&self, host: *mut u8, bytes: usize) {
        let mut spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner);
        spare.push((host as usize, bytes));
        while spare.iter().map(|(_, bytes)| bytes).sum::<usize>() > MOST_SPARE {
            free_host(spare.remove(0).0);
        }
    }
}

impl Drop for Locked {
    fn drop(&mut self) {
        if self.context.bind_to_thread().is_ok() {
            let spare = self.spare.get_mut().unwrap_or_else(PoisonError::into_inner);
            spare.drain(..).for_each(|(host, _)| free_host(host));
        }
    }
}

/// Frees page-locked memory. An error here is an earlier launch's.
fn free_host(host: usize) {
    // SAFETY: the address came from `malloc_host`, its only owner has given it up, and nothing runs that may use it.
    let _ = unsafe { result::free_host(host as *mut _) };
}

/// Memory that the host and the GPU both use: page-locked and mapped into the GPU's address space, or managed; given up when
/// dropped.
pub(super) struct Shared {
    context: Arc<CudaContext>,
    host: *mut u8,
    bytes: usize,
    /// Where page-locked memory goes back to; none of managed memory.
    locked: Option<Arc<Locked>>,
    /// Where it begins for the GPU.
    pub(super) start: sys::CUdeviceptr,
}

// SAFETY: the memory belongs to the whole process, and is accessed by copies alone.
unsafe impl Send for Shared {}
// SAFETY: as above. Who writes while another thread or the GPU reads gets bytes of either.
unsafe impl Sync for Shared {}

impl Shared {
    /// Page-locked memory for the context that is bound.
    pub(super) fn pinned(locked: &Arc<Locked>, bytes: usize) -> Result<Shared, DriverError> {
        let host = locked.take(bytes)?;
        let (context, locked) = (locked.context.clone(), Some(locked.clone()));
        let mut pinned = Shared { context, host, bytes, locked, start: 0 };
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
        Ok(Shared { context: context.clone(), host, bytes, locked: None, start })
    }

    /// Copies bytes to an address as the GPU has it.
    pub(super) fn write(&self, address: u64, bytes: &[u8]) {
        let offset = self.offset(address, bytes.len());
        in_parts(bytes.len(), |part| {
            let from = &bytes[part.clone()];
            // SAFETY: `offset` has checked the range, which no reference points into.
            unsafe { self.host.add(offset + part.start).copy_from(from.as_ptr(), from.len()) }
        });
    }

    /// Makes bytes from an address as the GPU has it all the same.
    pub(super) fn fill(&self, address: u64, byte: u8, bytes: usize) {
        let offset = self.offset(address, bytes);
        in_parts(bytes, |part| {
            // SAFETY: `offset` has checked the range, which no reference points into.
            unsafe { self.host.add(offset + part.start).write_bytes(byte, part.len()) }
        });
    }

    /// Copies bytes from an address as the GPU has it.
    pub(super) fn read(&self, address: u64, into: &mut [u8]) {
        let offset = self.offset(address, into.len());
        into.par_chunks_mut(PART).enumerate().for_each(|(number, part)| {
            let from = offset + number * PART;
            // SAFETY: `offset` has checked the range, which no reference points into.
            unsafe { self.host.add(from).copy_to(part.as_mut_ptr(), part.len()) }
        });
    }

    fn offset(&self, address: u64, bytes: usize) -> usize {
        let offset = (address - self.start) as usize;
        assert!(offset + bytes <= self.bytes, "an access outside memory that the host shares");
        offset
    }
}

/// Bytes that one core copies or fills at a time.
const PART: usize = 4 << 20;

/// Does something for all parts of so many bytes, on all cores.
fn in_parts(bytes: usize, work: impl Fn(Range<usize>) + Sync) {
    let parts = (0..bytes.div_ceil(PART)).into_par_iter();
    parts.for_each(|part| work(part * PART..bytes.min((part + 1) * PART)));
}

impl Drop for Shared {
    fn drop(&mut self) {
        // Unlike freeing memory of the GPU, this does not wait for copies: wait first.
        if self.context.synchronize().is_err() {
            return;
        }
        match &self.locked {
            Some(locked) => locked.put(self.host, self.bytes),
            // SAFETY: the address came from `malloc_managed`, this is its only owner, and nothing runs that may use it.
            None => drop(unsafe { result::free_sync(self.start) }),
        }
    }
}
