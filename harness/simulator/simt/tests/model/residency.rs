//! Residencies that are known from NVIDIA's occupancy tables or counted by hand.

use simt::model::{Gpu, Limit, ResidencyError};

/// Blocks, warps and limit on `gpu` for blocks of `threads`, in a grid that is large enough.
fn of(gpu: &str, threads: u32, registers: u32, shared: u32) -> (u32, u32, Limit) {
    let gpu = Gpu::named(gpu).unwrap();
    let found = gpu.residency(threads, Some(registers), shared, 1 << 20).unwrap();
    (found.blocks, found.warps, found.limit)
}

#[test]
fn warps_and_blocks_limit_small_kernels() {
    assert_eq!(of("9.0", 256, 32, 0), (8, 64, Limit::Registers)); // 65536 / (256 · 32): as many as warps allow
    assert_eq!(of("9.0", 256, 24, 0), (8, 64, Limit::Warps));
    assert_eq!(of("9.0", 32, 24, 0), (32, 32, Limit::Blocks));
    assert_eq!(of("8.6", 256, 24, 0), (6, 48, Limit::Warps));
    assert_eq!(of("7.5", 256, 24, 0), (4, 32, Limit::Warps));
    assert_eq!(of("3.0", 64, 24, 0), (16, 32, Limit::Blocks));
}

#[test]
fn registers_are_given_to_warps_in_units() {
    // 40 · 32 = 1280 registers a warp: 12 warps in each quarter of 16384, 48 in all, 6 blocks of 8 warps.
    assert_eq!(of("9.0", 256, 40, 0), (6, 48, Limit::Registers));
    // 33 · 32 = 1056, rounded up to 1280.
    assert_eq!(of("9.0", 256, 33, 0), (6, 48, Limit::Registers));
    assert_eq!(of("9.0", 256, 128, 0), (2, 16, Limit::Registers));
    assert_eq!(of("8.0", 1024, 64, 0), (1, 32, Limit::Registers));
    // Fermi: 21 · 32 = 672, rounded up to 704; 23 warps in each half of 16384; 46 / 8 = 5 blocks.
    assert_eq!(of("2.0", 256, 21, 0), (5, 40, Limit::Registers));
    // Kepler, 63 registers: 2016 → 2048; 8 warps a quarter, 32 in all.
    assert_eq!(of("3.0", 256, 63, 0), (4, 32, Limit::Registers));
}

#[test]
fn capability_one_gives_registers_to_blocks() {
    // 16 · 32 · 8 warps = 4096, four blocks of 16384; 17 need 4352 → 4608: three.
    assert_eq!(of("1.3", 256, 16, 0), (4, 32, Limit::Registers));
    assert_eq!(of("1.3", 256, 17, 0), (3, 24, Limit::Registers));
    // Three warps are four when registers are given: 16 · 32 · 4 = 2048, eight blocks.
    assert_eq!(of("1.3", 96, 16, 0), (8, 24, Limit::Registers));
}

#[test]
fn shared_memory_has_units_and_a_reserve() {
    // 4096 + 1024 of 233472: 45, so the warps decide.
    assert_eq!(of("9.0", 256, 24, 4096), (8, 64, Limit::Warps));
    // 48 KB + 1 KB = 50176 of 233472: 4.
    assert_eq!(of("9.0", 128, 24, 49152), (4, 16, Limit::SharedMemory));
    // All that a block can ask for: one.
    assert_eq!(of("9.0", 128, 24, 232_448), (1, 4, Limit::SharedMemory));
    // Without the reserve of 1 KB there would be three: 3 · 33 KB of 100 KB.
    assert_eq!(of("8.6", 128, 24, 33 * 1024), (2, 8, Limit::SharedMemory));
    // Pascal: 96 KB a multiprocessor, no reserve.
    assert_eq!(of("6.1", 128, 24, 48 * 1024), (2, 8, Limit::SharedMemory));
    // 16400 is given as 16640 (units of 256): 2 of 49152.
    assert_eq!(of("3.0", 128, 24, 16_400), (2, 8, Limit::SharedMemory));
}

#[test]
fn a_small_grid_limits_itself() {
    let h200 = Gpu::named("h200").unwrap();
    let small = h200.residency(256, Some(32), 0, 16).unwrap();
    assert_eq!((small.blocks, small.warps, small.limit.name()), (1, 8, "the grid"));
    assert_eq!((small.multiprocessors, small.busiest_blocks, small.rounds()), (16, 1, 1));
    // 131072 bodies, 256 a block: 512 blocks, at most 4 on each of 132.
    let large = h200.residency(256, Some(31), 0, 512).unwrap();
    assert_eq!((large.blocks, large.warps, large.multiprocessors), (4, 32, 132));
    assert_eq!((large.busiest_blocks, large.rounds()), (4, 1));
    // Unknown registers do not limit.
    assert_eq!(h200.residency(256, None, 0, 1 << 20).unwrap().warps, 64);
    let rounds = h200.residency(1024, Some(32), 0, 132 * 5).unwrap();
    assert_eq!((rounds.blocks, rounds.busiest_blocks, rounds.rounds()), (2, 5, 3));
}

#[test]
fn what_cannot_be_resident_is_refused_with_need_limit_and_remedy() {
    let t4 = Gpu::named("t4").unwrap();
    let error = t4.residency(256, Some(32), 65_537, 1).unwrap_err().to_string();
    for part in ["65537", "65536", "Tesla T4", "7.5", "smaller tiles"] {
        assert!(error.contains(part), "{error}");
    }
    let error = t4.residency(1024, Some(65), 0, 1).unwrap_err();
    // 65 · 32 = 2080 → 2304 a warp, 32 warps.
    assert!(matches!(
        error,
        ResidencyError::BlockRegisters { allocated: 73_728, most: 65_536, .. }
    ));
    assert!(error.to_string().contains("__launch_bounds__"), "{error}");
    let error = t4.residency(32, Some(256), 0, 1).unwrap_err().to_string();
    assert!(error.contains("256") && error.contains("255"), "{error}");
    let fx5800 = Gpu::named("fx 5800").unwrap();
    let error = fx5800.residency(1024, Some(10), 0, 1).unwrap_err().to_string();
    assert!(error.contains("1024") && error.contains("512"), "{error}");
    assert!(t4.residency(0, None, 0, 1).is_err());
    assert!(t4.residency(32, None, 0, 0).is_err());
}

#[test]
fn borrowed_registers_can_be_cut_to_what_fits() {
    let most = |gpu: &str, threads| Gpu::named(gpu).unwrap().most_registers(threads);
    // 65536 / 1024 threads; 255 is the most of a thread.
    assert_eq!((most("t4", 1024), most("t4", 128)), (64, 255));
    assert_eq!((most("3.0", 1024), most("2.0", 1024)), (63, 32));
    // 16384 / 512 threads.
    assert_eq!(most("1.3", 512), 32);
}
