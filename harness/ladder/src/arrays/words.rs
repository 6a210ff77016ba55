//! Random words for arrays of gigabytes, and random floats.

use chacha20::rand_core::Rng;

/// So many random words: those of the generator SplitMix64, begun at random. One takes a nanosecond or two, where one of
/// [`super::Random`] takes many.
pub fn random_words<R: Rng>(count: u64, random: &mut R) -> impl Iterator<Item = u32> + use<R> {
    let mut state = random.next_u64();
    (0..count).map(move |_| {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        (mixed(state) >> 32) as u32
    })
}

/// A random float from 0 up to but without 1, from the 24 upper bits of a word: exact.
pub fn random_fraction<R: Rng>(random: &mut R) -> f32 {
    (random.next_u32() >> 8) as f32 / (1 << 24) as f32
}

/// The bits of a word, each of which depends on all bits of another.
pub(super) fn mixed(word: u64) -> u64 {
    let word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}

#[cfg(test)]
mod tests {
    use chacha20::rand_core::SeedableRng;

    use super::*;
    use crate::arrays::Random;

    #[test]
    fn words_are_spread_evenly_and_depend_on_the_seed() {
        let words = |seed| random_words(100_000, &mut Random::seed_from_u64(seed));
        for bit in 0..32 {
            let set = words(1).filter(|word| word >> bit & 1 == 1).count();
            assert!((49_000..51_000).contains(&set), "bit {bit}: {set}");
        }
        let pairs = words(1).zip(words(1).skip(1));
        let rising = pairs.filter(|(word, next)| word < next).count();
        assert!((49_000..51_000).contains(&rising), "{rising}");
        assert!(words(1).eq(words(1)) && !words(1).eq(words(2)));
    }

    #[test]
    fn fractions_are_below_one() {
        let mut random = Random::seed_from_u64(1);
        let fractions: Vec<f32> = (0..10_000).map(|_| random_fraction(&mut random)).collect();
        assert!(fractions.iter().all(|it| (0.0..1.0).contains(it)));
        let mean = fractions.iter().sum::<f32>() / 10_000.0;
        assert!((0.49..0.51).contains(&mean), "{mean}");
    }
}
