//! What the counting of events must know of a GPU.

use super::demand::SECTOR;
use super::gpu::Gpu;
use super::residency::Residency;
use events::{Engines, Machine};

impl Gpu {
    /// The hardware that a launch's events depend on. Where L1 and shared memory are one array, L1 has what the
    /// resident blocks leave; the driver rounds that up to a few sizes, which is left out.
    pub fn machine(&self, residency: &Residency) -> Machine {
        let cache = self.memory.l1_bytes.value as u64;
        let with_shared = self.memory.l1_with_shared.value > 0.0;
        let taken = if with_shared { residency.shared_bytes } else { 0 };
        let flight = self.latency.dram.value * self.throughput.l2_bytes.value / SECTOR;
        Machine {
            multiprocessors: self.chip.multiprocessors.value as u32,
            resident_blocks: residency.blocks,
            l1_bytes: cache.saturating_sub(taken),
            l2_bytes: self.chip.l2_bytes.value as u64,
            fetched_sectors: (self.memory.fetch_bytes.value / SECTOR) as u32,
            flight_sectors: flight as u32,
            coalescing: self.coalescing,
            shared_banks: self.memory.shared_banks.value as u32,
            l2_clocks: self.latency.l2.value as u32,
            atomic_clocks: self.latency.atomic.value as u32,
            fence_clocks: self.latency.fence.value as u32,
            fence_after_store_clocks: self.latency.fence_after_store.value as u32,
            engines: self.engines.as_ref().map(|engines| Engines {
                copy_clocks: engines.copy_clocks.value as u32,
                copied_bytes: engines.copied_bytes.value as u32,
                group_products: engines.group_products.value as u32,
                group_clocks: engines.group_clocks.value as u32,
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_l1_cache_has_what_shared_memory_leaves() {
        let h200 = Gpu::named("h200").unwrap();
        // Eight blocks with 4 KB and the reserve of 1 KB each: 256 KB − 40 KB.
        let residency = h200.residency(256, Some(32), 4096, 1 << 20).unwrap();
        let machine = h200.machine(&residency);
        assert_eq!((machine.resident_blocks, machine.l1_bytes), (8, 216 << 10));
        assert_eq!((machine.multiprocessors, machine.l2_bytes), (132, 60 << 20));
        // Kepler's loads bypass L1, Fermi's L1 has a size of its own.
        let of = |name| {
            let gpu = Gpu::named(name).unwrap();
            gpu.machine(&gpu.residency(256, Some(20), 4096, 1 << 20).unwrap())
        };
        assert_eq!(of("gtx 680").l1_bytes, 0);
        assert_eq!(of("c2050").l1_bytes, 16 << 10);
        assert_eq!((of("fx 5800").shared_banks, of("fx 5800").l2_bytes), (16, 0));
    }
}
