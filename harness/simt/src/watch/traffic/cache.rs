//! A cache of sectors.

/// Sectors of a line, which share its tag.
const SECTORS: u64 = 4;
/// Lines of a set.
const WAYS: usize = 16;

/// A line: its number, which of its sectors are there, and when it was last used.
#[derive(Clone, Copy, Default)]
struct Line {
    number: u64,
    present: u8,
    used: u64,
}

/// A cache of lines of 128 bytes that are filled by sectors of 32 bytes; the least recently used line of a set gives
/// way. The vendor documents neither sets nor replacement: 16 ways and a hashed set come close to full associativity.
pub(super) struct Cache {
    lines: Vec<Line>,
    sets: u64,
    now: u64,
    /// Where the last sector was found: the next is often beside it.
    last: usize,
}

impl Cache {
    /// An empty cache of this many bytes.
    pub(super) fn new(bytes: u64) -> Cache {
        let sets = (bytes / (128 * WAYS as u64)).max(1);
        Cache { lines: vec![Line::default(); sets as usize * WAYS], sets, now: 0, last: 0 }
    }

    /// Whether a sector is there; now it is.
    pub(super) fn touch(&mut self, sector: u64) -> bool {
        let (number, bit) = (sector / SECTORS, 1 << (sector % SECTORS));
        self.now += 1;
        let last = &mut self.lines[self.last];
        if last.number == number && last.present & bit != 0 {
            last.used = self.now;
            return true;
        }
        // Fibonacci hashing (Knuth, The Art of Computer Programming 3, section 6.4) spreads strides over the sets.
        let hash = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        let first = (hash % self.sets) as usize * WAYS;
        let set = &mut self.lines[first..first + WAYS];
        let found = set.iter().position(|line| line.present != 0 && line.number == number);
        let way = found.unwrap_or_else(|| {
            let oldest = (0..WAYS).min_by_key(|&way| set[way].used).unwrap_or(0);
            set[oldest] = Line { number, ..Line::default() };
            oldest
        });
        self.last = first + way;
        let line = &mut set[way];
        line.used = self.now;
        let hit = line.present & bit != 0;
        line.present |= bit;
        hit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_touched_is_there_until_others_push_it_out() {
        let mut cache = Cache::new(4096); // 32 lines: two sets
        assert!(!cache.touch(8));
        assert!(cache.touch(8));
        assert!(!cache.touch(9), "another sector of the same line");
        assert!(cache.touch(8) && cache.touch(9));
        for line in 100..200 {
            cache.touch(line * SECTORS);
        }
        assert!(!cache.touch(8));
    }

    #[test]
    fn a_working_set_that_fits_hits_and_one_that_does_not_misses() {
        let hits = |lines: u64| {
            let mut cache = Cache::new(64 * 1024); // 512 lines
            let mut round = || (0..lines).filter(|line| cache.touch(line * SECTORS)).count();
            round();
            round()
        };
        assert_eq!(hits(256), 256);
        assert_eq!(hits(4096), 0);
    }
}
