//! Runs a kernel's body under watch.

use simt::{Coalescing, Counts, Engines, Events, Machine, Simulator, Watch};

use crate::common::Bench;

/// A GPU with two multiprocessors, one block on each at a time.
pub const MACHINE: Machine = Machine {
    multiprocessors: 2,
    resident_blocks: 1,
    l1_bytes: 32 * 1024,
    l2_bytes: 1024 * 1024,
    fetched_sectors: 1,
    flight_sectors: 0,
    coalescing: Coalescing::Sectors,
    shared_banks: 32,
    l2_clocks: 265,
    atomic_clocks: 700,
    fence_clocks: 300,
    fence_after_store_clocks: 600,
    engines: Some(Engines {
        copy_clocks: 500,
        copied_bytes: 32,
        group_products: 128,
        group_clocks: 50,
    }),
};

/// Words of the buffer that `%rd1` points to.
pub const WORDS: u64 = 64 * 1024;

/// A kernel whose body finds its thread's index in the grid in `%r1`, its index in the block in `%r2`, the buffer's
/// address in `%rd1`, and may use `tile` (16 KiB of shared memory) and `table` (4 KiB of constant memory).
pub fn kernel(body: &str) -> String {
    format!(
        ".version 7.8\n.target sm_50\n.address_size 64\n.const .align 4 .b8 table[4096];\n\
         .visible .entry k(.param .u64 p)\n{{\n\
         .reg .pred %p<9>;\n.reg .b32 %r<40>;\n.reg .f32 %f<9>;\n.reg .f64 %fd<9>;\n.reg .b64 %rd<20>;\n\
         .shared .align 16 .b8 tile[16384];\n.local .align 16 .b8 own[64];\n\
         mov.u32 %r2, %tid.x;\nmov.u32 %r3, %ntid.x;\nmov.u32 %r4, %ctaid.x;\n\
         mad.lo.s32 %r1, %r4, %r3, %r2;\nld.param.u64 %rd1, [p];\nmov.u32 %r5, tile;\n\
         {body}\nret;\n}}\n"
    )
}

/// A body on a simulator, with its buffer.
pub fn bench(simulator: Simulator, body: &str) -> Bench {
    Bench::with(simulator, &kernel(body), 4 * WORDS)
}

/// Runs a body with `blocks` blocks of `threads` threads.
pub fn run_on(machine: Machine, body: &str, blocks: u32, threads: u32) -> Events {
    let bench = bench(Simulator::new(1 << 24), body);
    let watch = Watch { traffic: Some(machine), ..Watch::default() };
    let events = bench.watch(blocks, threads, &watch).unwrap();
    let total = events.total();
    assert_eq!(total.l1_hits + total.l2_hits + total.dram_sectors, total.global_sectors);
    // What is watched changes nothing about what is executed.
    let plain = bench.launch(blocks, threads).unwrap();
    assert_eq!((plain.classes, plain.blocks), (events.classes, events.blocks.clone()));
    events
}

/// All counts of a body, run by one block of `threads` threads.
pub fn counts(body: &str, threads: u32) -> Counts {
    run_on(MACHINE, body, 1, threads).total()
}
