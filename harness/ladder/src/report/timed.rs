//! What was timed of a step at one size.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::statistics::{Interval, Verdict};
use crate::verify::{Errors, Tolerance};

/// A step at one size: verified there, then timed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Timed {
    /// Bodies.
    pub n: u64,
    /// Median time of one force evaluation, from positions to accelerations, s.
    pub seconds: f64,
    /// 95% interval of that median, s; none of too few samples, or where time is modelled.
    pub interval: Option<Interval>,
    /// How far samples lie from their median: 1.4826 · median |sample − median| / median, which for
    /// normally distributed ones is their relative standard deviation.
    pub spread: Option<f64>,
    /// Median time of one time step, force evaluation and advance, s.
    pub step_seconds: f64,
    /// 95% interval of that median, s.
    pub step_interval: Option<Interval>,
    /// Force evaluations that were launched back to back for one sample.
    pub launches: u32,
    /// Time steps that were launched back to back for one sample.
    pub time_steps: u32,
    /// Errors of the accelerations.
    pub accuracy: Accuracy,
    /// How the force evaluation compares with that of the step's parent at the same size.
    pub parent: Option<Ratio>,
    /// The samples that all this was computed from.
    pub samples: Samples,
}

impl Timed {
    /// n² / `seconds`.
    pub fn interactions_per_second(&self) -> f64 {
        (self.n as f64).powi(2) / self.seconds
    }
}

/// Errors of accelerations against the f64 reference.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Accuracy {
    /// Bodies.
    pub n: u64,
    /// √(Σ|a−r|² / Σ|r|²) of the accelerations a against the reference r; none if it is not finite.
    pub rms: Option<f64>,
    /// Greatest |a−r| / max(|r|, rms|r|) of one body; none if it is not finite.
    pub worst: Option<f64>,
    /// What `rms` had to stay within.
    pub tolerance: f64,
}

impl Accuracy {
    /// Errors at `n` bodies as a report has them: NaN and infinity are no numbers there.
    pub fn of(n: usize, errors: Errors, tolerance: Tolerance) -> Accuracy {
        let finite = |value: f64| Some(value).filter(|value| value.is_finite());
        Accuracy {
            n: n as u64,
            rms: finite(errors.rms),
            worst: finite(errors.worst),
            tolerance: tolerance.rms,
        }
    }
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
    /// Time of one force evaluation: that of `launches` of them, divided by their number, s.
    pub seconds: Vec<f64>,
    /// Time of one time step, likewise, s.
    pub step_seconds: Vec<f64>,
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
