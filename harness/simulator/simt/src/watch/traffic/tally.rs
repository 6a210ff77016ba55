//! Numbers that lanes have.

use crate::registers::LANES;

/// Twice as many places as there are lanes: a number is mostly found at once.
const PLACES: usize = 2 * LANES;

/// Counts how many lanes have each number.
pub(super) struct Tally {
    numbers: [u64; PLACES],
    /// Of the number at each place; 0 where there is none.
    lanes: [u8; PLACES],
}

impl Tally {
    pub(super) fn new() -> Tally {
        Tally { numbers: [0; PLACES], lanes: [0; PLACES] }
    }

    /// How many lanes have a number, with one more that has it.
    #[inline(always)]
    pub(super) fn add(&mut self, number: u64) -> u8 {
        // The top bits of a product spread strides over the places, as in the caches.
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
