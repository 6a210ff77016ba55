//! A cache of sectors.

/// Sectors of a line, which share its tag.
const SECTORS: u64 = 4;
/// Lines of a set.
const WAYS: usize = 16;

/// A cache of lines of 128 bytes that are filled by sectors of 32 bytes; the least recently used line of a set gives
/// way. The vendor documents neither sets nor replacement: 16 ways and a hashed set come close to full associativity.
pub(super) struct Cache {
    /// Of each line its number and one bit for each of its sectors that is there; 0 of one that is not.
    ///
    /// Zeros of the allocator: a launch pays only for the sets that it touches.
    lines: Vec<u64>,
    /// When each was last used.
    used: Vec<u64>,
    sets: u64,
    now: u64,
}

/// Where who asks a cache found a sector last: the next is often in the same line.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Last(usize);

impl Cache {
    /// An empty cache of this many bytes.
    pub(super) fn new(bytes: u64) -> Cache {
        let sets = (bytes / (128 * WAYS as u64)).max(1);
        let lines = sets as usize * WAYS;
        Cache { lines: vec![0; lines], used: vec![0; lines], sets, now: 0 }
    }

    /// Whether a sector is there; now it is.
    pub(super) fn touch(&mut self, sector: u64, Last(last): &mut Last) -> bool {
        let (number, bit) = (sector / SECTORS, 1 << (sector % SECTORS));
        let is_it = |line: u64| line >> SECTORS == number && line != 0;
        self.now += 1;
        if is_it(self.lines[*last]) {
            self.used[*last] = self.now;
            let hit = self.lines[*last] & bit != 0;
            self.lines[*last] |= bit;
            return hit;
        }
        // Fibonacci hashing (Knuth, The Art of Computer Programming 3, section 6.4) spreads strides over the sets.
        let hash = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        let first = (hash % self.sets) as usize * WAYS;
        let set = first..first + WAYS;
        let found = self.lines[set.clone()].iter().position(|&line| is_it(line));
        let way = found.unwrap_or_else(|| {
            let used = &self.used[set];
            let oldest = (0..WAYS).min_by_key(|&way| used[way]).unwrap_or(0);
            self.lines[first + oldest] = number << SECTORS;
            oldest
        });
        *last = first + way;
        self.used[*last] = self.now;
        let line = &mut self.lines[*last];
        let hit = *line & bit != 0;
        *line |= bit;
        hit
    }
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
