//! A cache of sectors.

/// Sectors of a line, which share its tag.
const SECTORS: u64 = 4;
/// Lines of a set.
const WAYS: usize = 16;

/// For each line of a set its number and one bit for each valid sector, most recently used first; 0 for an empty way.
type Set = [u64; WAYS];

/// A cache of 128-byte lines with 32-byte sectors and LRU replacement within a set. NVIDIA documents neither sets nor
/// replacement; 16 ways and a hashed set come close to full associativity.
#[derive(Clone)]
pub(super) struct Cache {
    /// Index of each set in `sets`; 0 for an unused set, as most are in most launches.
    places: Vec<u32>,
    /// The first stays empty.
    sets: Vec<Set>,
}

/// The set of the last lookup, because the next sector is often in the same line.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Last(u32);

impl Cache {
    /// An empty cache of this size in bytes.
    pub(super) fn new(bytes: u64) -> Cache {
        let count = (bytes / (128 * WAYS as u64)).clamp(1, u32::MAX.into());
        Cache { places: vec![0; count as usize], sets: vec![Set::default()] }
    }

    /// Whether a sector hits; afterwards it is in the cache.
    pub(super) fn touch(&mut self, sector: u64, last: &mut Last) -> bool {
        let (number, bit) = (sector / SECTORS, 1 << (sector % SECTORS));
        if !is(self.sets[last.0 as usize][0], number) {
            *last = self.find(number);
        }
        let line = &mut self.sets[last.0 as usize][0];
        let hit = *line & bit != 0;
        *line |= bit;
        hit
    }

    /// Whether a sector is in the cache, without marking it as used.
    pub(super) fn has(&self, sector: u64) -> bool {
        let (number, bit) = (sector / SECTORS, 1 << (sector % SECTORS));
        let set = &self.sets[self.places[self.index(number)] as usize];
        set.iter().any(|&line| is(line, number) && line & bit != 0)
    }

    /// Index of a line's set. Fibonacci hashing (Knuth, The Art of Computer Programming 3, section 6.4) spreads strides
    /// over the sets.
    fn index(&self, number: u64) -> usize {
        let hash = (number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as u32;
        (hash % self.places.len() as u32) as usize
    }

    /// The set of a line, after moving the line to its front.
    fn find(&mut self, number: u64) -> Last {
        let index = self.index(number);
        let place = &mut self.places[index];
        if *place == 0 {
            *place = self.sets.len() as u32;
            self.sets.push(Set::default());
        }
        let set = &mut self.sets[*place as usize];
        let way = set.iter().position(|&line| is(line, number));
        let line = way.map_or(number << SECTORS, |way| set[way]);
        // Move the lines before it back by one; the least recently used line is evicted.
        set.copy_within(..way.unwrap_or(WAYS - 1), 1);
        set[0] = line;
        Last(*place)
    }
}

/// Whether a way is valid and holds the line of this number.
fn is(line: u64, number: u64) -> bool {
    line >> SECTORS == number && line != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_touched_is_there_until_others_push_it_out() {
        let mut cache = Cache::new(4096); // 32 lines: two sets
        let mut last = Last::default();
        let mut touch = |sector| cache.touch(sector, &mut last);
        assert!(!touch(8));
        assert!(touch(8));
        assert!(!touch(9), "another sector of the same line");
        assert!(touch(8) && touch(9));
        for line in 100..200 {
            touch(line * SECTORS);
        }
        assert!(!touch(8));
    }

    #[test]
    fn a_working_set_that_fits_hits_and_one_that_does_not_misses() {
        let hits = |lines: u64| {
            let mut cache = Cache::new(64 * 1024); // 512 lines
            let mut last = Last::default();
            let mut round =
                || (0..lines).filter(|line| cache.touch(line * SECTORS, &mut last)).count();
            round();
            round()
        };
        assert_eq!(hits(256), 256);
        assert_eq!(hits(4096), 0);
    }
}
