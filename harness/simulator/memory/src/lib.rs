#![doc = include_str!("../README.md")]

#[expect(unsafe_code, reason = "lends words of the host")]
mod host;
mod nearest;
mod saved;
#[expect(unsafe_code, reason = "shows words as bytes")]
mod storage;
mod written;

pub use nearest::NearestAllocation;
pub use saved::SavedMemory;
pub use storage::Storage;
pub use written::{Written, row_bits};

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
        /// Bytes asked for.
        bytes: u64,
        /// Bytes that are in use.
        used: u64,
        /// Bytes that the device has.
        limit: u64,
    },
    /// Memory of the host that is an allocation already, or a part of one.
    #[error("{bytes} bytes at address {address:#x} overlap an allocation{}", near(.nearest))]
    Overlap {
        /// First address of the host's memory.
        address: u64,
        /// Size of that memory, bytes.
        bytes: u64,
        /// The nearest allocation.
        nearest: Option<NearestAllocation>,
    },
    /// A copy that is not wholly inside one allocation.
    #[error("{bytes} bytes at address {address:#x} are not inside an allocation{}", near(.nearest))]
    OutOfBounds {
        /// First address of the copy.
        address: u64,
        /// Bytes of the copy.
        bytes: u64,
        /// The nearest allocation.
        nearest: Option<NearestAllocation>,
    },
}

/// The nearest allocation, in brackets.
fn near(nearest: &Option<NearestAllocation>) -> String {
    match nearest {
        Some(n) => format!(" (the nearest is `{}`: {} bytes at {:#x})", n.name, n.bytes, n.address),
        None => " (there is none)".to_string(),
    }
}

/// One allocation of the device's memory.
pub struct Allocation {
    /// Its name, for messages.
    pub name: String,
    /// Its first address.
    pub address: u64,
    /// Size, bytes.
    pub bytes: u64,
    /// Contents.
    pub storage: Storage,
    /// Whether kernels may only read it.
    pub read_only: bool,
    /// Whether the host may access it through its address, unseen.
    pub for_host: bool,
    /// Whether it is memory of the host that kernels may access, and the host before they have ended, by calls.
    pub is_mapped: bool,
    /// Whether kernels allocate from it: only what they have allocated is there.
    pub is_heap: bool,
    /// Which of its bytes have been written.
    pub written: Written,
}

impl Allocation {
    /// The offset of a range that lies wholly inside.
    #[inline(always)]
    pub fn offset(&self, address: u64, bytes: u64) -> Option<u64> {
        let offset = address.wrapping_sub(self.address);
        (offset < self.bytes && bytes <= self.bytes - offset).then_some(offset)
    }

    fn nearest(&self) -> NearestAllocation {
        NearestAllocation { name: self.name.clone(), address: self.address, bytes: self.bytes }
    }
}

/// All allocations, by address.
pub struct Memory {
    limit: u64,
    used: u64,
    next: u64,
    allocations: Vec<Allocation>,
}

/// Whether an address is below all that the device allocates: only memory that the host has lent lies there.
#[inline]
pub fn is_below_device_memory(address: u64) -> bool {
    address < FIRST_ADDRESS
}

impl Memory {
    /// A device with room for `limit` bytes.
    pub fn new(limit: u64) -> Memory {
        Memory { limit, used: 0, next: FIRST_ADDRESS, allocations: Vec::new() }
    }

    /// Allocates zeroed bytes at a multiple of 256 and gives their address.
    ///
    /// # Errors
    /// The limit would be exceeded.
    pub fn alloc(&mut self, name: &str, bytes: u64) -> Result<u64, MemoryError> {
        let (used, limit) = (self.used, self.limit);
        let place = (bytes <= limit - used).then(|| self.place(name, bytes)).flatten();
        let name = || name.to_string();
        place.ok_or_else(|| MemoryError::OutOfMemory { name: name(), bytes, used, limit })
    }

    /// Bytes of all allocations but the heap.
    pub fn used(&self) -> u64 {
        self.used
    }

    /// Makes room for the heap from which kernels allocate. It is the device's own, and does not count.
    pub fn alloc_heap(&mut self, bytes: u64) -> Option<u64> {
        let address = self.place("the device's heap", bytes)?;
        self.used -= bytes;
        if let Some(index) = self.find(address, 1) {
            self.allocations[index].is_heap = true;
        }
        Some(address)
    }

    fn place(&mut self, name: &str, bytes: u64) -> Option<u64> {
        let storage = Storage::new(bytes)?;
        let mut address = self.next;
        // Memory of the host may lie anywhere.
        while let Some(end) = self.end_of_overlap(address, bytes + GUARD) {
            address = end.next_multiple_of(ALIGNMENT);
        }
        self.next = (address + bytes + GUARD).next_multiple_of(ALIGNMENT);
        self.insert(Allocation {
            name: name.to_string(),
            address,
            bytes,
            storage,
            read_only: false,
            for_host: false,
            is_mapped: false,
            is_heap: false,
            written: Written::Nothing,
        });
        Some(address)
    }

    /// The end of an allocation that lies in a range.
    fn end_of_overlap(&self, address: u64, bytes: u64) -> Option<u64> {
        let above = self.allocations.partition_point(|a| a.address < address + bytes);
        let last = &self.allocations[above.checked_sub(1)?];
        (last.address + last.bytes > address).then_some(last.address + last.bytes)
    }

    fn insert(&mut self, allocation: Allocation) {
        self.used += allocation.bytes;
        let index = self.allocations.partition_point(|a| a.address < allocation.address);
        self.allocations.insert(index, allocation);
    }

    /// Frees the allocation at an address; if there is none, nothing happens.
    pub fn free(&mut self, address: u64) {
        if let Ok(index) = self.allocations.binary_search_by_key(&address, |a| a.address) {
            self.used -= self.allocations.remove(index).bytes;
        }
    }

    /// Makes an allocation mapped memory of the host.
    pub fn map(&mut self, address: u64) {
        if let Some(index) = self.find(address, 0) {
            self.allocations[index].is_mapped = true;
        }
    }

    /// Refuses kernels' stores to an allocation; the host may still write.
    pub fn protect(&mut self, address: u64) {
        if let Some(index) = self.find(address, 1) {
            self.allocations[index].read_only = true;
        }
    }

    /// Whether kernels may only read what lies at an address.
    pub fn is_read_only(&self, address: u64) -> bool {
        self.find(address, 1).is_some_and(|index| self.allocations[index].read_only)
    }

    /// Notes that the host has written a range, or that what is in it counts as unwritten.
    pub fn note_written(&mut self, address: u64, bytes: u64, is_written: bool) {
        if bytes > 0
            && let Some(index) = self.find(address, bytes)
            && !self.allocations[index].for_host
        {
            let allocation = &mut self.allocations[index];
            let offset = address - allocation.address;
            allocation.written.change(offset, bytes, allocation.bytes, is_written);
        }
    }

    /// Makes ready to note what kernels write.
    pub fn note_stores(&mut self) {
        for allocation in &mut self.allocations {
            if matches!(allocation.written, Written::Nothing) {
                allocation.written.detail(allocation.bytes);
            }
        }
    }

    /// Whether anything counts as unwritten that kernels may write.
    pub fn has_unwritten(&self) -> bool {
        self.allocations.iter().any(|a| !a.read_only && !matches!(a.written, Written::Everything))
    }

    /// Takes all memory for written: what a kernel wrote is not known.
    pub fn forget_unwritten(&mut self) {
        for allocation in &mut self.allocations {
            allocation.written = Written::Everything;
        }
    }

    /// Index of the allocation that holds a whole range.
    #[inline]
    pub fn find(&self, address: u64, bytes: u64) -> Option<usize> {
        let index = self.allocations.partition_point(|a| a.address <= address).checked_sub(1)?;
        self.allocations[index].offset(address, bytes).map(|_| index)
    }

    /// All allocations, by address.
    #[inline(always)]
    pub fn allocations(&self) -> &[Allocation] {
        &self.allocations
    }

    /// The allocation nearest to an address.
    pub fn nearest(&self, address: u64) -> Option<NearestAllocation> {
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
    pub fn range_mut(&mut self, address: u64, bytes: u64) -> Result<&mut [u8], MemoryError> {
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
