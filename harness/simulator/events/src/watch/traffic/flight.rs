//! Sectors on their way from memory.

/// Entries of the table: more than all multiprocessors have on the way at a time.
const ENTRIES: usize = 1 << 18;

/// The sectors that the L2 cache has asked memory for lately. A load that wants one of them before it has come waits for it,
/// though the cache no longer misses it. It is a table with one entry for each hash, so that a few are forgotten too early.
pub(super) struct Flight {
    /// The number of a sector plus one, and the turn in which memory was asked for it. Zeros cost nothing until they are used.
    asked: Vec<(u64, usize)>,
    /// Turns that a sector is on its way.
    turns: usize,
}

impl Flight {
    /// Of sectors that come after so many turns.
    pub(super) fn new(turns: u32) -> Flight {
        Flight { asked: vec![(0, 0); ENTRIES], turns: turns as usize }
    }

    /// A sector is asked for in this turn.
    pub(super) fn begins(&mut self, sector: u64, turn: usize) {
        self.asked[place(sector)] = (sector + 1, turn);
    }

    /// Whether a sector is still on its way in this turn.
    pub(super) fn has(&self, sector: u64, turn: usize) -> bool {
        let (asked, begin) = self.asked[place(sector)];
        asked == sector + 1 && turn - begin < self.turns
    }
}

/// Where a sector is in the table: as in the caches.
fn place(sector: u64) -> usize {
    (sector.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - ENTRIES.ilog2())) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sector_is_on_its_way_until_it_comes() {
        let mut flight = Flight::new(100);
        assert!(!flight.has(7, 0));
        flight.begins(7, 20);
        assert!(flight.has(7, 20) && flight.has(7, 119));
        assert!(!flight.has(7, 120) && !flight.has(8, 20));
        flight.begins(7, 300);
        assert!(flight.has(7, 399));
    }
}
