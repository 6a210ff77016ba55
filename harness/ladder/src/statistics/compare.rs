//! Which of two is faster.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::interval::{Interval, median_interval};
use super::median::median;

/// What samples say of a speed against another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Faster by more than the least effect that counts.
    Faster,
    /// No difference of that size was shown.
    NoDifference,
    /// Slower by more than that.
    Slower,
}

impl Verdict {
    /// Its words in tables.
    pub fn words(self) -> &'static str {
        match self {
            Verdict::Faster => "faster",
            Verdict::NoDifference => "no difference",
            Verdict::Slower => "slower",
        }
    }
}

/// How many times as fast something is, and the interval of that; none of too few samples.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Speed {
    /// How many times.
    pub ratio: f64,
    /// Its interval.
    pub interval: Option<Interval>,
}

/// How many times as fast `times` are as those they were taken beside, pair by pair: the median of
/// the pairs' ratios, with the interval of [`median_interval`]. What changes both of a pair, as a
/// drifting clock does, cancels. None of no pairs.
pub fn paired(others: &[f64], times: &[f64], confidence: f64) -> Option<Speed> {
    let ratios: Vec<f64> = others.iter().zip(times).map(|(other, time)| other / time).collect();
    Some(Speed { ratio: median(&ratios)?, interval: median_interval(&ratios, confidence) })
}

/// What an interval of a speed against another says, where less than `effect` (0.01: 1%) does not
/// count. Without an interval the ratio itself has to do.
pub fn verdict(speed: Speed, effect: f64) -> Verdict {
    let Interval { low, high } =
        speed.interval.unwrap_or(Interval { low: speed.ratio, high: speed.ratio });
    if low > 1.0 + effect {
        Verdict::Faster
    } else if high < 1.0 / (1.0 + effect) {
        Verdict::Slower
    } else {
        Verdict::NoDifference
    }
}

/// The same of times that were not taken in pairs.
pub fn unpaired(others: &[f64], times: &[f64], confidence: f64) -> Option<Speed> {
    let _ = confidence;
    let ratio = median(others)? / median(times)?;
    Some(Speed { ratio, interval: None })
}
