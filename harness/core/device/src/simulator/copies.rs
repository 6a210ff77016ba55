//! The modelled time of copies, and of pages that move.

use std::sync::atomic::Ordering;

use simt::model::End;

use super::state::{Allocation, SimulatorDevice};
use crate::api::buffer::{Buffer, Place};

impl SimulatorDevice {
    /// Models a copy of one buffer to another.
    pub(super) fn add_copy(&mut self, stream: u64, from: Place, to: Place, bytes: usize) {
        let end = |place| match place {
            Place::Device => End::Device,
            Place::Host | Place::Managed => End::Pinned,
        };
        self.add(Some(stream), end(from), end(to), bytes);
    }

    /// Models a copy between pageable memory and the device, for which the host waits.
    pub(super) fn add_pageable_copy(&mut self, from: End, to: End, bytes: usize) {
        self.add(None, from, to, bytes);
        self.clock().timeline.synchronize(None);
    }

    /// The host copies pageable memory to or from a buffer; of managed memory the pages come to the host first.
    pub(super) fn host_accesses(&mut self, buffer: &Buffer, (from, to): (End, End), bytes: usize) {
        match buffer.place() {
            Place::Device => self.add_pageable_copy(from, to, bytes),
            Place::Managed => {
                self.touch(buffer, Place::Host, None);
                self.add_pageable_copy(from, to, bytes);
            }
            Place::Host => {}
        }
    }

    /// Managed memory is touched: its pages come, each when it is missed.
    pub(super) fn touch(&mut self, buffer: &Buffer, by: Place, stream: Option<u64>) {
        self.move_pages(buffer, by, End::Touched, stream);
    }

    /// Models that managed memory moves, where it is not there already.
    pub(super) fn move_pages(&mut self, buffer: &Buffer, to: Place, how: End, stream: Option<u64>) {
        let to_the_gpu = to == Place::Device;
        let Some(memory) = buffer.owner::<Allocation>() else { return };
        if memory.on_the_gpu.swap(to_the_gpu, Ordering::Relaxed) == to_the_gpu {
            return;
        }
        let (from, to) = if to_the_gpu { (how, End::Device) } else { (End::Device, how) };
        self.add(stream, from, to, buffer.bytes());
    }

    fn add(&mut self, stream: Option<u64>, from: End, to: End, bytes: usize) {
        if self.is_modelling() && !self.leaves_copies_out {
            let (engine, seconds) = self.gpu.copy(from, to, bytes as u64);
            self.clock().timeline.add(stream, engine, seconds, 1.0);
        }
    }
}
