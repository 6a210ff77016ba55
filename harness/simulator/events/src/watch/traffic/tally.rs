//! Counts how many lanes have the same number.

use program::registers::LANES;

/// Twice as many slots as lanes, so that most lookups succeed at once.
const PLACES: usize = 2 * LANES;

/// A hash table from numbers to counts of lanes.
pub(super) struct Tally {
    numbers: [u64; PLACES],
    /// Count of the number in each slot; 0 if the slot is empty.
    lanes: [u8; PLACES],
}

impl Tally {
    pub(super) fn new() -> Tally {
        Tally { numbers: [0; PLACES], lanes: [0; PLACES] }
    }

    /// Adds a lane with this number, and returns the count of its lanes.
    #[inline(always)]
    pub(super) fn add(&mut self, number: u64) -> u8 {
        // The top bits of a product spread strides over the slots, as in the caches.
        let hash = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - PLACES.ilog2());
        let mut place = hash as usize;
        while self.lanes[place] != 0 && self.numbers[place] != number {
            place = (place + 1) % PLACES;
        }
        self.numbers[place] = number;
        self.lanes[place] += 1;
        self.lanes[place]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_number_is_counted_for_itself() {
        for step in [0, 1, 2, 3, 7, 64, 1 << 20, u64::MAX / 5] {
            for different in 1..=LANES {
                let mut tally = Tally::new();
                for lane in 0..LANES {
                    let times = tally.add(((lane % different) as u64).wrapping_mul(step));
                    let expected = if step == 0 { lane } else { lane / different };
                    assert_eq!(usize::from(times), expected + 1, "{step} {different} {lane}");
                }
            }
        }
    }
}
