//! What a reader is asked for that is a number or an order, and where the answer comes from.

use serde::Deserialize;

/// What is to be predicted: the reader writes it, and a simulation or a committed report decides.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Predict {
    /// What is asked for.
    pub of: Question,
    /// How far off, relatively, a prediction may be.
    #[serde(default)]
    pub within: f64,
    /// A question that leads on after a wrong one.
    pub ask: String,
}

/// What is asked for.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Question {
    /// A number of the launches, as in a [`Limit`].
    Count(String),
    /// The launches' kernels, from the one with the least of this number to the one with the most.
    Order(String),
    /// The line of the kernel's source that has most of a number.
    Line(String),
    /// How many times as fast one step is as another.
    Gain(Compared),
    /// The least size from which on one step is faster than another.
    Crossover(Compared),
}

/// Two steps in a committed report.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Compared {
    /// The report's folder below `reports`.
    pub report: String,
    /// The step that is faster.
    pub step: String,
    /// The step that it is compared with.
    pub over: String,
    /// The size of a gain.
    #[serde(default)]
    pub size: u64,
    /// What a gain is divided by.
    pub per: Option<f64>,
}
