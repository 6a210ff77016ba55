//! Random numbers, the same on every machine.

/// SplitMix64 (Steele, Lea and Flood, 2014).
pub struct Random(u64);

impl Random {
    /// Numbers of one case.
    pub fn new(seed: u64, case: u64) -> Random {
        let mut random = Random(seed);
        Random(random.next() ^ case.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// Below `count`, which is not 0.
    pub fn below(&mut self, count: usize) -> usize {
        (self.next() % count as u64) as usize
    }

    pub fn of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }
}
