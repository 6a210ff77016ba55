//! How a GPU is at a moment, and how long work took.

pub use report::{Info, TimeSource};
use serde::{Deserialize, Serialize};

/// Conditions that affect a GPU's speed.
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
    /// Why its clocks are reduced: "power cap", "temperature" …. Empty if they are not, or if the GPU is idle.
    pub throttled: Vec<String>,
    /// How many other processes compute on it.
    pub others: u32,
}

/// A duration and its source.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Timing {
    /// The duration in seconds.
    pub seconds: f64,
    /// The clock or model that it comes from.
    pub source: TimeSource,
}
