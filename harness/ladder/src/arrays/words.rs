//! Random words for arrays of gigabytes.

use chacha20::rand_core::Rng;

/// So many random words: those of the generator SplitMix64, begun at random. One takes a nanosecond or two, where one of
/// [`super::Random`] takes many.
pub fn random_words<R: Rng>(count: u64, random: &mut R) -> impl Iterator<Item = u32> + use<R> {
    let mut state = random.next_u64();
    (0..count).map(move |_| {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((x ^ x >> 31) >> 32) as u32
    })
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
}
