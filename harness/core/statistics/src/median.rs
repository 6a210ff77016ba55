//! The middle of samples, and how far they lie from it.

use std::collections::BTreeMap;

/// The median: the middle sample, or the mean of the two in the middle; none of no samples.
pub fn median(samples: &[f64]) -> Option<f64> {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    match sorted.len() {
        0 => None,
        n if n % 2 == 1 => Some(sorted[middle]),
        _ => Some(0.5 * (sorted[middle - 1] + sorted[middle])),
    }
}

/// Makes the median absolute deviation of normally distributed samples their standard deviation:
/// 1 / Φ⁻¹(3/4).
const NORMAL: f64 = 1.4826;

/// How far samples lie from their median, relative to it: 1.4826 · median |x − m| / m. Half of the
/// samples may be wild without changing it much. None of fewer than two samples.
pub fn spread(samples: &[f64]) -> Option<f64> {
    let middle = median(samples).filter(|_| samples.len() > 1)?;
    let deviations: Vec<f64> = samples.iter().map(|sample| (sample - middle).abs()).collect();
    Some(NORMAL * median(&deviations)? / middle)
}

/// The most frequent number; of several the greatest.
pub fn commonest(numbers: impl Iterator<Item = u64>) -> Option<u64> {
    let mut counts: BTreeMap<u64, usize> = BTreeMap::new();
    for n in numbers {
        *counts.entry(n).or_default() += 1;
    }
    counts.into_iter().max_by_key(|&(n, count)| (count, n)).map(|(n, _)| n)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_the_middle_of_any_order() {
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[7.0]), Some(7.0));
        assert_eq!(median(&[9.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&[4.0, 1.0, 2.0, 100.0]), Some(3.0));
    }

    #[test]
    fn a_wild_sample_does_not_change_the_spread() {
        let calm = [0.9, 0.95, 1.0, 1.05, 1.1];
        assert!((spread(&calm).unwrap() - NORMAL * 0.05).abs() < 1e-12);
        let wild = [0.9, 0.95, 1.0, 1.05, 1e9];
        assert!((spread(&wild).unwrap() - NORMAL * 0.05).abs() < 1e-12);
        assert_eq!(spread(&[1.0]), None);
        assert_eq!(spread(&[2.0, 2.0, 2.0]), Some(0.0));
    }
}
