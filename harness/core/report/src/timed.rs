//! What was timed of a step at one size.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::statistics::{Interval, Verdict};

/// A step at one size: verified there, then timed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Timed {
    /// Problem size `n`.
    pub n: u64,
    /// The sizes that it stands for, of a problem that has several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sizes: Vec<NamedSize>,
    /// Work of one pass, in the units of the ladder's figure.
    pub work: f64,
    /// Median time of one pass, from inputs to outputs, s.
    pub seconds: f64,
    /// 95% interval of that median, s; none of too few samples, or where time is modelled.
    pub interval: Option<Interval>,
    /// How far samples lie from their median: 1.4826 · median |sample − median| / median, which for
    /// normally distributed ones is their relative standard deviation.
    pub spread: Option<f64>,
    /// Passes that were started back to back for one sample.
    pub passes: u32,
    /// The figure's `whole`, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub whole: Option<Whole>,
    /// Errors of the results.
    pub accuracy: Accuracy,
    /// How the pass compares with that of the step's parent at the same size.
    pub parent: Option<Ratio>,
    /// The samples that all this was computed from.
    pub samples: Samples,
}

/// One of the sizes of a problem that has several: the k of a matrix product.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NamedSize {
    /// Its name, such as "k".
    pub name: String,
    /// How large it is.
    pub size: u64,
}

impl Timed {
    /// The size as a cell of a table: "4096", or "512 × 256 × 64".
    pub fn size_text(&self) -> String {
        match self.sizes.as_slice() {
            [] => self.n.to_string(),
            several => joined(several, |it| it.size.to_string()),
        }
    }

    /// What [`Timed::size_text`] shows: "n", or "m × n × k".
    pub fn size_names(&self) -> String {
        match self.sizes.as_slice() {
            [] => "n".to_owned(),
            several => joined(several, |it| it.name.clone()),
        }
    }

    /// Units of work per second.
    pub fn rate(&self) -> f64 {
        self.work / self.seconds
    }

    /// The size whose results were verified, where that is less: then the time is modelled, and the simulator
    /// cannot run all of it.
    pub fn verified(&self) -> Option<u64> {
        Some(self.accuracy.n).filter(|n| *n < self.n)
    }

    /// Median time of a whole, or of a pass where there is nothing more; and its 95 % interval, s.
    pub fn all(&self) -> (f64, Option<(f64, f64)>) {
        let of_pass = (self.seconds, self.interval);
        let (seconds, interval) = self.whole.map_or(of_pass, |it| (it.seconds, it.interval));
        (seconds, interval.map(|it| (it.low, it.high)))
    }
}

fn joined(sizes: &[NamedSize], text: impl Fn(&NamedSize) -> String) -> String {
    sizes.iter().map(text).collect::<Vec<_>>().join(" × ")
}

/// What consists of a pass and more, timed as one: a time step.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Whole {
    /// Median time of one, s.
    pub seconds: f64,
    /// 95% interval of that median, s.
    pub interval: Option<Interval>,
    /// How many were started back to back for one sample.
    pub count: u32,
}

/// Errors of results against the reference.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Accuracy {
    /// Problem size `n` of the verified results.
    pub n: u64,
    /// √(Σ|a−r|² / Σ|r|²) of the results a against the reference r; none if it is not finite.
    pub rms: Option<f64>,
    /// Greatest |a−r| / max(|r|, rms|r|) of one result; none if it is not finite.
    pub worst: Option<f64>,
    /// What `rms` had to stay within; 0 where results must be exact.
    pub tolerance: f64,
}

/// A speed over another.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Ratio {
    /// How many times the other's speed.
    pub ratio: f64,
    /// 95% interval of that, from samples of the same rounds where there are enough of them; none of
    /// too few samples, or where time is modelled.
    pub interval: Option<Interval>,
    /// What that says, where less than 1% does not count; nor less than 10% where samples are too few
    /// for an interval.
    pub verdict: Verdict,
}

/// Samples in the order in which they were taken, as columns. A column that the device cannot fill
/// is empty; the others are equally long.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Samples {
    /// The round: samples of one round of one session were taken right after each other.
    pub round: Vec<u32>,
    /// Time of one pass: that of `passes` of them, divided by their number, s.
    pub seconds: Vec<f64>,
    /// Time of one `whole`, likewise, s.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub whole_seconds: Vec<f64>,
    /// Clock of the multiprocessors meanwhile, MHz.
    pub clock_mhz: Vec<u32>,
    /// Clock of the memory, MHz.
    pub memory_clock_mhz: Vec<u32>,
    /// Temperature of the GPU, °C.
    pub temperature_c: Vec<u32>,
    /// Power drawn by the board, W.
    pub power_w: Vec<f64>,
    /// Samples that may not show what the step can do. They are counted all the same.
    pub suspects: Vec<Suspect>,
}

/// A sample that may not show what the step can do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Suspect {
    /// Its place among the samples, from 0.
    pub sample: u32,
    /// Why: "the GPU lowered its clocks: power cap".
    pub reason: String,
}
