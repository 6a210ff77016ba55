//! How steps hold the weights of a matrix: as numbers of 16 bits, or as whole numbers of 8 or 4 bits with a scale for each
//! group of neighbours in a row.

use half::bf16;
use ladder::arrays::{Random, drawn};
use rayon::prelude::*;

/// Neighbours in a row that share a scale: `GROUP` in `kernels/decode/groups.cuh`.
pub const GROUP: u64 = 128;

/// What is stored in 4 bits for a weight of 0.
const MIDDLE: i32 = 8;

/// How a step holds weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// BF16.
    Bf16,
    /// The same bits, two weights in a word, which is a whole number: for the limit of reading.
    Words,
    /// Whole numbers of 8 bits, from −128 to 127, and scales of BF16.
    Bytes,
    /// Whole numbers of 4 bits, from −8 to 7, and scales of BF16. The lower half of a byte comes first.
    Nibbles,
}

/// Weights in a format, and what they are.
pub struct Weights {
    /// As kernels get them, in bytes.
    pub stored: Vec<u8>,
    /// Scales of groups as bits of BF16; none for BF16.
    pub scales: Vec<u16>,
    /// The numbers that are multiplied with a scale, or the weights themselves.
    numbers: Vec<f32>,
}

impl Format {
    /// Names of the arrays with weights, scales, results for one vector, and results for all.
    pub fn arrays(self) -> [&'static str; 4] {
        match self {
            Format::Bf16 => ["w", "", "y", "ys"],
            Format::Words => ["w", "", "sums of words", ""],
            Format::Bytes => ["w in bytes", "scales of bytes", "y of bytes", "ys of bytes"],
            Format::Nibbles => {
                ["w in nibbles", "scales of nibbles", "y of nibbles", "ys of nibbles"]
            }
        }
    }

    /// What it is called in a table.
    pub fn words(self) -> &'static str {
        match self {
            Format::Bf16 | Format::Words => "16 bits",
            Format::Bytes => "8 bits, and a scale for 128 of them",
            Format::Nibbles => "4 bits, and a scale for 128 of them",
        }
    }

    /// Random weights. Whole ones are small numbers with scales that are powers of two, so that every sum is exact.
    pub fn random(self, count: u64, whole: bool, random: &mut Random) -> Weights {
        let scale = |word: u32| {
            // 2⁻⁸ to 2⁻⁴ with seven bits after the point, or a power of two.
            let mantissa = if whole { 0 } else { word % 128 };
            bf16::from_bits((((119 + word / 128 % 4) << 7) | mantissa) as u16)
        };
        let scales = match self {
            Format::Bf16 | Format::Words => Vec::new(),
            _ => drawn(count / GROUP, random, |word| scale(word).to_bits()),
        };
        let (stored, numbers): (Vec<u8>, Vec<f32>) = match self {
            Format::Bf16 | Format::Words => {
                let bits = drawn(count, random, |word| match whole {
                    true => bf16::from_f32((word % 17) as f32 - 8.0).to_bits(),
                    // ±2⁻³ to ±2, and now and then a zero.
                    false if word.is_multiple_of(101) => 0,
                    false => {
                        (((word >> 16) & 0x8000) | ((124 + word % 4) << 7) | ((word >> 8) % 128))
                            as u16
                    }
                });
                let numbers = bits.par_iter().map(|&it| bf16::from_bits(it).to_f32()).collect();
                (bits.par_iter().flat_map_iter(|it| it.to_le_bytes()).collect(), numbers)
            }
            Format::Bytes => {
                let bytes = drawn(count, random, |word| (word >> 24) as u8);
                let numbers = bytes.par_iter().map(|&it| f32::from(it.cast_signed())).collect();
                (bytes, numbers)
            }
            Format::Nibbles => {
                let bytes = drawn(count / 2, random, |word| (word >> 24) as u8);
                let halves =
                    |it: &u8| [it & 15, it >> 4].map(|half| (i32::from(half) - MIDDLE) as f32);
                let numbers = bytes.par_iter().flat_map_iter(halves).collect();
                (bytes, numbers)
            }
        };
        Weights { stored, scales, numbers }
    }
}

impl Weights {
    /// The products of each row with a vector.
    pub fn times(&self, x: &[f32]) -> Vec<f32> {
        let rows = 0..self.numbers.len() / x.len();
        rows.into_par_iter().map(|row| self.product(row, x)).collect()
    }

    /// The products at some places of all those of rows with vectors: first those of the first vector.
    pub fn at(&self, places: &[usize], vectors: &[f32], [rows, columns]: [usize; 2]) -> Vec<f32> {
        let vector = |place: usize| &vectors[place / rows * columns..][..columns];
        places.par_iter().map(|&place| self.product(place % rows, vector(place))).collect()
    }

    /// The product of a row with a vector, calculated in doubles.
    fn product(&self, row: usize, x: &[f32]) -> f32 {
        let group = GROUP as usize;
        let groups_of_a_row = x.len() / group;
        let numbers = self.numbers[row * x.len()..][..x.len()].chunks(group);
        let groups = numbers.zip(x.chunks(group)).enumerate();
        let product = |(number, (w, x)): (usize, (&[f32], &[f32]))| -> f64 {
            let sum: f64 = w.iter().zip(x).map(|(&w, &x)| f64::from(w) * f64::from(x)).sum();
            let scale = self.scales.get(row * groups_of_a_row + number);
            scale.map_or(1.0, |&it| bf16::from_bits(it).to_f64()) * sum
        };
        groups.map(product).sum::<f64>() as f32
    }

    /// The root mean square of products of rows of `columns` weights with random numbers between −1 and 1.
    pub fn typical(&self, columns: u64) -> f64 {
        let squares: f64 = self.numbers.par_iter().map(|&it| f64::from(it).powi(2)).sum();
        let scales: f64 = self.scales.iter().map(|&it| bf16::from_bits(it).to_f64().powi(2)).sum();
        let scale = if self.scales.is_empty() { 1.0 } else { scales / self.scales.len() as f64 };
        (squares / self.numbers.len() as f64 * scale * columns as f64 / 3.0).sqrt()
    }

    /// The sum of the words of each row, as a kernel of the limit adds them up.
    pub fn sums_of_words(&self, columns: u64) -> Vec<u32> {
        let word = |bytes: &[u8]| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        let rows = self.stored.par_chunks(2 * columns as usize);
        rows.map(|row| row.chunks(4).fold(0, |sum: u32, it| sum.wrapping_add(word(it)))).collect()
    }
}

#[cfg(test)]
mod tests {
    use chacha20::rand_core::SeedableRng;

    use super::*;

    #[test]
    fn halves_of_bytes_and_scales_are_where_kernels_look_for_them() {
        let mut stored = vec![0x88; 128];
        (stored[0], stored[64]) = (0x9f, 0x70);
        let mut random = Random::seed_from_u64(1);
        let drawn = Format::Nibbles.random(256, true, &mut random);
        assert_eq!((drawn.stored.len(), drawn.scales.len(), drawn.numbers.len()), (128, 2, 256));
        for (i, byte) in drawn.stored.iter().enumerate() {
            let [first, second] = [byte & 15, byte >> 4].map(|it| f32::from(it) - 8.0);
            assert_eq!(drawn.numbers[2 * i..2 * i + 2], [first, second]);
        }
        let scales = [0.5f32, 2.0].map(|it| bf16::from_f32(it).to_bits()).to_vec();
        let mut numbers = vec![0.0; 256];
        (numbers[0], numbers[1], numbers[128], numbers[129]) = (7.0, 1.0, -8.0, -1.0);
        let weights = Weights { stored, scales, numbers };
        let mut x = vec![0.0; 256];
        (x[0], x[1], x[128], x[129]) = (1.0, 10.0, 100.0, 1000.0);
        let one = 0.5 * 17.0 + 2.0 * (-800.0 - 1000.0);
        assert_eq!(weights.times(&x), [one]);
        let twice: Vec<f32> = x.iter().map(|it| 2.0 * it).collect();
        assert_eq!(weights.at(&[0, 1], &[x, twice].concat(), [1, 256]), [one, 2.0 * one]);
    }
}
