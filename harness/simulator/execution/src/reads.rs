//! What a block reads from global memory while it spins.
//!
//! A block that returns to an earlier state without having changed anything repeats itself as long as it reads the same
//! values. So it need not run until one of these places changes.

use super::spaces::Spaces;
use memory::Memory;
use program::registers::{LANES, lanes};
use ptx::space::{LOCAL_WINDOW, PARAM_WINDOW, SHARED_WINDOW, Space, WINDOW_BYTES};

/// Most places that are recorded: a block that reads more does not sleep.
const MOST: usize = 1 << 16;

/// A place, and what was there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Read {
    /// Its allocation, by number: none comes or goes while a kernel runs.
    allocation: u32,
    bytes: u8,
    offset: u64,
    value: u64,
}

/// What a block reads.
#[derive(Debug, Default)]
pub struct Reads {
    is_on: bool,
    all: Vec<Read>,
}

impl Reads {
    /// Notes what is read from now on.
    pub(super) fn begin(&mut self) {
        self.is_on = true;
        self.all.clear();
    }

    /// Notes nothing more.
    pub(super) fn end(&mut self) {
        self.is_on = false;
        self.all.clear();
    }

    #[inline(always)]
    pub(super) fn is_on(&self) -> bool {
        self.is_on
    }

    /// What was read since the beginning; `None` if that is too much. Notes nothing more.
    pub(super) fn take(&mut self) -> Option<Known> {
        self.is_on = false;
        let mut all = std::mem::take(&mut self.all);
        all.sort_unstable();
        all.dedup();
        (all.len() < MOST).then_some(Known(all))
    }

    /// A load or an atomic of so many bytes in each lane is about to be executed.
    #[cold]
    pub(super) fn note(
        &mut self,
        spaces: &Spaces,
        space: Space,
        addresses: &[u64; LANES],
        mask: u32,
        bytes: u64,
    ) {
        let within = |base: u64, address: u64| address.wrapping_sub(base) < WINDOW_BYTES;
        let elsewhere = |address| {
            [SHARED_WINDOW, LOCAL_WINDOW, PARAM_WINDOW].iter().any(|&base| within(base, address))
        };
        if !matches!(space, Space::Global | Space::Generic) {
            return;
        }
        let step = bytes.clamp(1, 8);
        let mut last = None;
        for lane in lanes(mask) {
            let address = addresses[lane];
            if last == Some(address) || space == Space::Generic && elsewhere(address) {
                continue;
            }
            last = Some(address);
            // What is refused ends the launch, and what nobody may write does not change.
            let Some(index) = spaces.memory.find(address, bytes) else { continue };
            let found = &spaces.memory.allocations()[index];
            if found.read_only || !address.is_multiple_of(step) || self.all.len() >= MOST {
                continue;
            }
            let start = address - found.address;
            for offset in (start..start + bytes).step_by(step as usize) {
                let value = found.storage.load(offset, step);
                self.all.push(Read { allocation: index as u32, bytes: step as u8, offset, value });
            }
        }
    }
}

/// What a block knows of global memory.
#[derive(Debug)]
pub(super) struct Known(Vec<Read>);

impl Known {
    /// Whether all of it is still so.
    pub(super) fn holds(&self, memory: &Memory) -> bool {
        let all = memory.allocations();
        self.0.iter().all(|read| {
            let storage = &all[read.allocation as usize].storage;
            storage.load(read.offset, read.bytes.into()) == read.value
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::peers::Peers;
    use memory::Storage;

    fn spaces<'a>(memory: &'a Memory, parameters: &'a Storage) -> Spaces<'a> {
        Spaces {
            memory,
            heap: None,
            parameters,
            parameter_bytes: 0,
            shared: Storage::default(),
            peers: Peers::default(),
            shared_bytes: 0,
            local_bytes: 0,
        }
    }

    #[test]
    fn what_was_read_holds_until_it_changes() {
        let mut memory = Memory::new(1 << 20);
        let (a, b) = (memory.alloc("a", 64).unwrap(), memory.alloc("b", 64).unwrap());
        let parameters = Storage::default();
        let spaces = spaces(&memory, &parameters);
        let mut reads = Reads::default();
        reads.begin();
        reads.note(&spaces, Space::Global, &[a + 16; LANES], u32::MAX, 16);
        reads.note(&spaces, Space::Generic, &[SHARED_WINDOW; LANES], u32::MAX, 4);
        reads.note(&spaces, Space::Generic, &[b; LANES], 1, 1);
        let known = reads.take().unwrap();
        assert_eq!(known.0.len(), 3);
        assert!(!reads.is_on());
        let all = memory.allocations();
        all[1].storage.store(1, 1, 7);
        all[0].storage.store(32, 4, 7);
        assert!(known.holds(&memory), "its neighbours changed");
        all[0].storage.store(28, 4, 7);
        assert!(!known.holds(&memory));
        all[0].storage.store(28, 4, 0);
        assert!(known.holds(&memory));
        all[1].storage.store(0, 1, 1);
        assert!(!known.holds(&memory));
    }

    #[test]
    fn too_much_is_not_known() {
        let mut memory = Memory::new(1 << 24);
        let a = memory.alloc("a", 8 << MOST.ilog2()).unwrap();
        let parameters = Storage::default();
        let spaces = spaces(&memory, &parameters);
        let mut reads = Reads::default();
        reads.begin();
        for k in 0..MOST as u64 {
            reads.note(&spaces, Space::Global, &[a + 8 * k; LANES], 1, 8);
        }
        assert!(reads.take().is_none());
    }
}
