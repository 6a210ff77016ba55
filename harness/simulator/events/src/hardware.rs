//! The hardware that counts depend on.

/// How global accesses of a warp become transactions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Coalescing {
    /// Sectors of 32 bytes that the warp touches (compute capability 3.0 and later).
    Sectors,
    /// Whole L1 lines of 128 bytes (2.x).
    Lines,
    /// Segments of 32, 64 or 128 bytes for each half of a warp (1.2 and 1.3).
    HalfWarps,
}

/// The hardware that counts depend on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Machine {
    /// Multiprocessors; block `b` runs on number `b % multiprocessors`.
    pub multiprocessors: u32,
    /// Blocks that are resident on a multiprocessor at a time.
    pub resident_blocks: u32,
    /// Bytes of each L1 cache; 0 if global loads bypass it.
    pub l1_bytes: u64,
    /// Bytes of the L2 cache.
    pub l2_bytes: u64,
    /// Sectors that the L2 cache brings from memory for a load at least: 1, or 2 with the one beside it.
    pub fetched_sectors: u32,
    /// Sectors that a multiprocessor can get from the L2 cache while one is on its way there from memory.
    pub flight_sectors: u32,
    /// What a warp's global access is cut into.
    pub coalescing: Coalescing,
    /// Banks of shared memory, 4 bytes wide: 32, or 16 that serve half a warp at a time.
    pub shared_banks: u32,
    /// Clocks of a load that the L2 cache serves.
    pub l2_clocks: u32,
    /// Clocks until an atomic operation on global memory gives its result.
    pub atomic_clocks: u32,
    /// Clocks until a fence of the device is passed, if its warp stored nothing since its last one.
    pub fence_clocks: u32,
    /// Clocks of a fence that waits for stores.
    pub fence_after_store_clocks: u32,
    /// The engines that work beside the warps; none before compute capability 9.0.
    pub engines: Option<Engines>,
}

/// What the copy engine of a multiprocessor and its tensor cores do for warps that go on meanwhile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Engines {
    /// Clocks from the begin of a copy until its first bytes are in shared memory.
    pub copy_clocks: u32,
    /// Bytes that the copy engine brings in a clock.
    pub copied_bytes: u32,
    /// Multiply-adds of 16-bit numbers that the tensor cores do in a clock for groups of four warps (`wgmma`).
    pub group_products: u32,
    /// Clocks from the end of a group's last product until a warp that waits for it goes on.
    pub group_clocks: u32,
}
