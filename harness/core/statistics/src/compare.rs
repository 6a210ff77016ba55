//! Which of two is faster.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::interval::{Interval, median_interval};
use crate::median::median;
use crate::shift::shift;

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
    /// How many times as fast; above 1 is faster.
    pub ratio: f64,
    /// Confidence interval of `ratio`.
    pub interval: Option<Interval>,
}

/// How many times as fast `times` are as those of the same rounds, pair by pair: the median of
/// the pairs' ratios, with the interval of [`median_interval`]. What changes both of a pair, as a
/// drifting clock does, cancels. None of no pairs.
pub fn paired(others: &[f64], times: &[f64], confidence: f64) -> Option<Speed> {
    let ratios: Vec<f64> = others.iter().zip(times).map(|(other, time)| other / time).collect();
    Some(Speed { ratio: median(&ratios)?, interval: median_interval(&ratios, confidence) })
}

/// How many times as fast `times` are as those of another occasion: the median of all ratios
/// between one of these and one of those (Hodges and Lehmann's shift of the times' logarithms),
/// with an interval by Mann and Whitney's test; an interval needs four samples each for 95%. None
/// if there are none or a time is not positive.
///
/// The interval knows of what differs from sample to sample, not of what differs from one occasion
/// to the next.
pub fn unpaired(others: &[f64], times: &[f64], confidence: f64) -> Option<Speed> {
    let logarithms = |times: &[f64]| -> Option<Vec<f64>> {
        times.iter().map(|&time| Some(time.ln()).filter(|log| log.is_finite())).collect()
    };
    let (middle, interval) = shift(&logarithms(others)?, &logarithms(times)?, confidence)?;
    let interval =
        interval.map(|Interval { low, high }| Interval { low: low.exp(), high: high.exp() });
    Some(Speed { ratio: middle.exp(), interval })
}

/// The confidence that each of `count` intervals needs for all of them together to hold with
/// `confidence` (Bonferroni): 99.5% for each of ten at 95%.
pub fn each_of(count: usize, confidence: f64) -> f64 {
    1.0 - (1.0 - confidence) / count.max(1) as f64
}

/// What an interval of a speed against another says, where less than `effect` (0.01: 1%) does not
/// count. Without an interval the ratio itself has to do.
///
/// Where there is no difference it claims one in 5% of all cases at most with an effect of 0; with
/// one of 1%, and noise of that order, in less than 0.5%. How often it finds a difference that is
/// there, with an effect of 1%, 95% intervals and normally distributed noise, in per cent
/// ([`paired`] / [`unpaired`]; the tests compute these figures):
///
/// | samples of each | noise | 2% faster | 5% | 20% |
/// |--:|--:|--:|--:|--:|
/// | 6 | 0.3% | 94 / 100 | 100 / 100 | 100 / 100 |
/// | 6 | 1% | 19 / 29 | 98 / 100 | 100 / 100 |
/// | 12 | 0.3% | 100 / 100 | 100 / 100 | 100 / 100 |
/// | 12 | 1% | 43 / 60 | 100 / 100 | 100 / 100 |
/// | 24 | 0.3% | 100 / 100 | 100 / 100 | 100 / 100 |
/// | 24 | 1% | 64 / 90 | 100 / 100 | 100 / 100 |
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
