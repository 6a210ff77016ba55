//! Memory that a program on the host accesses too, through the same addresses: page-locked, registered and managed.

use std::ops::Range;
use std::ptr::NonNull;
use std::sync::atomic::AtomicU32;

use super::{Allocation, Memory, MemoryError, Storage, Written};

/// Alignment of what is allocated for the host, a page.
const PAGE: usize = 4096;

impl Memory {
    /// Allocates bytes whose address is also the host's.
    pub fn alloc_for_host(&mut self, name: &str, bytes: u64) -> Result<u64, MemoryError> {
        let refused = || MemoryError::OutOfMemory {
            name: name.to_string(),
            bytes,
            used: self.used,
            limit: self.limit,
        };
        if bytes > self.limit - self.used {
            return Err(refused());
        }
        // At least a word, so that there is an address.
        let storage = Storage::zeroed(bytes.max(4), PAGE).ok_or_else(refused)?;
        self.add(name, bytes, storage)
    }

    /// Adds the host's own bytes, up to whole words.
    ///
    /// # Safety
    /// As for `Storage::lent`.
    pub unsafe fn lend(
        &mut self,
        name: &str,
        first: NonNull<AtomicU32>,
        bytes: u64,
    ) -> Result<u64, MemoryError> {
        let words = NonNull::slice_from_raw_parts(first, bytes.div_ceil(4) as usize);
        // SAFETY: the caller promises it.
        let storage = unsafe { Storage::lent(words) };
        self.add(name, bytes, storage)
    }

    /// Lets an allocation lie in words of the host, with what it holds.
    ///
    /// # Safety
    /// As for `Storage::lent`.
    pub unsafe fn relocate(
        &mut self,
        address: u64,
        first: NonNull<AtomicU32>,
    ) -> Result<(), MemoryError> {
        // Of something that is not there, the error.
        self.range_mut(address, 1)?;
        if let Some(index) = self.find(address, 1) {
            let allocation = &mut self.allocations[index];
            let count = allocation.storage.bytes() as usize / 4;
            // SAFETY: the caller promises it.
            let mut storage = unsafe { Storage::lent(NonNull::slice_from_raw_parts(first, count)) };
            storage.bytes_mut().copy_from_slice(allocation.storage.bytes_mut());
            allocation.storage = storage;
            // Nobody sees what others write there.
            allocation.written = Written::Everything;
        }
        Ok(())
    }

    fn add(&mut self, name: &str, bytes: u64, storage: Storage) -> Result<u64, MemoryError> {
        let address = storage.address();
        if self.end_of_overlap(address, bytes).is_some() {
            return Err(MemoryError::Overlap { address, bytes, nearest: self.nearest(address) });
        }
        let (name, written) = (name.to_string(), Written::Everything);
        let (read_only, for_host, is_mapped, is_heap) = (false, true, false, false);
        self.insert(Allocation {
            name,
            address,
            bytes,
            storage,
            read_only,
            for_host,
            is_mapped,
            is_heap,
            written,
        });
        Ok(address)
    }

    /// The allocation that holds an address, and whether the host may access it there.
    pub fn at(&self, address: u64) -> Option<(Range<u64>, bool)> {
        let found = &self.allocations[self.find(address, 1)?];
        Some((found.address..found.address + found.bytes, found.for_host))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_host_shares_what_is_allocated_for_it() {
        let mut memory = Memory::new(1 << 20);
        let device = memory.alloc("device", 64).unwrap();
        let shared = memory.alloc_for_host("shared", 10).unwrap();
        assert_eq!(shared % PAGE as u64, 0);
        memory.range_mut(shared + 4, 4).unwrap().copy_from_slice(b"word");
        // SAFETY: the storage lives, and `memory` is not in use.
        let seen = unsafe { std::slice::from_raw_parts(shared as *const u8, 10) };
        assert_eq!(seen, b"\0\0\0\0word\0\0");
        assert_eq!(memory.at(shared + 9), Some((shared..shared + 10, true)));
        assert_eq!(memory.at(device), Some((device..device + 64, false)));
        assert_eq!(memory.at(shared + 10), None);
        memory.free(shared);
        assert_eq!(memory.at(shared), None);
        memory.alloc_for_host("no room", 1 << 21).unwrap_err();
    }

    #[test]
    fn the_hosts_own_words_can_be_lent_once() {
        let mut memory = Memory::new(1 << 20);
        let mut words = [1_u32, 2, 3];
        let first = NonNull::from_mut(&mut words).cast();
        // SAFETY: the words outlive the memory, and are only looked at when it is gone.
        let address = unsafe { memory.lend("lent", first, 12) }.unwrap();
        assert_eq!(address, first.as_ptr() as u64);
        memory.range_mut(address + 4, 4).unwrap().fill(0xff);
        // SAFETY: as above.
        let again = unsafe { memory.lend("again", first, 4) }.unwrap_err();
        assert!(again.to_string().contains("`lent`"), "{again}");
        drop(memory);
        assert_eq!(words, [1, u32::MAX, 3]);
    }

    #[test]
    fn addresses_of_the_device_skip_those_of_the_host() {
        let mut memory = Memory::new(1 << 20);
        let first = memory.alloc("first", 64).unwrap();
        let obstacle = Allocation {
            name: "obstacle".to_string(),
            address: first + (1 << 20),
            bytes: 5000,
            storage: Storage::default(),
            read_only: false,
            for_host: true,
            is_mapped: false,
            is_heap: false,
            written: Written::Everything,
        };
        let end = obstacle.address + obstacle.bytes;
        memory.insert(obstacle);
        assert!(memory.alloc("second", 64).unwrap() >= end);
    }
}
