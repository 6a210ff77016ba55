//! The types that elements of arrays have.

use half::bf16;
use rayon::prelude::*;

use crate::distance::{Distance, distance};
use crate::parts;
use crate::words::mixed;

/// A type that elements of arrays have.
pub trait Element: Sized {
    /// The value as `f64`.
    fn number(self) -> f64;

    /// How far numbers are from expected ones; one that is greater by up to `above` is not off.
    fn distance(got: &[Self], expected: &[Self], above: f64) -> Distance;

    /// The first number that is further from what is expected than this part of it, and further than `least`.
    fn first_apart(got: &[Self], expected: &[Self], part: f64, least: f64) -> Option<usize>;

    /// Whether an element consists of nothing but bytes `byte`.
    fn has_all(all: &[Self], byte: u8) -> bool;

    /// A number that does not depend on the order of elements: two arrays have the same by chance once in 2⁶⁴.
    fn fingerprint(all: &[Self]) -> u64;

    /// How many elements have a byte that is not `poison`.
    fn written(all: &[Self], poison: u8) -> usize;
}

macro_rules! elements {
    ($it:ident => $number:expr, $($type:ty),*) => {
        $(impl Element for $type {
            #[allow(clippy::cast_lossless)]
            fn number(self) -> f64 {
                let $it = self;
                $number
            }

            fn distance(got: &[$type], expected: &[$type], above: f64) -> Distance {
                distance(expected.len(), |i| {
                    let (a, r) = (got[i].number(), expected[i].number());
                    [[if (0.0..=above).contains(&(a - r)) { r } else { a }], [r]]
                })
            }

            fn first_apart(got: &[$type], expected: &[$type], part: f64, least: f64) -> Option<usize> {
                let is_apart = |&i: &usize| {
                    let (a, r) = (got[i].number(), expected[i].number());
                    let off = (a - r).abs();
                    off.is_nan() || off > least.max(part * r.abs())
                };
                let count = got.len().min(expected.len());
                let first = parts::each(count, &|mut places| places.find(is_apart));
                first.into_iter().flatten().next()
            }

            fn has_all(all: &[$type], byte: u8) -> bool {
                let sought = <$type>::from_ne_bytes([byte; size_of::<$type>()]).to_ne_bytes();
                let has = parts::each(all.len(), &|places| {
                    all[places].iter().any(|it| it.to_ne_bytes() == sought)
                });
                has.contains(&true)
            }

            fn fingerprint(all: &[$type]) -> u64 {
                let of = |it: &$type| {
                    let mut word = [0; 8];
                    word[..size_of::<$type>()].copy_from_slice(bytemuck::bytes_of(it));
                    mixed(u64::from_le_bytes(word).wrapping_add(1))
                };
                let sum = |sum: u64, it: u64| sum.wrapping_add(it);
                let sums = parts::each(all.len(), &|places| all[places].iter().map(of).fold(0, sum));
                sums.into_iter().fold(0, sum)
            }

            fn written(all: &[$type], poison: u8) -> usize {
                let is_written = |it: &$type| bytemuck::bytes_of(it).iter().any(|byte| *byte != poison);
                let counts = parts::each(all.len(), &|places| {
                    all[places].iter().filter(|it| is_written(it)).count()
                });
                counts.iter().sum()
            }
        })*
    };
}

elements!(it => it as f64, u8, u16, i32, u32, u64, f32, f64);
elements!(it => it.to_f64(), bf16);

/// Appends each 4 bytes, little-endian, as one `u64`; the last group is padded with zeros.
pub fn append_words(words: &mut Vec<u64>, bytes: &[u8]) {
    words.par_extend(bytes.par_chunks(4).map(|word| {
        let mut whole = [0; 4];
        whole[..word.len()].copy_from_slice(word);
        u64::from(u32::from_le_bytes(whole))
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Several chunks, the last of them not whole.
    const MANY: usize = 300_001;

    fn numbers() -> Vec<f32> {
        (0..MANY).map(|i| 1.0 + (i % 1000) as f32).collect()
    }

    #[test]
    fn what_is_all_poison_is_not_written() {
        let mut all = vec![f32::from_bits(u32::MAX); MANY];
        assert_eq!(f32::written(&all, 0xff), 0);
        (all[0], all[MANY - 1]) = (1.0, f32::NAN);
        assert_eq!((f32::written(&all, 0xff), f32::written(&all, 0)), (2, MANY));
    }

    #[test]
    fn the_first_of_the_worst_counts_wherever_it_is() {
        let expected = numbers();
        for wrong in [&[0][..], &[65_535, 65_536], &[65_536, 131_072], &[MANY - 1], &[70_000]] {
            let mut got = expected.clone();
            wrong.iter().for_each(|&i| got[i] += 1e6);
            let alone =
                |i: usize| Distance { worst_index: i, ..f32::distance(&got, &expected, 0.0) };
            let found = f32::distance(&got, &expected, 0.0);
            assert_eq!(found, alone(wrong[0]));
            assert!(found.worst > 500.0 && found.rms > 0.0, "{found:?}");
            got[wrong[0]] = f32::NAN;
            let found = f32::distance(&got, &expected, 0.0);
            assert_eq!((found.worst_index, found.worst), (wrong[0], f64::INFINITY));
        }
        assert_eq!(f32::distance(&expected, &expected, 0.0).rms, 0.0);
    }

    #[test]
    fn the_first_number_is_found_that_is_too_far_from_its_own_size() {
        let expected = [1e-6f32, 0.0, 1.0];
        let apart = |got: [f32; 3]| f32::first_apart(&got, &expected, 1e-3, 1e-12);
        assert_eq!(apart([1.0005e-6, 1e-13, 1.0005]), None);
        assert_eq!(apart([1.01e-6, 1.0, 1.0]), Some(0));
        assert_eq!(apart([1e-6, 1e-11, 1.0]), Some(1));
        assert_eq!(apart([1e-6, 0.0, f32::NAN]), Some(2));
    }

    #[test]
    fn one_thread_and_many_find_the_same_bits() {
        let expected = numbers();
        let got: Vec<f32> = expected.iter().map(|it| it * 1.000_1).collect();
        let on = |threads| {
            let pool =
                rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            pool.install(|| f32::distance(&got, &expected, 0.0))
        };
        assert_eq!(on(1), on(4));
        let mut sum = 0.0;
        for (a, r) in got.iter().zip(&expected) {
            sum += (f64::from(*a) - f64::from(*r)).powi(2);
        }
        let of_expected: f64 = expected.iter().map(|&r| f64::from(r).powi(2)).sum();
        let rms = (sum / of_expected).sqrt();
        assert!((on(4).rms / rms - 1.0).abs() < 1e-12, "{} and {rms}", on(4).rms);
    }

    #[test]
    fn what_is_a_little_above_is_not_off() {
        let off = |got: u32, above| u32::distance(&[got], &[10], above).worst;
        assert_eq!([off(10, 2.0), off(12, 2.0), off(1000, f64::INFINITY)], [0.0; 3]);
        assert_eq!([off(13, 2.0), off(9, f64::INFINITY), off(11, 0.0)], [0.3, 0.1, 0.1]);
    }

    #[test]
    fn numbers_of_16_bits_are_as_far_off_as_their_values_are() {
        let all = [1.0, -2.0].map(bf16::from_f32);
        let distance = bf16::distance(&[bf16::from_f32(1.5), all[1]], &all, 0.0);
        assert_eq!((distance.worst_index, distance.rms), (0, 0.05f64.sqrt()));
        assert_eq!(bf16::distance(&[all[0], bf16::NAN], &all, 0.0).worst, f64::INFINITY);
        assert!(bf16::has_all(&[all[0], bf16::from_bits(0x7b7b)], 0x7b));
    }

    #[test]
    fn fingerprints_do_not_depend_on_the_order() {
        let mut all: Vec<u32> = (0..MANY as u32).collect();
        let first = u32::fingerprint(&all);
        all.reverse();
        assert_eq!(u32::fingerprint(&all), first);
        all[MANY / 2] += 1;
        assert_ne!(u32::fingerprint(&all), first);
    }

    #[test]
    fn words_are_appended() {
        let mut words = vec![9];
        append_words(&mut words, &[1, 0, 0, 0, 2, 1]);
        assert_eq!(words, [9, 1, 0x102]);
    }
}
