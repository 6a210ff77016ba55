//! The device's memory: named allocations at device-like addresses, with unmapped gaps between them.

use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64};

use crate::fault::Nearest;

/// Where the first allocation lies. Far from null and from the windows of shared and local memory.
const FIRST_ADDRESS: u64 = 0x7000_0000_0000;
/// Alignment of every allocation, as of `cudaMalloc`.
const ALIGNMENT: u64 = 256;
/// Unmapped bytes after every allocation, so that an index that runs off the end does not reach the next one.
const GUARD: u64 = 1 << 20;

/// Why the device's memory refused something.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MemoryError {
    /// The limit would be exceeded.
    #[error(
        "out of memory: `{name}` needs {bytes} bytes, {used} of the device's {limit} bytes are in use"
    )]
    OutOfMemory {
        /// Name of the allocation asked for.
        name: String,
        /// Its size.
        bytes: u64,
        /// Bytes in use.
        used: u64,
        /// The device's limit.
        limit: u64,
    },
    /// A copy that is not wholly inside one allocation.
    #[error("{bytes} bytes at address {address:#x} are not inside an allocation{}", near(.nearest))]
    OutOfBounds {
        /// First address of the copy.
        address: u64,
        /// Its size.
        bytes: u64,
        /// The nearest allocation.
        nearest: Option<Nearest>,
    },
}

fn near(nearest: &Option<Nearest>) -> String {
    match nearest {
        Some(n) => format!(" (the nearest is `{}`: {} bytes at {:#x})", n.name, n.bytes, n.address),
        None => " (there is none)".to_string(),
    }
}

/// Bytes that several CPU threads may access at once while a kernel runs.
#[derive(Default)]
pub(crate) struct Storage {
    words: Box<[UnsafeCell<u64>]>,
}

// SAFETY: through `&Storage` the words are reached only as atomics (`Storage::atomic_*`); plain access needs `&mut`.
unsafe impl Sync for Storage {}

impl Storage {
    /// Zeroed bytes, if there is room for them.
    pub(crate) fn new(bytes: u64) -> Option<Storage> {
        let count = usize::try_from(bytes.div_ceil(8)).ok()?;
        let mut words: Vec<u64> = Vec::new();
        words.try_reserve_exact(count).ok()?;
        words.resize(count, 0);
        // `UnsafeCell<u64>` has the layout of `u64`, so this collects in place.
        let words = words.into_iter().map(UnsafeCell::new).collect();
        Some(Storage { words })
    }

    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        let length = self.words.len() * 8;
        // SAFETY: `&mut self` excludes every other access, and any bytes are valid `u64`s.
        unsafe { std::slice::from_raw_parts_mut(self.words.as_mut_ptr().cast(), length) }
    }
}

macro_rules! atomic_access {
    ($($name:ident $atomic:ident $size:literal),*) => {$(
        /// The cell at a byte offset, which must be aligned to its size.
        #[inline(always)]
        pub(crate) fn $name(&self, offset: u64) -> &$atomic {
            let offset = offset as usize;
            assert!(offset.is_multiple_of($size) && offset < self.words.len() * 8);
            // SAFETY: in bounds and aligned by the assertion (a word holds whole cells). All accesses through
            // `&Storage` are atomic; cells of different sizes overlap only where the kernel itself mixes sizes.
            unsafe { $atomic::from_ptr(self.words.as_ptr().cast::<u8>().add(offset).cast_mut().cast()) }
        }
    )*};
}

impl Storage {
    /// Neighbouring cells of 32 bits; the offset must be aligned.
    #[inline(always)]
    pub(crate) fn atomics_u32(&self, offset: u64, count: usize) -> &[AtomicU32] {
        let offset = offset as usize;
        assert!(offset.is_multiple_of(4) && offset + 4 * count <= self.words.len() * 8);
        // SAFETY: as in `atomic_u32`, for all of the cells.
        unsafe {
            std::slice::from_raw_parts(self.words.as_ptr().cast::<u8>().add(offset).cast(), count)
        }
    }

    atomic_access!(atomic_u8 AtomicU8 1, atomic_u16 AtomicU16 2, atomic_u32 AtomicU32 4, atomic_u64 AtomicU64 8);
}

/// One allocation.
pub(crate) struct Allocation {
    pub(crate) name: String,
    pub(crate) address: u64,
    pub(crate) bytes: u64,
    pub(crate) storage: Storage,
}

impl Allocation {
    /// The offset of a range that lies wholly inside.
    #[inline(always)]
    pub(crate) fn offset(&self, address: u64, bytes: u64) -> Option<u64> {
        let offset = address.wrapping_sub(self.address);
        (offset < self.bytes && bytes <= self.bytes - offset).then_some(offset)
    }

    fn nearest(&self) -> Nearest {
        Nearest { name: self.name.clone(), address: self.address, bytes: self.bytes }
    }
}

/// All allocations, by address.
pub(crate) struct Memory {
    limit: u64,
    used: u64,
    next: u64,
    allocations: Vec<Allocation>,
}

impl Memory {
    pub(crate) fn new(limit: u64) -> Memory {
        Memory { limit, used: 0, next: FIRST_ADDRESS, allocations: Vec::new() }
    }

    pub(crate) fn alloc(&mut self, name: &str, bytes: u64) -> Result<u64, MemoryError> {
        let refused = || MemoryError::OutOfMemory {
            name: name.to_string(),
            bytes,
            used: self.used,
            limit: self.limit,
        };
        if bytes > self.limit - self.used {
            return Err(refused());
        }
        let storage = Storage::new(bytes).ok_or_else(refused)?;
        let address = self.next;
        self.next = (address + bytes + GUARD).next_multiple_of(ALIGNMENT);
        self.used += bytes;
        // Addresses only grow, so the list stays sorted.
        self.allocations.push(Allocation { name: name.to_string(), address, bytes, storage });
        Ok(address)
    }

    pub(crate) fn free(&mut self, address: u64) {
        if let Ok(index) = self.allocations.binary_search_by_key(&address, |a| a.address) {
            self.used -= self.allocations.remove(index).bytes;
        }
    }

    /// Index of the allocation that holds a whole range.
    pub(crate) fn find(&self, address: u64, bytes: u64) -> Option<usize> {
        let index = self.allocations.partition_point(|a| a.address <= address).checked_sub(1)?;
        self.allocations[index].offset(address, bytes).map(|_| index)
    }

    #[inline(always)]
    pub(crate) fn allocations(&self) -> &[Allocation] {
        &self.allocations
    }

    pub(crate) fn nearest(&self, address: u64) -> Option<Nearest> {
        let distance = |a: &&Allocation| {
            if address < a.address {
                a.address - address
            } else {
                (address - a.address).saturating_sub(a.bytes)
            }
        };
        self.allocations.iter().min_by_key(distance).map(Allocation::nearest)
    }

    /// The bytes of a range, for the host.
    pub(crate) fn range_mut(&mut self, address: u64, bytes: u64) -> Result<&mut [u8], MemoryError> {
        // A copy of nothing is allowed at any address, as in CUDA.
        if bytes == 0 {
            return Ok(&mut []);
        }
        let Some(index) = self.find(address, bytes) else {
            return Err(MemoryError::OutOfBounds {
                address,
                bytes,
                nearest: self.nearest(address),
            });
        };
        let allocation = &mut self.allocations[index];
        let start = (address - allocation.address) as usize;
        Ok(&mut allocation.storage.bytes_mut()[start..start + bytes as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_must_lie_inside_one_allocation() {
        let mut memory = Memory::new(1 << 20);
        let a = memory.alloc("a", 100).unwrap();
        let b = memory.alloc("b", 8).unwrap();
        assert_eq!(a % ALIGNMENT, 0);
        assert!(b >= a + 100 + GUARD);
        assert!(memory.find(a + 96, 4).is_some());
        assert!(memory.find(a + 97, 4).is_none());
        assert!(memory.find(a - 1, 1).is_none());
        assert!(memory.find(u64::MAX, 1).is_none());
        assert_eq!(memory.nearest(a + 200).unwrap().name, "a");
        assert_eq!(memory.nearest(b - 1).unwrap().name, "b");
        memory.free(a);
        assert!(memory.find(a, 4).is_none());
    }

    #[test]
    fn the_limit_is_kept_and_freed_bytes_return() {
        let mut memory = Memory::new(1000);
        let a = memory.alloc("a", 600).unwrap();
        let refused = memory.alloc("b", 600).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "out of memory: `b` needs 600 bytes, 600 of the device's 1000 bytes are in use"
        );
        memory.free(a);
        memory.alloc("b", 600).unwrap();
        assert!(memory.alloc("c", u64::MAX).is_err());
    }

    #[test]
    fn the_host_reads_what_it_wrote() {
        let mut memory = Memory::new(1000);
        let a = memory.alloc("a", 13).unwrap();
        memory.range_mut(a + 3, 5).unwrap().copy_from_slice(b"hello");
        assert_eq!(memory.range_mut(a, 13).unwrap(), b"\0\0\0hello\0\0\0\0\0");
        assert!(memory.range_mut(a + 12, 2).unwrap_err().to_string().contains("`a`: 13 bytes"));
    }
}
