//! The time of copies.

use super::gpu::Gpu;
use super::timeline::Engine;

/// Where one end of a copy lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// In the device's memory.
    Device,
    /// In page-locked memory of the host.
    Pinned,
    /// In the host's other memory.
    Pageable,
    /// In managed memory of the host, whose pages move when they are missed.
    Touched,
}

impl Gpu {
    /// Bytes per second that cross the bus in one direction, from or to page-locked memory.
    pub fn pinned_rate(&self) -> f64 {
        self.bus.gb_per_s.value * 1e9 * self.bus.filled.value
    }

    /// How long it takes until kernels have loaded and stored so many bytes of page-locked memory, s.
    pub fn mapped_seconds(&self, loaded: f64, stored: f64) -> f64 {
        let bus = self.bus.gb_per_s.value * 1e9;
        let one_way = loaded.max(stored) / (bus * self.bus.mapped_filled.value);
        one_way.max((loaded + stored) / (bus * self.bus.mapped_both_filled.value))
    }

    /// What does a copy, and for how many seconds.
    pub fn copy(&self, from: End, to: End, bytes: u64) -> (Engine, f64) {
        let bytes = bytes as f64;
        let across = |host: End| match host {
            End::Pageable => bytes / (self.bus.pageable_gb_per_s.value * 1e9),
            End::Touched => bytes / (self.bus.touched_gb_per_s.value * 1e9),
            End::Pinned | End::Device => bytes / self.pinned_rate(),
        };
        let (engine, seconds) = match (from, to) {
            (End::Device, End::Device) => {
                let chip = self.chip.dram_gb_per_s.value * 1e9;
                // Every byte is read and written.
                let seconds = 2.0 * bytes / (chip * self.throughput.dram_filled.value);
                (Engine::Multiprocessors, seconds)
            }
            (host, End::Device) => (Engine::ToDevice, across(host)),
            (_, host) => (Engine::ToHost, across(host)),
        };
        (engine, self.bus.microseconds.value * 1e-6 + seconds)
    }
}
