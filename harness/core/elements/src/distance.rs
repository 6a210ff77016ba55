//! How far computed vectors are from expected ones.

use crate::parts;

/// The distance between computed and expected vectors (or numbers), relative to the expected ones.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Distance {
    /// √(Σ|a−r|² / Σ|r|²) over all vectors, a computed and r expected.
    pub rms: f64,
    /// Greatest |a−r| / max(|r|, rms|r|) of one vector.
    pub worst: f64,
    /// Index of the first such vector.
    pub worst_index: usize,
}

/// What a chunk adds.
struct Part {
    sum: f64,
    worst: f64,
    worst_index: usize,
}

/// Compares `count` vectors: `pair` says what was computed for an index, and what was expected.
///
/// A value that is not finite makes both errors infinite. Where all that is expected is zero, they are 0 if all that was
/// computed is exactly zero too, else infinite.
pub fn distance<const D: usize>(
    count: usize,
    pair: impl Fn(usize) -> [[f64; D]; 2] + Sync,
) -> Distance {
    let sums = parts::each(count, &|places| places.map(|i| square(pair(i)[1])).sum::<f64>());
    let expected_sum: f64 = sums.iter().sum();
    let expected_rms = (expected_sum / count.max(1) as f64).sqrt();
    let parts = parts::each(count, &|places| {
        let mut part = Part { sum: 0.0, worst: 0.0, worst_index: 0 };
        for index in places {
            let [a, r] = pair(index);
            let off = square(std::array::from_fn::<f64, D, _>(|k| a[k] - r[k]));
            let error = match off.sqrt() / square(r).sqrt().max(expected_rms) {
                _ if off == 0.0 => 0.0,
                finite if finite.is_finite() => finite,
                _ => f64::INFINITY, // NaN would hide in a maximum
            };
            part.sum += off;
            if error > part.worst {
                (part.worst, part.worst_index) = (error, index);
            }
        }
        part
    });
    let sum: f64 = parts.iter().map(|part| part.sum).sum();
    let mut found = Distance { rms: 0.0, worst: 0.0, worst_index: 0 };
    for part in parts.iter().filter(|part| part.worst > 0.0) {
        if part.worst > found.worst {
            (found.worst, found.worst_index) = (part.worst, part.worst_index);
        }
    }
    found.rms = match found.worst.is_finite() && sum > 0.0 {
        true => (sum / expected_sum).sqrt(),
        false => found.worst,
    };
    found
}

fn square<const D: usize>(v: [f64; D]) -> f64 {
    v.iter().map(|x| x * x).sum()
}
