//! A cache of sectors.

/// Sectors of a line, which share its tag.
const SECTORS: u64 = 4;
/// Lines of a set.
const WAYS: usize = 16;

/// Of each line of a set its number and one bit for each of its sectors that is there, the last used first; 0 of one that
/// is not there.
type Set = [u64; WAYS];

/// A cache of lines of 128 bytes that are filled by sectors of 32 bytes; the least recently used line of a set gives
/// way. The vendor documents neither sets nor replacement: 16 ways and a hashed set come close to full associativity.
#[derive(Clone)]
pub(super) struct Cache {
    /// The place of each set among `sets`; 0 of one that nobody has touched, as most are in most launches.
    places: Vec<u32>,
    /// The first is empty and stays so.
    sets: Vec<Set>,
}

/// The set in which who asks a cache found a sector last: the next is often in the same line.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Last(u32);

impl Cache {
    /// An empty cache of this many bytes.
    pub(super) fn new(bytes: u64) -> Cache {
        let count = (bytes / (128 * WAYS as u64)).clamp(1, u32::MAX.into());
        Cache { places: vec![0; count as usize], sets: vec![Set::default()] }
    }

    /// Whether a sector is there; now it is.
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

    /// Whether a sector is there, which is no use of it.
    pub(super) fn has(&self, sector: u64) -> bool {
        let (number, bit) = (sector / SECTORS, 1 << (sector % SECTORS));
        let set = &self.sets[self.places[self.index(number)] as usize];
        set.iter().any(|&line| is(line, number) && line & bit != 0)
    }

    /// Where the place of a line's set is. Fibonacci hashing (Knuth, The Art of Computer Programming 3, section 6.4) spreads
    /// strides over the sets.
    fn index(&self, number: u64) -> usize {
        let hash = (number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as u32;
        (hash % self.places.len() as u32) as usize
    }

    /// The set of a line, which is its first from now on.
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
        // The lines before it make room; the least recently used one gives way.
        set.copy_within(..way.unwrap_or(WAYS - 1), 1);
        set[0] = line;
        Last(*place)
    }
}

/// Whether a line is there and has this number.
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
