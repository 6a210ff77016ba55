//! What a report says of the device, and where its times come from.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a device is, as the report records it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Info {
    /// "cuda", "simt" or "cpu".
    pub kind: String,
    /// The GPU's name, the simulator's or the processor's.
    pub name: String,
    /// Major and minor; none but on a GPU.
    pub compute_capability: Option<(u32, u32)>,
    /// The NVIDIA driver's own version, e.g. "580.95.05", where the system tells it.
    pub driver_version: Option<String>,
    /// The newest CUDA version that the driver serves, e.g. "13.0".
    pub cuda_version: Option<String>,
    /// All memory of the device in bytes; for the simulator its limit.
    pub memory_bytes: u64,
    /// Bytes of it that were free when the device was opened.
    pub memory_free_bytes: u64,
    /// Multiprocessors of the GPU.
    pub multiprocessors: Option<u32>,
    /// The GPU's highest clock in MHz, as the driver states it.
    pub clock_mhz: Option<u32>,
    /// How long one launch may last: 1 s where a watchdog ends long launches (the GPU drives a display), else 20 s.
    pub launch_limit_seconds: f64,
    /// The GPU whose time is modelled; none where time is measured.
    pub modelled: Option<String>,
}

/// What a duration was taken from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum TimeSource {
    /// The GPU's own clock.
    Device,
    /// The host's clock.
    Host,
    /// The simulator's time model.
    Model,
}
