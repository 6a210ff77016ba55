//! Sectors that come with their neighbours.
//!
//! L2 brings pieces of 64 bytes from memory (`cudaLimitMaxL2FetchGranularity`). Measured on an H200: a load of every
//! 64th or 128th byte moves two sectors, not one (`reports/h200/access`, 01 and 02).

use std::collections::HashMap;

/// Sectors that came with a neighbour that a load missed, and that nobody has used yet.
pub(super) struct Beside {
    /// Of a sector the instruction of that load.
    unused: HashMap<u64, u32>,
    /// Of each instruction, how many were brought for nothing.
    wasted: Vec<u64>,
}

impl Beside {
    pub(super) fn new(instructions: usize) -> Beside {
        Beside { unused: HashMap::new(), wasted: vec![0; instructions] }
    }

    /// The sector in the same piece.
    pub(super) fn neighbour(sector: u64) -> u64 {
        sector ^ 1
    }

    /// A load of an instruction misses a sector.
    pub(super) fn misses(&mut self, instruction: u32, sector: u64) {
        if self.unused.remove(&sector).is_some() {
            return;
        }
        if let Some(before) = self.unused.insert(Beside::neighbour(sector), instruction) {
            self.wasted[before as usize] += 1;
        }
    }

    /// Of each instruction, the sectors that were brought and not used.
    pub(super) fn wasted(mut self) -> Vec<u64> {
        for instruction in self.unused.into_values() {
            self.wasted[instruction as usize] += 1;
        }
        self.wasted
    }
}
