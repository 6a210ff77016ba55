//! Memory as it was, so that a launch can be run again.

use super::{Memory, Storage, Written};

/// What was in memory that kernels may write: address, bytes, and which of them were written.
pub struct SavedMemory(Vec<(u64, Storage, Written)>);

impl Memory {
    /// A copy of all that kernels may write. None where there is no room for it, where the host reads memory before kernels
    /// have ended, and where kernels allocate: what they allocated is not known here.
    pub fn save(&self) -> Option<SavedMemory> {
        if self.allocations.iter().any(|it| it.is_mapped || it.is_heap) {
            return None;
        }
        let writable = self.allocations.iter().filter(|it| !it.read_only);
        let copies = writable.map(|it| {
            let bytes = it.storage.copy(0, it.storage.bytes())?;
            Some((it.address, bytes, it.written.copy()))
        });
        copies.collect::<Option<_>>().map(SavedMemory)
    }

    /// Puts back what was saved, where it is still allocated. Memory that the host may access unseen is left alone: if that
    /// has changed, nothing is put back, and this is false.
    #[must_use]
    pub fn restore(&mut self, saved: SavedMemory) -> bool {
        let mut places = Vec::new();
        for (address, storage, written) in saved.0 {
            let found = self.allocations.binary_search_by_key(&address, |it| it.address);
            match found.map(|index| (index, &self.allocations[index])) {
                Ok((_, it)) if it.for_host && !it.storage.equals(&storage) => return false,
                Ok((index, it)) if !it.for_host => places.push((index, storage, written)),
                _ => {}
            }
        }
        for (index, storage, written) in places {
            let allocation = &mut self.allocations[index];
            (allocation.storage, allocation.written) = (storage, written);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_saved_comes_back() {
        let mut memory = Memory::new(1 << 20);
        let a = memory.alloc("a", 10_000).expect("room");
        memory.range_mut(a + 9_000, 3).expect("its size").copy_from_slice(b"one");
        memory.note_written(a + 9_000, 3, true);
        let saved = memory.save().expect("room");
        memory.range_mut(a, 10_000).expect("its size").fill(7);
        memory.note_written(a, 10_000, true);
        assert!(memory.restore(saved));
        assert_eq!(memory.range_mut(a + 8_999, 5).expect("its size"), b"\0one\0");
        let written = &memory.allocations()[0].written;
        assert_eq!([8_999, 9_000, 9_002, 9_003].map(|at| written.get(at, 1)), [0, 1, 1, 0]);
        let saved = memory.save().expect("room");
        memory.range_mut(a, 10_000).expect("its size").fill(7);
        memory.allocations[0].for_host = true;
        assert!(!memory.restore(saved), "the host may have seen it");
        memory.map(a);
        assert!(memory.save().is_none(), "the host reads it early");
    }
}
