//! Values at which kernels go wrong that are right for most others.

use chacha20::rand_core::Rng;

use crate::words::Random;

/// Words: the smallest and the largest as numbers without and with a sign, their neighbours, and where halves overflow.
pub const WORDS: [u32; 9] = [
    0,
    1,
    u16::MAX as u32,
    1 << 16,
    i32::MAX as u32,
    1 << 31,
    (1 << 31) + 1,
    u32::MAX - 1,
    u32::MAX,
];

/// Finite floats: zeros of both signs, subnormal and normal ones that are smallest, the largest, and neighbours of 1.
pub const FLOATS: [f32; 10] = [
    0.0,
    -0.0,
    f32::from_bits(1),
    f32::from_bits(0x807f_ffff),
    f32::MIN_POSITIVE,
    1.0 + f32::EPSILON,
    1.0 - f32::EPSILON / 2.0,
    -1.0,
    f32::MAX,
    f32::MIN,
];

/// Infinities and NaN, for kernels that only move floats.
pub const NOT_FINITE: [f32; 3] = [f32::INFINITY, f32::NEG_INFINITY, f32::NAN];

/// Puts such values at places drawn at random: each once, but in no more than half of all places, or in the only one.
pub fn plant<T: Copy>(all: &mut [T], edges: &[T], random: &mut Random) {
    let start = random.next_u64() as usize;
    for number in 0..edges.len().min(all.len().div_ceil(2)) {
        let place = random.next_u64() % all.len() as u64;
        all[place as usize] = edges[(start % edges.len() + number) % edges.len()];
    }
}

#[cfg(test)]
mod tests {
    use chacha20::rand_core::SeedableRng;

    use super::*;

    #[test]
    fn few_places_get_some_and_many_places_all() {
        let planted = |count: usize, seed| {
            let mut all = vec![u32::MAX / 3; count];
            plant(&mut all, &WORDS, &mut Random::seed_from_u64(seed));
            all
        };
        assert!(planted(0, 1).is_empty());
        assert!(WORDS.contains(&planted(1, 1)[0]));
        let first: Vec<u32> = (0..100).map(|seed| planted(1, seed)[0]).collect();
        assert!(WORDS.iter().all(|word| first.contains(word)), "every one at some seed");
        let all = planted(10_000, 1);
        assert!(WORDS.iter().all(|word| all.contains(word)));
        assert_eq!(all.iter().filter(|word| WORDS.contains(word)).count(), WORDS.len());
        assert!(planted(4, 3).contains(&(u32::MAX / 3)), "ordinary ones remain");
    }
}
