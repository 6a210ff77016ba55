//! No false alarms.

use crate::fixture::Fixture;
use simt::Scheduling;

/// Kernels of `clean.cu`: grid, block, `n`.
const ALL: [(&str, [u32; 3], [u32; 3], u32); 20] = [
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

#[test]
fn nothing_is_told_of_correct_kernels() {
    for (kernel, grid, block, n) in ALL {
        for seed in 0..4 {
            let fixture = Fixture::filled("clean");
            fixture.simulator.shuffle_warps(seed);
            let told = fixture.hazards(kernel, grid, block, n);
            assert!(told.is_empty(), "{kernel}, seed {seed}: {}", told[0]);
        }
    }
}

/// All but those in which lanes of a warp wait for each other.
#[test]
fn nothing_is_told_of_them_in_lockstep() {
    for (kernel, grid, block, n) in ALL {
        let fixture = Fixture::filled("clean");
        fixture.schedule(Scheduling::Lockstep);
        let told = fixture.hazards(kernel, grid, block, n);
        assert!(told.is_empty(), "{kernel}: {}", told[0]);
    }
}
