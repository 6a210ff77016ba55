//! What rows hold, what is expected of them, and how far off it may be.

use chacha20::rand_core::Rng;
use ladder::arrays::Random;
use ladder::judge::Tolerance;
use rayon::prelude::*;

/// How far off results may be, for sums of `columns` exponentials in any order.
///
/// The difference of two numbers below 2¹⁰ is exact or rounded by 2⁻²⁴ of at most 20, which is an error of 20 · 2⁻²⁴ of
/// its exponential; the exponential itself is off by 2 · 2⁻²³ (CUDA's `expf`), once more where it scales a sum. A sum from
/// first to last is rounded once for each number, by either sign; and numbers below half of its last place vanish. Of k
/// numbers it loses at most k/2 · 2⁻²⁴, and of exponentials that differ as much as these do a twentieth of that.
pub fn rounded(columns: u64) -> Tolerance {
    let count = columns as f64;
    let sum = count.sqrt() + count / 40.0;
    Tolerance { rms: (25.0 + sum) * UNIT, worst: (100.0 + 4.0 * sum) * UNIT }
}

/// Half of the last place of a float between 1 and 2.
const UNIT: f64 = 1.0 / (1 << 24) as f64;

/// Minus infinity takes the place of the elements of a row up to one drawn, of every second on average, or of none; but not
/// of all.
pub fn mask(row: &mut [f32], random: &mut Random) {
    let kept = random.next_u64() as usize % row.len();
    let kind = random.next_u32() % 3;
    for (i, it) in row.iter_mut().enumerate() {
        let is_masked = match kind {
            0 => i < kept,
            1 => i != kept && random.next_u32().is_multiple_of(2),
            _ => false,
        };
        if is_masked {
            *it = f32::NEG_INFINITY;
        }
    }
}

/// The reference: exponentials of each row relative to its maximum, divided by their sum, in `f64`.
pub fn softmax(x: &[f32], columns: usize) -> Vec<f32> {
    let mut y = vec![0.0; x.len()];
    y.par_chunks_mut(columns).zip(x.par_chunks(columns)).for_each(|(y, x)| {
        let most = x.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let exponential = |it: f32| (f64::from(it) - f64::from(most)).exp();
        let sum: f64 = x.iter().map(|&it| exponential(it)).sum();
        y.iter_mut().zip(x).for_each(|(y, &x)| *y = (exponential(x) / sum) as f32);
    });
    y
}

#[cfg(test)]
mod reference {
    use super::*;

    #[test]
    fn rows_add_up_to_one_and_large_numbers_do_not_overflow() {
        let y = softmax(&[1000.0, 1000.0, f32::NEG_INFINITY, 0.0], 2);
        assert_eq!(y, [0.5, 0.5, 0.0, 1.0]);
        let y = softmax(&[0.0, 2.0f32.ln(), 1.0f32], 3);
        assert!((y.iter().sum::<f32>() - 1.0).abs() < 1e-6 && (y[1] / y[0] - 2.0).abs() < 1e-6);
    }
}
