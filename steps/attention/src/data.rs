//! Queries, keys and values, and rows of the result in doubles.

use std::f64::consts::{LOG2_E, TAU};

use chacha20::rand_core::Rng;
use half::bf16;
use ladder::arrays::{Random, chosen, fraction, of_random_words};
use rayon::prelude::*;

/// How the scores of a query are spread over its keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scores {
    /// Normal, with variance 1.
    Normal,
    /// So far apart that one key has nearly all of the weight, and exponentials of scores overflow. In every second head that is
    /// the first key, but for one query in each `ALONE`: its own, the last one that it sees with a mask.
    Apart,
    /// Rising or falling from the first key to the last, by far more than rounding hides; in every second head all of them
    /// far below zero, so that no exponential of a score is more than 0.
    Sloping,
    /// All the same, so that the result is a plain mean.
    Equal,
}

/// How far apart scores are.
const APART: f32 = 400.0;

/// Queries of which one alone finds larger scores later: those that share a warp.
const ALONE: usize = 32;

/// How much the elements of the last key are above those of the first.
const SLOPE: f32 = 8.0;

/// How many times as much they are below zero where scores are: below -10000, which some kernels have in the place of minus infinity.
const BELOW: f32 = 160.0;

/// Multiplications of the reference: a fraction of a second.
const REFERENCE: u64 = 1 << 27;

/// Rows that are compared where there are many keys, at least.
const FEWEST: u64 = 64;

/// Queries of a tile whose first and last are compared.
const TILE: u64 = 128;

/// Q, K and V: for each head, `n` rows of `d` elements.
pub struct Inputs {
    /// Keys, as many as queries.
    pub n: usize,
    /// Elements of a row.
    pub d: usize,
    /// Whether a query sees only the keys up to its own place.
    pub causal: bool,
    /// What scores are multiplied by, so that powers of two of them are weights: log₂ e/√d; up to half more or less where scores
    /// are special.
    pub scale: f32,
    /// Q, K and V.
    pub matrices: [Vec<bf16>; 3],
}

impl Inputs {
    /// Random ones.
    pub fn random(
        [n, heads, d]: [u64; 3],
        causal: bool,
        scores: Scores,
        random: &mut Random,
    ) -> Inputs {
        let [mut q, mut k, v] = [(); 3].map(|()| normal(n * heads * d, random));
        match scores {
            Scores::Normal => {}
            Scores::Apart => {
                let d = d as usize;
                let heads = q.chunks_mut(n as usize * d).zip(k.chunks(n as usize * d));
                for (_, (queries, keys)) in heads.enumerate().filter(|(head, _)| head % 2 == 1) {
                    let alone = random.next_u32() as usize;
                    for (at, query) in queries.chunks_mut(d).enumerate() {
                        // Another one of each `ALONE`.
                        if (at + at / ALONE * 7 + alone).is_multiple_of(ALONE) {
                            let own = query.iter_mut().zip(&keys[at * d..]);
                            own.for_each(|(it, key)| *it = key / 4.0);
                        } else {
                            query.copy_from_slice(&keys[..d]);
                        }
                    }
                }
                q.iter_mut().for_each(|it| *it *= APART);
            }
            Scores::Sloping => {
                q.iter_mut().for_each(|it| *it = it.abs());
                let [rises, odd_are_below] = [(); 2].map(|()| random.next_u32().is_multiple_of(2));
                for (row, keys) in k.chunks_mut(d as usize).enumerate() {
                    let (head, place) = (row as u64 / n, row as u64 % n);
                    let is_below = head.is_multiple_of(2) != odd_are_below;
                    let below = if is_below { BELOW } else { 0.0 };
                    let above = if rises { place + 1 } else { n - place } as f32 / n as f32;
                    keys.iter_mut().for_each(|it| *it += SLOPE * (above - below));
                }
            }
            Scores::Equal => k.fill(0.0),
        }
        let strength = match scores {
            Scores::Normal => 1.0,
            _ => 0.5 + fraction(random.next_u32()),
        };
        let scale = (LOG2_E / (d as f64).sqrt()) as f32 * strength;
        let rounded = |all: Vec<f32>| all.into_iter().map(bf16::from_f32).collect();
        Inputs { n: n as usize, d: d as usize, causal, scale, matrices: [q, k, v].map(rounded) }
    }

    /// Places of elements of the result, whole rows of it, and what they are.
    pub fn result(&self, random: &mut Random) -> (Vec<usize>, Vec<bf16>) {
        let of_a_row = 2 * (self.n * self.d) as u64;
        let most = (REFERENCE / of_a_row).max(FEWEST);
        let rows = self.matrices[0].len() / self.d;
        let extent = [1, self.n as u64, (rows / self.n) as u64];
        let rows = chosen(extent, TILE, most as usize, random);
        let elements = rows.par_iter().flat_map_iter(|&row| self.row(row)).collect();
        (rows.iter().flat_map(|row| row * self.d..(row + 1) * self.d).collect(), elements)
    }

    /// A row of the result.
    fn row(&self, row: usize) -> Vec<bf16> {
        let (head, query) = (row / self.n * self.n, row % self.n);
        let seen = if self.causal { query + 1 } else { self.n };
        let [q, k, v] = &self.matrices;
        let of = |matrix: &[bf16], row: usize| -> Vec<f64> {
            matrix[row * self.d..][..self.d].iter().map(|it| it.to_f64()).collect()
        };
        let own = of(q, row);
        let scores: Vec<f64> = (head..head + seen)
            .map(|key| {
                let product: f64 = own.iter().zip(of(k, key)).map(|(a, b)| a * b).sum();
                product * f64::from(self.scale)
            })
            .collect();
        let most = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let (mut all, mut result) = (0.0, vec![0.0; self.d]);
        for (key, score) in scores.iter().enumerate() {
            let weight = (score - most).exp2();
            all += weight;
            result.iter_mut().zip(of(v, head + key)).for_each(|(sum, it)| *sum += weight * it);
        }
        result.into_iter().map(|sum| bf16::from_f64(sum / all)).collect()
    }
}

/// Numbers of the normal distribution with mean 0 and variance 1 (Box and Muller, from the halves of a random word).
fn normal(count: u64, random: &mut Random) -> Vec<f32> {
    let number = |half: u32| (f64::from(half) + 0.5) / f64::from(1 << 16);
    let of = |word: u32| {
        let [length, angle] = [word & 0xffff, word >> 16].map(number);
        ((-2.0 * length.ln()).sqrt() * (TAU * angle).cos()) as f32
    };
    of_random_words(count, random, of)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_has_the_mean_of_the_values_whose_keys_match_it_and_sees_no_later_ones() {
        let matrix = |rows: [[f32; 2]; 3]| rows.concat().into_iter().map(bf16::from_f32).collect();
        let q = matrix([[0.0, 0.0], [100.0, 0.0], [0.0, 100.0]]);
        let k = matrix([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]]);
        let v = matrix([[2.0, 4.0], [4.0, 8.0], [9.0, 9.0]]);
        let mut inputs = Inputs { n: 3, d: 2, causal: false, scale: 1.0, matrices: [q, k, v] };
        let rows = |inputs: &Inputs| -> Vec<f32> {
            (0..3).flat_map(|row| inputs.row(row)).map(bf16::to_f32).collect()
        };
        assert_eq!(rows(&inputs), [5.0, 7.0, 3.0, 6.0, 9.0, 9.0]);
        inputs.causal = true;
        assert_eq!(rows(&inputs), [2.0, 4.0, 3.0, 6.0, 9.0, 9.0]);
    }
}
