//! Rows that are verified: their lengths, their elements, and what is expected of them.

use std::ops::Range;

use chacha20::rand_core::Rng;
use ladder::arrays::{Random, drawn, fraction};
use ladder::judge::Tolerance;
use rayon::prelude::*;

/// Elements of a row that a thread holds in registers: `4 * PIECES` in the kernels.
pub const HELD: u32 = 32;

/// The longest row of a warp.
pub const OF_A_WARP: u32 = 1024;

/// The longest row of a block.
pub const OF_A_BLOCK: u32 = 512 * HELD;

/// Added to the variance, as most models have it. Verified kernels are given others, too.
pub const EPSILON: f32 = 1e-5;

/// Of eight blocks of a cluster, 160 threads each, the last one has none of them.
pub const OF_SEVEN_BLOCKS: u64 = 7 * 160 * HELD as u64;

/// Half of the last place of a float between 1 and 2.
const UNIT: f64 = 1.0 / (1 << 24) as f64;

/// What elements of a row are scaled by: squares that vanish, that are as small as `EPSILON`, and that are large.
const SCALES: [f32; 4] = [1e-8, 3e-3, 1.0, 1e10];

/// How far the mean of a row is from 0 if it is far, where elements differ by less than 2.
const FAR: f32 = 1000.0;

/// All elements of a row in which they are equal: sums of these are exact.
const EQUAL: [f32; 3] = [0.0, 3.0, -3.0];

/// How rare elements are that are not 0.
const RARE: u32 = 64;

/// How the elements of rows differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Elements {
    /// All as large as 1.
    Alike,
    /// Each row has its scale.
    Scaled,
    /// All but one in [`RARE`] are 0: a sum that lacks a part of the others is far off, however long the row is. These come in
    /// pairs of both signs: the mean is 0, or else all the zeros would add equal squares, rounded the same way each time.
    Rare,
    /// The mean is far from 0.
    Far,
    /// They do not differ.
    Equal,
}

impl Elements {
    /// Rows of so many elements.
    pub fn rows(self, rows: u64, columns: u64, random: &mut Random) -> Vec<f32> {
        let mut x: Vec<f32> = drawn(rows * columns, random, |word| 2.0 * fraction(word) - 1.0);
        for row in x.chunks_mut(columns as usize) {
            let word = random.next_u32() as usize;
            match self {
                Elements::Alike => return x,
                Elements::Scaled => row.iter_mut().for_each(|it| *it *= SCALES[word % 4]),
                Elements::Rare => {
                    let mut first: Option<usize> = None;
                    for i in 0..row.len() {
                        row[i] = match (random.next_u32().is_multiple_of(RARE), first) {
                            (false, _) => 0.0,
                            (true, None) => row[*first.insert(i)],
                            (true, Some(of_pair)) => {
                                first = None;
                                -row[of_pair]
                            }
                        };
                    }
                    if let Some(alone) = first {
                        row[alone] = 0.0;
                    }
                }
                Elements::Far => {
                    let offset = if word.is_multiple_of(2) { FAR } else { -FAR };
                    row.iter_mut().for_each(|it| *it += offset);
                }
                Elements::Equal => row.fill(EQUAL[word % 3]),
            }
        }
        x
    }
}

/// Mean and variance of a row.
fn moments(row: &[f32]) -> (f64, f64) {
    let count = row.len() as f64;
    let mean = row.iter().map(|&it| f64::from(it)).sum::<f64>() / count;
    (mean, row.iter().map(|&it| (f64::from(it) - mean).powi(2)).sum::<f64>() / count)
}

/// The reference of layer norm, in `f64`: rows of mean 0 and variance 1, times `weight`, plus `bias`.
pub fn layer_norm(x: &[f32], weight: &[f32], bias: &[f32], epsilon: f32) -> Vec<f32> {
    let mut y = vec![0.0; x.len()];
    y.par_chunks_mut(weight.len()).zip(x.par_chunks(weight.len())).for_each(|(y, x)| {
        let (mean, variance) = moments(x);
        let scale = (variance + f64::from(epsilon)).sqrt().recip();
        for (i, y) in y.iter_mut().enumerate() {
            let result = (f64::from(x[i]) - mean) * scale * f64::from(weight[i]);
            *y = (result + f64::from(bias[i])) as f32;
        }
    });
    y
}

/// The reference of RMS norm, in `f64`: rows divided by the root of their mean square, times `weight`.
pub fn rms_norm(x: &[f32], weight: &[f32], epsilon: f32) -> Vec<f32> {
    let mut y = vec![0.0; x.len()];
    y.par_chunks_mut(weight.len()).zip(x.par_chunks(weight.len())).for_each(|(y, x)| {
        let (mean, variance) = moments(x);
        let scale = (variance + mean * mean + f64::from(epsilon)).sqrt().recip();
        for (i, y) in y.iter_mut().enumerate() {
            *y = (f64::from(x[i]) * scale * f64::from(weight[i])) as f32;
        }
    });
    y
}

/// How far results may be off, for sums of a row in any order.
///
/// A sum of k squares from first to last is rounded k times, by either sign: it is off by about √k/4 · 2⁻²⁴ of itself, seldom by
/// four times that. The reciprocal root is off by 2 · 2⁻²³, and three more operations are rounded. The
/// mean of k numbers is off by √k/4 · 2⁻²⁴ of itself too, and by its own rounding and that of a division. What that is of
/// the distances from the mean is larger by how much further the mean is from 0: the ratio of the mean and the deviation.
pub fn rounded(x: &[f32], columns: usize, epsilon: f32, has_mean: bool) -> Tolerance {
    let ratio = |row: &[f32]| {
        let (mean, variance) = moments(row);
        mean.abs() / (variance + f64::from(epsilon)).sqrt()
    };
    let most = x.par_chunks(columns).map(ratio).reduce(|| 0.0, f64::max);
    let sum = (columns as f64).sqrt();
    let mean = if has_mean { most * (sum + 2.0) } else { 0.0 };
    let rms = (sum + 6.0 + mean) * UNIT;
    // An error of a row is that of all its elements, some of which are larger than others.
    Tolerance { rms, worst: 4.0 * rms }
}

/// How many lengths [`end`] has.
pub const ENDS: Range<u64> = 0..100;

/// The first of them that are for clusters.
pub const OF_CLUSTERS: u64 = 84;

/// A length of rows of which the last element is at another place of what threads hold: in each quarter of each piece of a
/// warp's rows, then in each piece where these are whole; in blocks, and in clusters.
pub fn end(number: u64, random: &mut Random) -> u64 {
    // Lanes of a kernel for short rows, and which of its quarters of pieces its shortest and its longest rows end in.
    const SHORT: [(u64, Range<u64>); 4] = [(8, 0..16), (16, 8..16), (32, 8..16), (32, 16..32)];
    let mut quarters = SHORT.iter().flat_map(|(lanes, of)| of.clone().map(move |it| (lanes, it)));
    let mut about = |count: u64| random.next_u64() % count;
    match number {
        0..48 => {
            quarters.nth(number as usize).map_or(1, |(lanes, at)| at * lanes + about(*lanes)) | 1
        }
        48..60 => {
            let mut pieces = quarters.step_by(4);
            pieces
                .nth(number as usize - 48)
                .map_or(4, |(lanes, at)| at * lanes + 4 * (1 + about(*lanes)))
        }
        60..76 => (1025 + 64 * (number - 60) + about(64)) | 1,
        76..OF_CLUSTERS => 1028 + 128 * (number - 76) + 4 * about(32),
        // Eight blocks of 160 threads, whose pieces have 640 elements each: the last block ends in each of its eight pieces.
        OF_CLUSTERS..92 => (OF_SEVEN_BLOCKS + 1 + 640 * (number - OF_CLUSTERS) + about(640)) | 1,
        _ => OF_SEVEN_BLOCKS + 4 + 640 * (number - 92) + 4 * about(160),
    }
}

#[cfg(test)]
mod reference {
    use super::*;

    #[test]
    fn rows_have_mean_0_and_variance_1_and_equal_elements_are_the_bias() {
        let y = layer_norm(&[1001.0, 999.0, 3.0, 3.0], &[1.0, 2.0], &[0.0, 0.5], EPSILON);
        let near = |(got, expected): (&f32, f32)| (got - expected).abs() < 1e-4;
        assert!(y.iter().zip([1.0, -1.5, 0.0, 0.5]).all(near), "{y:?}");
    }

    #[test]
    fn rows_have_a_mean_square_of_1() {
        let y = rms_norm(&[3.0, 4.0, -3.0, 4.0], &[1.0; 4], EPSILON);
        assert!((y.iter().map(|it| it * it).sum::<f32>() - 4.0).abs() < 1e-4, "{y:?}");
        assert_eq!(rms_norm(&[0.0, 0.0], &[1.0; 2], EPSILON), [0.0, 0.0]);
    }

    #[test]
    fn ends_are_lengths_of_the_kernel_they_are_for() {
        let mut random = chacha20::rand_core::SeedableRng::seed_from_u64(1);
        let of = |from: u64, to: u64, random: &mut Random| {
            (from..to).map(|it| end(it, random)).collect::<Vec<_>>()
        };
        let odd = of(0, 48, &mut random);
        assert!(odd[..16].iter().all(|it| *it <= 128) && odd[16..].iter().all(|it| *it > 128));
        assert!(odd.iter().all(|it| it % 2 == 1 && *it <= 1024), "{odd:?}");
        assert!(of(48, 60, &mut random).iter().all(|it| it % 4 == 0 && *it <= 1024));
        assert!(of(60, OF_CLUSTERS, &mut random).iter().all(|it| (1025..=16_384).contains(it)));
        assert!(of(OF_CLUSTERS, 100, &mut random).iter().all(|it| *it > 16_384));
    }
}
