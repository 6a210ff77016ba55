//! Random words for arrays of gigabytes, and random floats.

use chacha20::ChaCha8Rng;
use chacha20::rand_core::Rng;

use crate::parts;

/// Random numbers that are the same on every system.
pub type Random = ChaCha8Rng;

/// Draws `count` words in parallel, maps each with `of`, and advances `random` by `count`.
pub fn drawn<T: Copy + Default + Send>(
    count: u64,
    random: &mut Random,
    of: impl Fn(u32) -> T + Sync,
) -> Vec<T> {
    let (state, start) = (random.serialize_state(), random.get_word_pos());
    let all = parts::filled(count as usize, |first, part| {
        let mut random = Random::deserialize_state(&state);
        random.set_word_pos(start + first as u128);
        part.iter_mut().for_each(|it| *it = of(random.next_u32()));
    });
    random.set_word_pos(start + u128::from(count));
    all
}

/// Draws `count` random words in parallel from the generator SplitMix64, whose seed is the next `u64` of `random`. A word
/// takes a nanosecond, where one of [`Random`] takes several.
pub fn random_words(count: u64, random: &mut impl Rng) -> Vec<u32> {
    of_random_words(count, random, |word| word)
}

/// Draws `count` words as [`random_words`] does, and maps each with `of`.
pub fn of_random_words<T: Copy + Default + Send>(
    count: u64,
    random: &mut impl Rng,
    of: impl Fn(u32) -> T + Sync,
) -> Vec<T> {
    let start = random.next_u64();
    parts::filled(count as usize, |first, part| {
        for (i, it) in (first as u64 + 1..).zip(part) {
            *it =
                of((mixed(start.wrapping_add(i.wrapping_mul(0x9e37_79b9_7f4a_7c15))) >> 32) as u32);
        }
    })
}

/// A float from 0 up to but without 1, from the 24 upper bits of a word: exact.
#[inline]
pub fn fraction(word: u32) -> f32 {
    (word >> 8) as f32 / (1 << 24) as f32
}

/// The bits of a word, each of which depends on all bits of another.
#[inline]
pub(crate) fn mixed(word: u64) -> u64 {
    let word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}

#[cfg(test)]
mod tests {
    use chacha20::rand_core::SeedableRng;

    use super::*;
    use crate::parts::PART;

    #[test]
    fn words_are_those_that_one_thread_draws_one_after_the_other() {
        for skipped in [0, 1, 15, 16, 63, 64, 65] {
            for count in [0, 1, 2, 63, 64, 1000, PART, PART + 1, 3 * PART + 17] {
                let mut one = Random::seed_from_u64(7);
                (0..skipped).for_each(|_| _ = one.next_u32());
                let mut many = Random::deserialize_state(&one.serialize_state());
                let expected: Vec<u32> = (0..count).map(|_| one.next_u32()).collect();
                let drawn = drawn(count as u64, &mut many, |word| word);
                assert!(drawn == expected, "{count} words after {skipped}");
                assert_eq!(one.next_u64(), many.next_u64(), "after {count} words after {skipped}");
            }
        }
    }

    #[test]
    fn random_words_are_those_of_splitmix() {
        let mut state = Random::seed_from_u64(1).next_u64();
        let mut next = || {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            (mixed(state) >> 32) as u32
        };
        let expected: Vec<u32> = (0..100_000).map(|_| next()).collect();
        let words: Vec<u32> = random_words(100_000, &mut Random::seed_from_u64(1));
        assert_eq!(words, expected);
    }

    #[test]
    fn words_are_spread_evenly_and_depend_on_the_seed() {
        let words = |seed| random_words(100_000, &mut Random::seed_from_u64(seed));
        let first = words(1);
        for bit in 0..32 {
            let set = first.iter().filter(|&&word| word >> bit & 1 == 1).count();
            assert!((49_000..51_000).contains(&set), "bit {bit}: {set}");
        }
        let rising = first.iter().zip(&first[1..]).filter(|(word, next)| word < next).count();
        assert!((49_000..51_000).contains(&rising), "{rising}");
        assert_ne!(first, words(2));
    }

    #[test]
    fn fractions_are_below_one() {
        let fractions = drawn(10_000, &mut Random::seed_from_u64(1), fraction);
        assert!(fractions.iter().all(|it| (0.0..1.0).contains(it)));
        let mean = fractions.iter().sum::<f32>() / 10_000.0;
        assert!((0.49..0.51).contains(&mean), "{mean}");
    }
}
