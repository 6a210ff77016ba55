//! No false alarms.

use super::fixture::Fixture;
use simt::{Fault, Scheduling};

/// A kernel's name, its grid, its block, `n`.
type Clean = (&'static str, [u32; 3], [u32; 3], u32);

/// Kernels of `clean.cu`.
const ALL: [Clean; 20] = [
    ("transpose", [2, 2, 1], [32, 8, 1], 64),
    ("block_reduction", [4, 1, 1], [256, 1, 1], 1000),
    ("shuffle_reduction", [4, 1, 1], [256, 1, 1], 1000),
    ("warp_reduction", [2, 1, 1], [256, 1, 1], 512),
    ("volatile_reduction", [1, 1, 1], [64, 1, 1], 64),
    ("histogram", [3, 1, 1], [128, 1, 1], 1000),
    ("double_buffer", [2, 1, 1], [128, 1, 1], 1024),
    ("named_barriers", [1, 1, 1], [128, 1, 1], 512),
    ("bytes", [1, 1, 1], [256, 1, 1], 256),
    ("spin_lock", [1, 1, 1], [96, 1, 1], 96),
    ("fence_reduction", [8, 1, 1], [128, 1, 1], 1024),
    ("scan", [1, 1, 1], [256, 1, 1], 256),
    ("same_value", [4, 1, 1], [256, 1, 1], 256),
    ("early_return", [1, 1, 1], [256, 1, 1], 77),
    ("flag", [1, 1, 1], [64, 1, 1], 1),
    ("padding", [1, 1, 1], [64, 1, 1], 64),
    ("stencil", [4, 1, 1], [256, 1, 1], 1024),
    ("queue", [2, 1, 1], [256, 1, 1], 256),
    ("matrix_product", [4, 4, 1], [16, 16, 1], 64),
    ("half_warps", [1, 1, 1], [32, 1, 1], 32),
];

/// Kernels of `clean-more.cu`.
const MORE: [Clean; 13] = [
    ("sync_count", [1, 1, 1], [128, 1, 1], 1),
    ("doubles", [1, 1, 1], [128, 1, 1], 1),
    ("generic", [1, 1, 1], [128, 1, 1], 0),
    ("generic", [1, 1, 1], [128, 1, 1], 1),
    ("warp_aggregated", [1, 1, 1], [256, 1, 1], 1),
    ("loop_early_exit", [1, 1, 1], [128, 1, 1], 1),
    ("bitonic", [1, 1, 1], [256, 1, 1], 1),
    ("shared_struct", [1, 1, 1], [64, 1, 1], 1),
    ("ticket_lock_volatile", [1, 1, 1], [128, 1, 1], 1),
    ("in_place_own", [4, 1, 1], [64, 1, 1], 1),
    ("compound_min", [1, 1, 1], [64, 1, 1], 1),
    ("while_changed", [1, 1, 1], [64, 1, 1], 1),
    ("sync_or", [1, 1, 1], [64, 1, 1], 1),
];

/// Kernels of `clean-grid.cu`.
const GRID: [Clean; 10] = [
    ("last_block", [4, 1, 1], [128, 1, 1], 1),
    ("volatile_parts", [4, 1, 1], [64, 1, 1], 1),
    ("begun_by_an_exchange", [2, 1, 1], [64, 1, 1], 1),
    ("grid_barrier", [4, 1, 1], [64, 1, 1], 1),
    ("work_queue", [3, 1, 1], [64, 1, 1], 8),
    ("look_back", [6, 1, 1], [64, 1, 1], 1),
    ("locked_buckets", [2, 1, 1], [64, 1, 1], 1),
    ("made_once", [4, 1, 1], [64, 1, 1], 1),
    ("least_place", [4, 1, 1], [64, 1, 1], 256),
    ("tree", [4, 1, 1], [64, 1, 1], 1),
];

/// All of them, with their files.
fn all() -> impl Iterator<Item = (&'static str, Clean)> {
    let first = ALL.map(|launch| ("clean", launch)).into_iter();
    let more = MORE.map(|launch| ("clean-more", launch));
    first.chain(more).chain(GRID.map(|launch| ("clean-grid", launch)))
}

/// Kernels without the fence that the memory model wants after a flag or an atomic was read: some of NVIDIA's samples do so,
/// and GPUs of today order that.
const NO_FENCE_AFTER: [&str; 3] = ["fence_reduction", "last_block", "spin_lock"];

/// The hazards but for those of the memory model only, which just these kernels have.
fn of_today(kernel: &str, mut found: Vec<Fault>) -> Vec<Fault> {
    let count = found.len();
    found.retain(|fault| !fault.is_of_model_only());
    assert_eq!(found.len() < count, NO_FENCE_AFTER.contains(&kernel), "{kernel}");
    found
}

#[test]
fn correct_kernels_are_clean() {
    for (file, (kernel, grid, block, n)) in all() {
        for seed in 0..4 {
            let fixture = Fixture { seed, ..Fixture::filled(file) };
            let found = of_today(kernel, fixture.hazards(kernel, grid, block, n));
            assert!(found.is_empty(), "{kernel}, seed {seed}: {}", found[0]);
        }
    }
}

#[test]
fn correct_kernels_are_clean_in_lockstep() {
    for (file, (kernel, grid, block, n)) in all() {
        let scheduling = Scheduling::Lockstep;
        let fixture = Fixture { scheduling, ..Fixture::filled(file) };
        let found = of_today(kernel, fixture.hazards(kernel, grid, block, n));
        assert!(found.is_empty(), "{kernel}: {}", found[0]);
    }
}
