//! What an exercise wants of the events of a kernel.

use anyhow::{Result, ensure};
use serde::Deserialize;

/// What an event must keep within.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limit {
    /// A number of [`Facts`](launches::facts::Facts) as its JSON names it: `ratios.sectors_per_request`; `launches` for how
    /// many there are; in Rust a number that `check.rs` counts.
    pub event: String,
    /// The greatest value that is within the limit.
    pub most: Option<f64>,
    /// The least value that is.
    pub least: Option<f64>,
    /// A question that leads on.
    pub ask: String,
}

/// How near to the solution's parallelism a kernel must be.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parallel {
    /// How many times the solution's work a kernel may have: the instructions of the busiest warp, and the bytes asked of
    /// memory.
    pub factor: Option<f64>,
    /// Why it is not looked at.
    pub none: Option<String>,
}

impl Limit {
    /// That it is one.
    ///
    /// # Errors
    /// It has neither a least nor a greatest value.
    pub fn check(&self) -> Result<()> {
        let is_one = self.most.is_some() || self.least.is_some();
        ensure!(is_one, "the limit of {} has neither `most` nor `least`", self.event);
        Ok(())
    }
}

impl Parallel {
    /// That what an exercise says makes sense.
    ///
    /// # Errors
    /// It says two things, or a factor that the solution itself may miss.
    pub fn check(&self) -> Result<()> {
        let is_one = self.factor.is_none() || self.none.is_none();
        ensure!(is_one, "`parallel` has a factor, or a reason why there is none");
        ensure!(self.factor.is_none_or(|it| it >= 1.0), "the factor of `parallel` is 1 or more");
        Ok(())
    }
}
