//! The device's heap: `malloc`, `free`, `new` and `delete` in kernels.
//!
//! It is one allocation of global memory that outlives launches. Freed blocks are reused only when there is no other
//! room, so that a use after free is detected.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use crate::fault::InvalidFree;
use memory::NearestAllocation;
use ptx::Line;

/// Alignment of every block.
const ALIGNMENT: u64 = 16;
/// Bytes between blocks that no thread may access. A GPU keeps the heap's own data there.
const GAP: u64 = 16;

/// The heap.
pub struct Heap {
    /// Its first address.
    pub(crate) address: u64,
    bytes: u64,
    chunks: RwLock<Chunks>,
}

/// Chunks of the heap by offset, contiguous up to `next`.
#[derive(Default)]
struct Chunks {
    all: BTreeMap<u64, Chunk>,
    next: u64,
    /// A size for which no room was found in freed chunks since the last `free`.
    too_large: Option<u64>,
}

/// A block and the gap after it.
struct Chunk {
    bytes: u64,
    extent: u64,
    allocated: HeapOperation,
    freed: Option<HeapOperation>,
}

/// A `malloc` or `free` in a kernel: its source line and thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeapOperation {
    /// Source line of the call.
    pub line: Line,
    /// Index of the block in the grid.
    pub block: [u32; 3],
    /// Index of the thread in its block.
    pub thread: [u32; 3],
}

impl fmt::Display for HeapOperation {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (Line { file, line }, [bx, by, bz], [x, y, z]) = (&self.line, self.block, self.thread);
        write!(f, "at {file}:{line} by thread ({x},{y},{z}) of block ({bx},{by},{bz})")
    }
}

/// A live block of the heap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeapBlock {
    /// First address.
    pub address: u64,
    /// Requested size in bytes.
    pub bytes: u64,
    /// The call that allocated it.
    pub allocated: HeapOperation,
}

impl Heap {
    /// A heap of `bytes` bytes from an address on.
    pub fn new(address: u64, bytes: u64) -> Heap {
        Heap { address, bytes, chunks: RwLock::default() }
    }

    fn read(&self) -> RwLockReadGuard<'_, Chunks> {
        self.chunks.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Chunks> {
        self.chunks.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Allocates a block; its address is 0 if there is no room.
    pub fn alloc(&self, bytes: u64, allocated: HeapOperation) -> u64 {
        let Some(extent) = bytes.max(1).checked_next_multiple_of(ALIGNMENT) else { return 0 };
        let extent = extent.saturating_add(GAP);
        let mut chunks = self.write();
        let chunk = Chunk { bytes, extent, allocated, freed: None };
        let offset = if extent <= self.bytes - chunks.next {
            let offset = chunks.next;
            chunks.next += extent;
            offset
        } else {
            let Some(offset) = chunks.reclaim(extent) else { return 0 };
            offset
        };
        chunks.all.insert(offset, chunk);
        self.address + offset
    }

    /// Frees the block that begins at an address; null is allowed.
    pub fn free(&self, address: u64, operation: HeapOperation) -> Result<(), InvalidFree> {
        if address == 0 {
            return Ok(());
        }
        let mut chunks = self.write();
        let offset = address.wrapping_sub(self.address);
        match chunks.all.get_mut(&offset) {
            Some(chunk) if chunk.freed.is_none() => {
                chunk.freed = Some(operation);
                chunks.too_large = None;
                Ok(())
            }
            Some(chunk) => {
                Err(InvalidFree::Twice { address, bytes: chunk.bytes, history: chunk.history() })
            }
            None => {
                let chunk = chunks.at(offset).filter(|(start, it)| offset - start < it.bytes);
                let inside = chunk.map(|(_, it)| format!("{} bytes, {}", it.bytes, it.history()));
                Err(InvalidFree::Unknown { address, inside })
            }
        }
    }

    /// First address and size of the live block that contains an address.
    pub fn block(&self, address: u64) -> Option<(u64, u64)> {
        let chunks = self.read();
        let offset = address.wrapping_sub(self.address);
        let (start, chunk) = chunks.at(offset)?;
        (chunk.freed.is_none() && offset - start < chunk.bytes)
            .then(|| (self.address + start, chunk.bytes))
    }

    /// The nearest block at or below an address, and whether it contains the address and is freed.
    pub fn nearest(&self, address: u64) -> Option<(NearestAllocation, bool)> {
        let chunks = self.read();
        let offset = address.wrapping_sub(self.address);
        let (&start, chunk) = chunks.all.range(..=offset).next_back()?;
        let (address, bytes) = (self.address + start, chunk.bytes);
        let name = format!("malloc(): {}", chunk.history());
        Some((
            NearestAllocation { name, address, bytes },
            chunk.freed.is_some() && offset - start < bytes,
        ))
    }

    /// Whether an address lies in the heap.
    pub fn contains(&self, address: u64) -> bool {
        address.wrapping_sub(self.address) < self.bytes
    }

    /// All live blocks.
    pub fn blocks(&self) -> Vec<HeapBlock> {
        let chunks = self.read();
        let live = chunks.all.iter().filter(|(_, chunk)| chunk.freed.is_none());
        live.map(|(offset, chunk)| HeapBlock {
            address: self.address + offset,
            bytes: chunk.bytes,
            allocated: chunk.allocated.clone(),
        })
        .collect()
    }
}

impl Chunks {
    /// The chunk that contains an offset.
    fn at(&self, offset: u64) -> Option<(u64, &Chunk)> {
        let (&start, chunk) = self.all.range(..=offset).next_back()?;
        (offset - start < chunk.extent).then_some((start, chunk))
    }

    /// Room in adjacent freed chunks; what remains of them stays free.
    fn reclaim(&mut self, extent: u64) -> Option<u64> {
        if self.too_large.is_some_and(|too_large| extent >= too_large) {
            return None;
        }
        let (mut first, mut room) = (0, 0);
        let mut found = None;
        for (&offset, chunk) in &self.all {
            if chunk.freed.is_none() {
                room = 0;
                continue;
            }
            if room == 0 {
                first = offset;
            }
            room += chunk.extent;
            if room >= extent {
                found = Some((first, room));
                break;
            }
        }
        let Some((first, room)) = found else {
            self.too_large = Some(extent);
            return None;
        };
        let gone: Vec<u64> =
            self.all.range(first..first + room).map(|(&offset, _)| offset).collect();
        let last = gone.iter().filter_map(|offset| self.all.remove(offset)).last();
        let left = room - extent;
        if let Some(last) = last.filter(|_| left > 0) {
            let rest = Chunk { bytes: left.saturating_sub(GAP), extent: left, ..last };
            self.all.insert(first + extent, rest);
        }
        Some(first)
    }
}

impl Chunk {
    fn history(&self) -> String {
        let freed = self.freed.as_ref().map(|operation| format!(", freed {operation}"));
        format!("allocated {}{}", self.allocated, freed.unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn operation(line: u32) -> HeapOperation {
        HeapOperation {
            line: Line { file: "a.cu".to_string(), line },
            block: [0; 3],
            thread: [1, 0, 0],
        }
    }

    #[test]
    fn blocks_are_apart_and_known() {
        let heap = Heap::new(0x1000, 1 << 10);
        let [a, b] = [1, 17].map(|bytes| heap.alloc(bytes, operation(bytes as u32)));
        assert_eq!([a, b], [0x1000, 0x1000 + 16 + GAP]);
        assert_eq!(heap.block(a), Some((a, 1)));
        assert_eq!(heap.block(a + 1), None);
        assert_eq!(heap.block(b + 16), Some((b, 17)));
        assert_eq!(heap.block(b + 17), None);
        assert_eq!(
            heap.nearest(b + 20).map(|(near, freed)| (near.address, freed)),
            Some((b, false))
        );
        assert_eq!(heap.blocks().len(), 2);
        heap.free(a, operation(9)).unwrap();
        assert_eq!(heap.block(a), None);
        assert!(heap.nearest(a).is_some_and(|(_, freed)| freed));
        let twice = heap.free(a, operation(10)).unwrap_err().to_string();
        let wanted = "double free: 0x1000 (1 bytes) was allocated at a.cu:1 by thread (1,0,0) of \
                      block (0,0,0), freed at a.cu:9 by";
        assert!(twice.starts_with(wanted), "{twice}");
        let inside = heap.free(b + 8, operation(11)).unwrap_err().to_string();
        assert!(
            inside.contains("which lies inside a block of 17 bytes, allocated at a.cu:17"),
            "{inside}"
        );
        assert_eq!(heap.free(0, operation(12)), Ok(()));
        assert!(heap.free(0x10, operation(12)).is_err());
    }

    #[test]
    fn what_is_freed_is_used_again_when_there_is_no_other_room() {
        let heap = Heap::new(0x1000, 4 * 64);
        let blocks: Vec<u64> = (0..4).map(|k| heap.alloc(48, operation(k))).collect();
        assert_eq!(heap.alloc(1, operation(0)), 0);
        for &block in &blocks[1..3] {
            heap.free(block, operation(5)).unwrap();
        }
        assert_eq!(heap.alloc(200, operation(6)), 0);
        // Together they hold 112 bytes and a gap; what remains of 128 bytes stays free.
        let large = heap.alloc(80, operation(7));
        assert_eq!(large, blocks[1]);
        assert_eq!(heap.alloc(16, operation(8)), large + 96);
        assert_eq!(heap.alloc(1, operation(9)), 0);
        assert_eq!(heap.alloc(u64::MAX, operation(9)), 0);
        assert_eq!(heap.blocks().len(), 4);
    }
}
