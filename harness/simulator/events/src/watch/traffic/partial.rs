//! Partially stored sectors.
//!
//! Memory with error correction writes whole sectors. If L2 evicts a sector that it has not loaded and that was not
//! stored completely, it has to read the rest first. Measured on an H200: a copy whose stores write one, two or four
//! words of a sector moves three sectors for each that it copies, not two (`reports/h200/access`, 03 to 05).

use std::collections::BTreeMap;

use super::sectors::SECTOR;
use execution::listener::Touch;

/// Sectors of a line.
const SECTORS: u64 = 4;

/// Position of the bytes left by a store in a sector's number, above all bits of an address.
const SHIFT: u32 = 59;

/// Adds to the numbers of a store's sectors how many bytes of each it does not write.
pub(super) fn mark(touch: &Touch, sectors: &mut [u64]) {
    let lanes = u64::from(touch.mask.count_ones());
    if touch.is_row() && lanes * touch.bytes == SECTOR * sectors.len() as u64 {
        return;
    }
    let mut missing = [SECTOR; 64];
    let Some(missing) = missing.get_mut(..sectors.len()) else { return };
    let mut last = 0;
    for (_, address) in touch.active() {
        let sector = address / SECTOR;
        if sectors[last] != sector {
            let Some(place) = sectors.iter().position(|it| *it == sector) else { continue };
            last = place;
        }
        let stored = touch.bytes.min(SECTOR - address % SECTOR);
        missing[last] = missing[last].saturating_sub(stored);
        // The bytes beyond one sector fill the beginning of the next.
        let rest = touch.bytes - stored;
        if rest > 0
            && let Some(place) = sectors.iter().position(|it| *it == sector + 1)
        {
            missing[place] = missing[place].saturating_sub(rest);
        }
    }
    for (sector, missing) in sectors.iter_mut().zip(missing) {
        *sector |= (*missing).min(SECTOR - 1) << SHIFT;
    }
}

/// A sector's number, and how many of its bytes a store did not write.
pub(super) fn unmarked(sector: u64) -> (u64, u64) {
    (sector & ((1 << SHIFT) - 1), sector >> SHIFT)
}

/// Sectors that stores have not filled yet.
pub(super) struct Partial {
    /// For each sector, the instruction that stored first, and the missing bytes.
    open: BTreeMap<u64, (u32, u64)>,
    /// For each instruction, the sectors that it stored to first and that were never filled.
    fills: Vec<u64>,
    /// The lines in which these lie.
    lines: Vec<u64>,
    /// That of the last one.
    last_line: Option<u64>,
}

impl Partial {
    pub(super) fn new(instructions: usize) -> Partial {
        let none = vec![0; instructions];
        Partial { open: BTreeMap::new(), fills: none.clone(), lines: none, last_line: None }
    }

    /// A store to a sector that L2 has loaded or not, and that another store left there or not.
    pub(super) fn store(
        &mut self,
        (instruction, sector): (u32, u64),
        missing: u64,
        is_loaded: bool,
        is_stored: bool,
    ) {
        if missing == 0 && self.open.is_empty() {
            return;
        }
        if is_stored {
            if let Some((_, before)) = self.open.get_mut(&sector) {
                *before = before.saturating_sub(SECTOR - missing);
            }
            return;
        }
        let missing = if is_loaded { 0 } else { missing };
        let left = match missing {
            0 => self.open.remove(&sector),
            _ => self.open.insert(sector, (instruction, missing)),
        };
        // The earlier store has left L2.
        if let Some(left) = left {
            self.leaves(sector, left);
        }
    }

    /// A sector is evicted from L2; its line counts with its first sector.
    fn leaves(&mut self, sector: u64, (instruction, missing): (u32, u64)) {
        if missing > 0 {
            self.fills[instruction as usize] += 1;
            let is_first = self.last_line != Some(sector / SECTORS);
            self.last_line = Some(sector / SECTORS);
            self.lines[instruction as usize] += u64::from(is_first);
        }
    }

    /// For each instruction, the sectors that had to be read from memory, and their lines. In the end all are evicted.
    pub(super) fn fills(mut self) -> (Vec<u64>, Vec<u64>) {
        while let Some((sector, left)) = self.open.pop_first() {
            self.leaves(sector, left);
        }
        (self.fills, self.lines)
    }
}
