//! A recent GPU, as counts of events depend on it.

use simt::{Coalescing, Engines, Machine};

/// With blocks of which eight are resident on a multiprocessor.
pub const H200: Machine = Machine {
    multiprocessors: 132,
    resident_blocks: 8,
    l1_bytes: 200 << 10,
    l2_bytes: 50 << 20,
    fetched_sectors: 2,
    flight_sectors: 750,
    coalescing: Coalescing::Sectors,
    shared_banks: 32,
    l2_clocks: 265,
    atomic_clocks: 700,
    fence_clocks: 300,
    fence_after_store_clocks: 600,
    engines: Some(Engines {
        copy_clocks: 650,
        copied_bytes: 37,
        group_products: 1800,
        group_clocks: 59,
    }),
};
