//! The modelled time of copies.

use simt::model::End;

use super::state::SimulatorDevice;
use crate::api::buffer::Place;

impl SimulatorDevice {
    /// Models a copy; page-locked memory is the host's only place for buffers.
    pub(super) fn add_copy(&mut self, stream: u64, from: Place, to: Place, bytes: usize) {
        let end = |place| match place {
            Place::Device => End::Device,
            Place::Host => End::Pinned,
        };
        self.add(Some(stream), end(from), end(to), bytes);
    }

    /// Models a copy between pageable memory and the device, for which the host waits.
    pub(super) fn add_pageable_copy(&mut self, from: End, to: End, bytes: usize) {
        self.add(None, from, to, bytes);
        self.timeline.synchronize(None);
    }

    fn add(&mut self, stream: Option<u64>, from: End, to: End, bytes: usize) {
        if self.is_modelling() && !self.leaves_copies_out {
            let (engine, seconds) = self.gpu.copy(from, to, bytes as u64);
            self.timeline.add(stream, engine, seconds, 1.0);
        }
    }
}
