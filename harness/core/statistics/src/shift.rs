//! How far one set of samples lies above another: the estimate of Hodges and Lehmann with the
//! interval of Mann and Whitney's test (Hollander, Wolfe & Chicken, Nonparametric Statistical
//! Methods, §4.2 and §4.3).

use statrs::distribution::{ContinuousCDF, Normal};

use crate::interval::Interval;

/// Up to this many samples in both sets the test's distribution is counted out: the counts are
/// below 2¹²⁶.
const COUNTED: usize = 128;

/// The median of all differences of one of `ones` to one of `others`, and the interval that holds
/// the shift between what the two were drawn from with at least the given confidence, whatever
/// their distribution's shape; none of too few samples: four each for 95%. None at all of an empty
/// set.
///
/// Equal samples make the interval longer than it need be, never too short.
pub(super) fn shift(
    ones: &[f64],
    others: &[f64],
    confidence: f64,
) -> Option<(f64, Option<Interval>)> {
    let differences = Differences::new(ones, others)?;
    let last = differences.count() - 1;
    let middle = 0.5 * (differences.at(last / 2) + differences.at(last - last / 2));
    let interval = outermost(ones.len(), others.len(), 0.5 * (1.0 - confidence))
        .map(|rank| Interval { low: differences.at(rank), high: differences.at(last - rank) });
    Some((middle, interval))
}

/// The greatest rank such that the shift lies below the difference of that rank with probability
/// `tail` at most: Mann and Whitney's U is then no greater than the rank.
fn outermost(m: usize, n: usize, tail: f64) -> Option<u64> {
    if m + n <= COUNTED {
        let mut below = 0.0;
        let ranks = distribution(m, n).into_iter().take_while(|probability| {
            below += probability;
            below <= tail
        });
        return (ranks.count() as u64).checked_sub(1);
    }
    let (m, n) = (m as f64, n as f64);
    let deviation = (m * n * (m + n + 1.0) / 12.0).sqrt();
    let rank = 0.5 * m * n - 0.5 + Normal::standard().inverse_cdf(tail) * deviation;
    (rank >= 0.0).then_some(rank as u64)
}

/// Probabilities of U = 0, 1, … for sets of `m` and `n` samples of the same distribution: the
/// coefficients of ∏ (1 − qᵐ⁺ⁱ) / (1 − qⁱ), i from 1 to n, over their sum.
fn distribution(m: usize, n: usize) -> Vec<f64> {
    let most = m * n;
    let mut ways = vec![0i128; most + 1];
    ways[0] = 1;
    for i in 1..=n {
        for at in (m + i..=most).rev() {
            ways[at] -= ways[at - m - i];
        }
        for at in i..=most {
            ways[at] += ways[at - i];
        }
    }
    let all = ways.iter().sum::<i128>() as f64;
    ways.into_iter().map(|ways| ways as f64 / all).collect()
}

/// All differences between two sets, by rank. They are never written out: of a thousand samples
/// each there are a million.
struct Differences {
    ones: Vec<f64>,
    others: Vec<f64>,
}

impl Differences {
    /// None if a set is empty.
    fn new(ones: &[f64], others: &[f64]) -> Option<Differences> {
        let sorted = |samples: &[f64]| {
            let mut sorted = samples.to_vec();
            sorted.sort_by(f64::total_cmp);
            (!sorted.is_empty()).then_some(sorted)
        };
        Some(Differences { ones: sorted(ones)?, others: sorted(others)? })
    }

    fn count(&self) -> u64 {
        self.ones.len() as u64 * self.others.len() as u64
    }

    /// The difference of this rank, from 0: the least number that more than `rank` differences do
    /// not exceed, found by halving among the numbers that 64 bits can write.
    fn at(&self, rank: u64) -> f64 {
        let last = |samples: &[f64]| samples.len() - 1;
        let mut low = order(self.ones[0] - self.others[last(&self.others)]);
        let mut high = order(self.ones[last(&self.ones)] - self.others[0]);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.up_to(number(middle)) > rank {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        number(low)
    }

    /// How many differences do not exceed `limit`.
    fn up_to(&self, limit: f64) -> u64 {
        let mut from = 0;
        let counts = self.ones.iter().map(|one| {
            // A greater one needs a greater other.
            let above = self.others[from..].iter().take_while(|&other| one - other > limit);
            from += above.count();
            (self.others.len() - from) as u64
        });
        counts.sum()
    }
}

/// Numbers without a sign in the order of the numbers with one: what `total_cmp` compares.
fn order(number: f64) -> u64 {
    let bits = number.to_bits();
    if number.is_sign_negative() { !bits } else { bits | 1 << 63 }
}

/// The inverse of [`order`].
fn number(order: u64) -> f64 {
    f64::from_bits(if order >> 63 == 1 { order & !(1 << 63) } else { !order })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// U of 3 and 2 samples by hand: 10 orders, with 1, 1, 2, 2, 2, 1, 1 of them for U = 0 … 6.
    #[test]
    fn few_samples_are_counted_out() {
        let tenths: Vec<f64> = distribution(3, 2).iter().map(|p| (p * 10.0).round()).collect();
        assert_eq!(tenths, [1.0, 1.0, 2.0, 2.0, 2.0, 1.0, 1.0]);
        let largest = distribution(64, 64);
        assert!((largest.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        assert!(largest.iter().all(|&p| p >= 0.0), "no count went over");
    }

    /// The critical values of Mann and Whitney's two-sided test at 5%, as every table has them, are
    /// the ranks.
    #[test]
    fn ranks_are_those_of_the_tables() {
        for (m, n, rank) in [
            (3, 3, None),
            (3, 5, Some(0)),
            (4, 4, Some(0)),
            (5, 5, Some(2)),
            (6, 6, Some(5)),
            (5, 10, Some(8)),
            (10, 10, Some(23)),
            (20, 20, Some(127)),
        ] {
            assert_eq!(outermost(m, n, 0.025), rank, "{m} and {n}");
        }
    }

    /// At the border between the two ways: nearly the same rank, and rather a longer interval.
    #[test]
    fn many_samples_have_nearly_the_same_rank_by_the_normal_distribution() {
        for tail in [0.025, 0.001] {
            let counted = outermost(64, 64, tail).expect("a rank") as f64;
            let deviation = (64.0 * 64.0 * 129.0 / 12.0f64).sqrt();
            let normal = 0.5 * 4096.0 - 0.5 + Normal::standard().inverse_cdf(tail) * deviation;
            let off = (counted - normal.floor()) / counted;
            assert!((0.0..0.005).contains(&off), "{tail}: {counted} and {normal}");
        }
        assert_eq!(outermost(1, 200, 1e-9), None, "one sample says little");
    }

    #[test]
    fn ranks_of_differences_are_those_of_the_sorted_list() {
        let ones = [0.3, -0.2, 1e300, 0.1, 0.1, -0.0];
        let others = [0.1, 5.0, -7e-3, 0.0];
        let mut all: Vec<f64> =
            ones.iter().flat_map(|one| others.map(|other| one - other)).collect();
        all.sort_by(f64::total_cmp);
        let differences = Differences::new(&ones, &others).expect("two sets");
        assert_eq!(differences.count(), all.len() as u64);
        for (rank, expected) in (0..).zip(&all) {
            assert_eq!(differences.at(rank), *expected, "rank {rank} of {all:?}");
        }
    }

    #[test]
    fn the_shift_of_a_shifted_set_is_the_shift() {
        let ones = [1.5, 2.5, 4.5, 8.5];
        let others = [1.0, 2.0, 4.0, 8.0];
        let (middle, interval) = shift(&ones, &others, 0.95).expect("two sets");
        assert_eq!(middle, 0.5);
        // Of 4 and 4 samples, only the outermost differences leave 2.9% outside.
        assert_eq!(interval, Some(Interval { low: -6.5, high: 7.5 }));
        assert_eq!(shift(&[], &others, 0.95), None);
        let (_, few) = shift(&ones[..3], &others, 0.95).expect("two sets");
        assert_eq!(few, None);
    }
}
