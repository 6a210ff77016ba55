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

    /// The least time in which so many ordinary instructions for single elements can be executed, s.
    pub fn arithmetic_seconds(&self, operations: f64) -> f64 {
        operations / self.lanes_per_second()
    }

    /// Its name.
    pub fn name(&self) -> &str {
        match self {
            Chip::Gpu(gpu) => &gpu.name,
            Chip::Cpu { name, .. } => name,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An H200 has 132 multiprocessors, each with four schedulers of 32 lanes, at 1.98 GHz at most.
    #[test]
    fn a_chip_computes_and_moves_so_much() {
        let h200 = Chip::Gpu(Box::new(Gpu::named("h200").expect("a known GPU")));
        let lanes = 132.0 * 128.0 * 1.98e9;
        assert!((h200.arithmetic_seconds(lanes) - 1.0).abs() < 1e-9);
        assert!((h200.memory_seconds(4.8e12 + 62_914_560.0) - 1.0).abs() < 1e-9);
        let cpu = Chip::Cpu { name: "a CPU".to_owned(), lanes_per_second: 1e11 };
        assert_eq!((cpu.arithmetic_seconds(1e11), cpu.memory_seconds(1e12)), (1.0, 0.0));
    }
}
