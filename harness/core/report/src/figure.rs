//! The figure of merit of a ladder: what its work is, and in which unit its rate is shown.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a ladder computes, in the words and units of its tables: the rate of a step is its work
/// divided by its seconds, whatever the work is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Figure {
    /// The ladder's title: "Matrix transposition".
    pub title: String,
    /// What `n` counts: "rows", "elements".
    pub size: String,
    /// What is timed, from inputs to outputs: "transposition".
    pub pass: String,
    /// What consists of a pass and more, where that is timed too: "time step".
    pub whole: Option<String>,
    /// The unit of work: "bytes", "elements".
    pub work: String,
    /// How many units of work a second make one of `unit`: 1e9.
    pub scale: f64,
    /// The unit of the rate: "GB/s", "10⁹ elements/s".
    pub unit: String,
    /// Floating-point operations that one unit of work counts by convention of its field; none where
    /// nobody counts them.
    pub flop: Option<f64>,
    /// What is verified: "elements", "bins".
    pub results: String,
}

impl Figure {
    /// Of a ladder that is called `title` and whose work is so many of `work` ("leaves"), which are its sizes too; a pass is
    /// called so, and its results are elements.
    pub fn of(title: &str, work: &str) -> Figure {
        Figure {
            title: title.to_owned(),
            size: work.to_owned(),
            pass: "pass".to_owned(),
            whole: None,
            work: work.to_owned(),
            scale: 1e9,
            unit: format!("10⁹ {work}/s"),
            flop: None,
            results: "elements".to_owned(),
        }
    }

    /// Of a ladder whose passes read and write elements: its work is bytes.
    pub fn of_bytes(title: &str) -> Figure {
        let size = "elements".to_owned();
        Figure { size, unit: "GB/s".to_owned(), ..Figure::of(title, "bytes") }
    }

    /// A rate in `unit`, from units of work per second.
    pub fn rate(&self, work_per_second: f64) -> f64 {
        work_per_second / self.scale
    }

    /// TFLOP/s by convention, from units of work per second.
    pub fn tflops(&self, work_per_second: f64) -> Option<f64> {
        self.flop.map(|flop| flop * work_per_second / 1e12)
    }
}
