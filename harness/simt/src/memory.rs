//! The device's memory: named allocations at device-like addresses, with unmapped gaps between them.

mod written;

use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::fault::Nearest;
pub(crate) use written::{Written, row_bits};

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
///
/// They are kept as relaxed atomics of 32 bits, and every access is made of these: a narrower store replaces its bits
/// of a word, a wider access is several words. So whatever sizes a kernel mixes, in a race too, this is no data race in
/// Rust's terms (accesses of different sizes to the same atomic would be one). What PTX promises beyond words, that
/// atomics and strong accesses (`.volatile`, `.relaxed` …) of 64 bits are not torn, the lock gives; weak accesses that
/// race have no such promise.
#[derive(Default)]
pub(crate) struct Storage {
    words: Box<[AtomicU32]>,
    whole: Mutex<()>,
}

// Bytes of a word are counted from its low end, as on a GPU.
const _: () = assert!(cfg!(target_endian = "little"));

impl Storage {
    /// Zeroed bytes, if there is room for them.
    pub(crate) fn new(bytes: u64) -> Option<Storage> {
        let count = usize::try_from(bytes.div_ceil(4)).ok()?;
        let mut words: Vec<u32> = Vec::new();
        words.try_reserve_exact(count).ok()?;
        words.resize(count, 0);
        // `AtomicU32` has the layout of `u32`, so this collects in place.
        let words = words.into_iter().map(AtomicU32::new).collect();
        Some(Storage { words, whole: Mutex::new(()) })
    }

    /// Its size, rounded up to whole words.
    pub(crate) fn bytes(&self) -> u64 {
        self.words.len() as u64 * 4
    }

    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        let length = self.words.len() * 4;
        // SAFETY: the pointer and the length are those of the boxed words, borrowed for as long as the result; any
        // bytes are valid words.
        unsafe { std::slice::from_raw_parts_mut(self.words.as_mut_ptr().cast(), length) }
    }

    /// Some neighbouring words; the offset is a multiple of 4.
    #[inline(always)]
    pub(crate) fn words(&self, offset: u64, count: usize) -> &[AtomicU32] {
        let first = (offset / 4) as usize;
        &self.words[first..first + count]
    }

    #[inline(always)]
    fn word(&self, offset: u64) -> &AtomicU32 {
        &self.words[(offset / 4) as usize]
    }

    /// Reads 1, 2, 4 or 8 bytes at an offset that is a multiple of their number.
    #[inline(always)]
    pub(crate) fn load(&self, offset: u64, bytes: u64) -> u64 {
        match self.words(offset, bytes.div_ceil(4) as usize) {
            [low, high] => u64::from(low.load(Relaxed)) | u64::from(high.load(Relaxed)) << 32,
            _ => narrow(self.word(offset).load(Relaxed), offset, bytes),
        }
    }

    /// Writes 1, 2, 4 or 8 bytes at an offset that is a multiple of their number.
    #[inline(always)]
    pub(crate) fn store(&self, offset: u64, bytes: u64, value: u64) {
        match bytes {
            4 => self.word(offset).store(value as u32, Relaxed),
            8 => {
                self.word(offset).store(value as u32, Relaxed);
                self.word(offset + 4).store((value >> 32) as u32, Relaxed);
            }
            _ => {
                self.update(offset, bytes, |_| value);
            }
        }
    }

    /// Reads as one access, also where that is wider than a word.
    pub(crate) fn load_whole(&self, offset: u64, bytes: u64) -> u64 {
        let _guard = (bytes == 8).then(|| self.lock());
        self.load(offset, bytes)
    }

    /// Writes as one access, also where that is wider than a word.
    pub(crate) fn store_whole(&self, offset: u64, bytes: u64, value: u64) {
        let _guard = (bytes == 8).then(|| self.lock());
        self.store(offset, bytes, value);
    }

    /// Replaces a value by a function of it, atomically; gives the old one.
    pub(crate) fn update(&self, offset: u64, bytes: u64, new: impl Fn(u64) -> u64) -> u64 {
        if bytes == 8 {
            let _guard = self.lock();
            let old = self.load(offset, 8);
            self.store(offset, 8, new(old));
            return old;
        }
        let shift = (offset % 4 * 8) as u32;
        let mask = u32::MAX >> (32 - 8 * bytes as u32) << shift;
        let replaced = |word: u32| {
            let value = (new(narrow(word, offset, bytes)) as u32) << shift;
            Some((word & !mask) | (value & mask))
        };
        let (Ok(old) | Err(old)) = self.word(offset).fetch_update(Relaxed, Relaxed, replaced);
        narrow(old, offset, bytes)
    }

    fn lock(&self) -> MutexGuard<'_, ()> {
        self.whole.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The bytes of a word that an access of up to 4 bytes means.
#[inline(always)]
fn narrow(word: u32, offset: u64, bytes: u64) -> u64 {
    u64::from(word >> (offset % 4 * 8) & u32::MAX >> (32 - 8 * bytes as u32))
}

/// One allocation.
pub(crate) struct Allocation {
    pub(crate) name: String,
    pub(crate) address: u64,
    pub(crate) bytes: u64,
    pub(crate) storage: Storage,
    /// Whether kernels may only read it.
    pub(crate) read_only: bool,
    pub(crate) written: Written,
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
        self.allocations.push(Allocation {
            name: name.to_string(),
            address,
            bytes,
            storage,
            read_only: false,
            written: Written::Nothing,
        });
        Ok(address)
    }

    pub(crate) fn free(&mut self, address: u64) {
        if let Ok(index) = self.allocations.binary_search_by_key(&address, |a| a.address) {
            self.used -= self.allocations.remove(index).bytes;
        }
    }

    /// Refuses kernels' stores to an allocation; the host may still write.
    pub(crate) fn protect(&mut self, address: u64) {
        if let Some(index) = self.find(address, 1) {
            self.allocations[index].read_only = true;
        }
    }

    /// Whether kernels may only read what lies at an address.
    pub(crate) fn is_read_only(&self, address: u64) -> bool {
        self.find(address, 1).is_some_and(|index| self.allocations[index].read_only)
    }

    /// Notes that the host has written a range, or that what is in it counts as unwritten.
    pub(crate) fn note_written(&mut self, address: u64, bytes: u64, is_written: bool) {
        if bytes > 0
            && let Some(index) = self.find(address, bytes)
        {
            let allocation = &mut self.allocations[index];
            let offset = address - allocation.address;
            allocation.written.change(offset, bytes, allocation.bytes, is_written);
        }
    }

    /// Makes ready to note what kernels write.
    pub(crate) fn note_stores(&mut self) {
        for allocation in &mut self.allocations {
            if matches!(allocation.written, Written::Nothing) {
                allocation.written.detail(allocation.bytes);
            }
        }
    }

    /// Whether anything counts as unwritten that kernels may write.
    pub(crate) fn has_unwritten(&self) -> bool {
        self.allocations.iter().any(|a| !a.read_only && !matches!(a.written, Written::Everything))
    }

    /// Takes all memory for written: what a kernel wrote is not known.
    pub(crate) fn forget_unwritten(&mut self) {
        for allocation in &mut self.allocations {
            allocation.written = Written::Everything;
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
