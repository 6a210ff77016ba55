//! Sectors that are fetched together with their neighbours.
//!
//! L2 fetches 64 bytes at a time from memory (`cudaLimitMaxL2FetchGranularity`). Measured on an H200: a load of every
//! 64th or 128th byte moves two sectors, not one (`reports/h200/access`, 01 and 02).

use std::collections::HashMap;

/// Sectors fetched together with a neighbour that a load missed, and not used yet.
pub(super) struct Beside {
    /// By sector, the instruction of that load.
    unused: HashMap<u64, u32>,
    /// For each instruction, how many were fetched but not used.
    wasted: Vec<u64>,
}

impl Beside {
    pub(super) fn new(instructions: usize) -> Beside {
        Beside { unused: HashMap::new(), wasted: vec![0; instructions] }
    }

    /// The other sector of the same 64 bytes.
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

    /// For each instruction, the sectors that were fetched but not used.
    pub(super) fn wasted(mut self) -> Vec<u64> {
        for instruction in self.unused.into_values() {
            self.wasted[instruction as usize] += 1;
        }
        self.wasted
    }
}
