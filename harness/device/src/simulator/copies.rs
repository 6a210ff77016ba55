//! The modelled time of copies.

use super::state::SimulatorDevice;
use super::timeline::Engine;
use crate::api::buffer::Place;

impl SimulatorDevice {
    /// Bytes per second that cross the bus in one direction, from or to page-locked memory.
    pub(super) fn pinned_rate(&self) -> f64 {
        let bus = &self.gpu.bus;
        bus.gb_per_s.value * 1e9 * bus.filled.value
    }

    /// Models a copy.
    pub(super) fn add_copy(
        &mut self,
        stream: Option<u64>,
        from: Place,
        to: Place,
        bytes: usize,
        rate: f64,
    ) {
        if !self.is_modelling() || self.leaves_copies_out {
            return;
        }
        let start = self.gpu.bus.microseconds.value * 1e-6;
        let bytes = bytes as f64;
        let (engine, seconds) = match (from, to) {
            (_, Place::Host) => (Engine::ToHost, bytes / rate),
            (Place::Host, Place::Device) => (Engine::ToDevice, bytes / rate),
            // Every byte is read and written.
            (Place::Device, Place::Device) => {
                let chip = self.gpu.chip.dram_gb_per_s.value * 1e9;
                (
                    Engine::Multiprocessors,
                    2.0 * bytes / (chip * self.gpu.throughput.dram_filled.value),
                )
            }
        };
        self.timeline.add(stream, engine, start + seconds, 1.0);
    }

    /// Models a copy between pageable memory and the device, for which the host waits.
    pub(super) fn add_pageable_copy(&mut self, from: Place, to: Place, bytes: usize) {
        let rate = self.gpu.bus.pageable_gb_per_s.value * 1e9;
        self.add_copy(None, from, to, bytes, rate);
        self.timeline.synchronize(None);
    }
}
