//! How a GPU is at a moment, and how long work took.

pub use report::{Info, TimeSource};
use serde::{Deserialize, Serialize};

/// What may change how fast a GPU is.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Conditions {
    /// Clock of the multiprocessors, MHz.
    pub clock_mhz: Option<u32>,
    /// Clock of the memory, MHz.
    pub memory_clock_mhz: Option<u32>,
    /// Temperature of the GPU, °C.
    pub temperature_c: Option<u32>,
    /// Power drawn by the board, W.
    pub power_w: Option<f64>,
    /// Why its clocks are lower than they could be: "power cap", "temperature" …; empty where they are not. That the GPU
    /// has nothing to do is no reason.
    pub throttled: Vec<String>,
    /// Other processes that compute on it.
    pub others: u32,
}

/// A duration and what it was taken from.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Timing {
    /// Seconds.
    pub seconds: f64,
    /// What they were taken from.
    pub source: TimeSource,
}
