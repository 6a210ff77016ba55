//! Intervals for medians.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use statrs::distribution::{Binomial, DiscreteCDF};

/// From one value to another.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Interval {
    /// Its lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

/// An interval that holds the median of what the samples were drawn from with at least the given
/// confidence, whatever their distribution: two of the samples, as many ranks from either end as
/// the sign test allows (Conover, Practical Nonparametric Statistics, §3.2). None of too few
/// samples: six for 95%.
pub fn median_interval(samples: &[f64], confidence: f64) -> Option<Interval> {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    let n = sorted.len();
    let signs = Binomial::new(0.5, n as u64).ok()?;
    let tail = 0.5 * (1.0 - confidence);
    // The interval from rank r to rank n − 1 − r misses with probability 2·P(signs ≤ r).
    let rank = (0..n / 2).rev().find(|&rank| signs.cdf(rank as u64) <= tail)?;
    Some(Interval { low: sorted[rank], high: sorted[n - 1 - rank] })
}
