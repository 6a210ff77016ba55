//! A chip, as far as the least time of a problem depends on it.

use simt::model::Gpu;

/// What no code can be faster on than it allows.
#[derive(Debug, Clone)]
pub enum Chip {
    /// A GPU, as it is described.
    Gpu(Box<Gpu>),
    /// Some threads of a CPU.
    Cpu {
        /// Its name, and how many.
        name: String,
        /// Lanes of vector instructions that they were seen to execute in a second at most.
        lanes_per_second: f64,
    },
}

impl Chip {
    /// Lanes of ordinary instructions in a second at most, at the highest clock.
    pub fn lanes_per_second(&self) -> f64 {
        match self {
            Chip::Gpu(gpu) => {
                // Two instructions in one clock (Kepler) fill more lanes than there are issue slots.
                let lanes = gpu.throughput.issue.value * gpu.throughput.issue_filled.value.max(1.0);
                let lanes = lanes.max(gpu.throughput.fp32.value);
                lanes * gpu.chip.multiprocessors.value * gpu.chip.clock_mhz.value * 1e6
            }
            Chip::Cpu { lanes_per_second, .. } => *lanes_per_second,
        }
    }

    /// The least time in which `bytes` can be read or written that no cache holds, s; 0 where
    /// nothing is known of the memory.
    pub fn memory_seconds(&self, bytes: f64) -> f64 {
        match self {
            Chip::Gpu(gpu) => {
                let beyond_cache = (bytes - gpu.chip.l2_bytes.value).max(0.0);
                beyond_cache / (gpu.chip.dram_gb_per_s.value * 1e9)
            }
            Chip::Cpu { .. } => 0.0,
        }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        match self {
            Chip::Gpu(gpu) => &gpu.name,
            Chip::Cpu { name, .. } => name,
        }
    }
}
