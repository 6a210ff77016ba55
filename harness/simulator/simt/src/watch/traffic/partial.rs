//! Sectors of which stores leave a part as it was.
//!
//! Memory with error correction takes whole sectors. Where L2 has not loaded a sector and not all of it was stored by the
//! time that it has to leave, the rest is read first. Measured on an H200: a copy whose stores have one, two or four words
//! of a sector moves three sectors for each that it copies, and not two (`reports/h200/access`, 03 to 05).

use std::collections::BTreeMap;

use crate::exec::listener::Touch;

/// Bytes of a sector.
const SECTOR: u64 = 32;

/// Sectors of a line.
const SECTORS: u64 = 4;

/// Where a sector's number has the bytes that a store leaves: above all that an address can have.
const SHIFT: u32 = 59;

/// Adds to the numbers of a store's sectors how many bytes of each it leaves as they were.
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
        // What does not lie in one sector fills the beginning of the next.
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

/// A sector's number, and how many bytes a store of it left.
pub(super) fn unmarked(sector: u64) -> (u64, u64) {
    (sector & ((1 << SHIFT) - 1), sector >> SHIFT)
}

/// What stores left in the sectors that they did not fill at once.
pub(super) struct Partial {
    /// Of a sector, the instruction that was the first to store, and the bytes that are missing.
    open: BTreeMap<u64, (u32, u64)>,
    /// Of each instruction, the sectors that it began and nobody filled.
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
        // What was stored before has left L2.
        if let Some(left) = left {
            self.leaves(sector, left);
        }
    }

    /// A sector leaves L2, a line with the first of its sectors.
    fn leaves(&mut self, sector: u64, (instruction, missing): (u32, u64)) {
        if missing > 0 {
            self.fills[instruction as usize] += 1;
            let is_first = self.last_line != Some(sector / SECTORS);
            self.last_line = Some(sector / SECTORS);
            self.lines[instruction as usize] += u64::from(is_first);
        }
    }

    /// Of each instruction, the sectors that memory had to read, and the lines in which they lie. All have left in the end.
    pub(super) fn fills(mut self) -> (Vec<u64>, Vec<u64>) {
        while let Some((sector, left)) = self.open.pop_first() {
            self.leaves(sector, left);
        }
        (self.fills, self.lines)
    }
}
