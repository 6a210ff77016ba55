//! A launch as the model takes it.

use super::gpu::Gpu;
use super::residency::Residency;
use crate::machine::MachineCounts;
use events::{Counts, Events};
use program::Class;
use program::Kernel;

/// A launch: what it did, and where.
#[derive(Clone, Copy, Debug)]
pub struct Work<'a> {
    /// The kernel.
    pub kernel: &'a Kernel,
    /// What the simulator counted, traffic included; for a launch of which only some multiprocessors were run,
    /// scaled up to all of them.
    pub events: &'a Events,
    /// The machine instructions of the same events.
    pub counts: &'a MachineCounts,
    /// How the launch spreads over the GPU.
    pub residency: &'a Residency,
    /// Whether the L2 cache already holds what the launch reads: as when a launch is repeated and its data fit.
    pub warm_l2: bool,
    /// The part of the grid's blocks that ran.
    pub ran: f64,
}

impl Work<'_> {
    /// What an instruction or all of them asked of memory, as the caches were when the launch began.
    pub fn traffic(&self, gpu: &Gpu, mut counts: Counts) -> Counts {
        if gpu.chip.l2_bytes.value == 0.0 {
            counts.dram_sectors += std::mem::take(&mut counts.l2_hits);
            counts.l2_awaited = 0;
        } else if self.warm_l2 {
            counts.l2_hits += std::mem::take(&mut counts.dram_sectors);
            (counts.l2_awaited, counts.dram_fills, counts.partial_lines) = (0, 0, 0);
        }
        counts
    }

    /// What each store to global memory did.
    pub(super) fn stores(&self) -> impl Iterator<Item = &Counts> {
        let counted = self.kernel.instructions().zip(&self.events.instructions);
        counted
            .filter(|(instruction, _)| instruction.class == Class::StoreGlobal)
            .map(|(_, counts)| counts)
    }
}
