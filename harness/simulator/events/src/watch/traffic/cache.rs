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
    sets: Vec<Set>,
    /// 2⁶⁴ divided by the number of sets, rounded up.
    reciprocal: u64,
}

/// The set of the last lookup, because the next sector is often in the same line.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Last(u32);

impl Cache {
    /// An empty cache of this size in bytes.
    pub(super) fn new(bytes: u64) -> Cache {
        let count = (bytes / (128 * WAYS as u64)).clamp(1, u32::MAX.into());
        let reciprocal = (u64::MAX / count).wrapping_add(1);
        Cache { sets: vec![Set::default(); count as usize], reciprocal }
    }

    /// The number of a sector's line.
    pub(super) fn line(sector: u64) -> u64 {
        sector / SECTORS
    }

    /// The bit of a sector among those of its line.
    pub(super) fn bit(sector: u64) -> u64 {
        1 << (sector % SECTORS)
    }

    /// Whether a sector hits; afterwards it is in the cache.
    pub(super) fn touch(&mut self, sector: u64, last: &mut Last) -> bool {
        self.touch_all(&[sector], last) != 0
    }

    /// The bits of those sectors of a line that hit; afterwards they all are in the cache.
    #[inline]
    pub(super) fn touch_all(&mut self, sectors: &[u64], last: &mut Last) -> u64 {
        let Some(&first) = sectors.first() else { return 0 };
        let number = Cache::line(first);
        if !is(self.sets[last.0 as usize][0], number) {
            *last = self.find(number);
        }
        let line = &mut self.sets[last.0 as usize][0];
        let bits = sectors.iter().fold(0, |bits, &sector| bits | Cache::bit(sector));
        let hits = *line & bits;
        *line |= bits;
        hits
    }

    /// Whether a sector is in the cache, without marking it as used.
    pub(super) fn has(&self, sector: u64) -> bool {
        let (number, bit) = (Cache::line(sector), Cache::bit(sector));
        let set = &self.sets[self.index(number) as usize];
        set.iter().any(|&line| is(line, number) && line & bit != 0)
    }

    /// Index of a line's set. Fibonacci hashing (Knuth, The Art of Computer Programming 3, section 6.4) spreads strides
    /// over the sets. The rest of a division of 32 bits is exact by two products (D. Lemire et al., "Faster remainder by
    /// direct computation", Software: Practice and Experience 49(6), 2019), and a division takes longer than all else here.
    fn index(&self, number: u64) -> u32 {
        let hash = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        let fraction = self.reciprocal.wrapping_mul(hash);
        ((u128::from(fraction) * self.sets.len() as u128) >> 64) as u32
    }

    /// The set of a line, after moving the line to its front.
    fn find(&mut self, number: u64) -> Last {
        let index = self.index(number);
        let set = &mut self.sets[index as usize];
        // The lines before it move back by one. Empty ways are at the end, so one of them ends the search; where there is
        // none, the least recently used line is evicted.
        let way = set.iter().position(|&line| is(line, number) || line == 0).unwrap_or(WAYS - 1);
        let line = if is(set[way], number) { set[way] } else { number << SECTORS };
        set.copy_within(..way, 1);
        set[0] = line;
        Last(index)
    }
}

/// Whether a way holds the line of this number; that of number 0 may be one of the empty ways.
fn is(line: u64, number: u64) -> bool {
    line >> SECTORS == number
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
    fn a_set_is_the_rest_of_a_division() {
        for count in [1, 2, 3, 7, 128, 30_720, 65_537] {
            let cache = Cache::new(128 * WAYS as u64 * count);
            for number in (0..1000).chain([u64::MAX, 1 << 40, 12_345_678_901]) {
                let hash = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
                assert_eq!(u64::from(cache.index(number)), hash % count, "{number} of {count}");
            }
        }
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
