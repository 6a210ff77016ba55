//! What the copy engine and the tensor cores take beside warps.

use simt::{Counts, Events, Simulator, Watch};

use super::machine::MACHINE;
use crate::common::Bench;

/// Runs a body of one block of 128 threads. Thread 0 has `%p1`; barrier k of four is at `bars + 8 * k`, and takes one arrival.
fn run(body: &str) -> Events {
    let text = format!(
        ".version 8.0\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 out)\n{{\n\
         .reg .pred %p<9>;\n.reg .b32 %r<20>;\n.reg .b64 %rd<20>;\n.reg .f32 %f<9>;\n\
         .shared .align 1024 .b8 tile[8192];\n.shared .align 8 .b8 bars[32];\n\
         ld.param.u64 %rd1, [out];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, tile;\nmov.u32 %r3, bars;\n\
         setp.eq.u32 %p1, %r1, 0;\n@%p1 mbarrier.init.shared.b64 [%r3], 1;\n@%p1 mbarrier.init.shared.b64 [%r3+8], 1;\n\
         @%p1 mbarrier.init.shared.b64 [%r3+16], 1;\n@%p1 mbarrier.init.shared.b64 [%r3+24], 1;\n\
         bar.sync 0;\n{body}\nret;\n}}\n"
    );
    let bench = Bench::with(Simulator::new(1 << 20), &text, 8192);
    let watch = Watch { traffic: Some(MACHINE), ..Watch::default() };
    bench.watch(1, 128, &watch).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Begins copy `k`, of 1 KB: 32 clocks, and 500 until its first bytes are there.
fn copy(k: u32) -> String {
    format!(
        "@%p1 mbarrier.arrive.expect_tx.shared.b64 _, [%r3+{}], 1024;\nmov.u32 %r4, 1024;\n\
         @%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r2+{}], [%rd1], %r4, [%r3+{}];\n",
        8 * k,
        1024 * k,
        8 * k
    )
}

/// Waits for it.
fn wait(k: u32) -> String {
    format!(
        "W{k}:\nmbarrier.try_wait.parity.shared.b64 %p2, [%r3+{}], 0;\n@!%p2 bra W{k};\n",
        8 * k
    )
}

/// A product of 64 × 16 and 16 × 8 elements: 64 clocks of 128 multiply-adds, and 50 until a warp that waits for it goes on.
const PRODUCT: &str = "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%f0, %f1, %f2, %f3}, %rd2, %rd3, 1, 1, 1, 0, 0;\n\
                       wgmma.commit_group.sync.aligned;\n";

/// Whether it took so many clocks, and some for its instructions.
fn takes(body: &str, clocks: u64) {
    let found = run(body).engine_clocks;
    assert!((clocks..clocks + 100).contains(&found), "{found}, not {clocks}\n{body}");
}

#[test]
fn copies_that_are_begun_together_arrive_one_behind_the_other() {
    takes(&(copy(0) + &wait(0)), 532);
    takes(&((0..4).map(copy).collect::<String>() + &wait(3)), 500 + 4 * 32);
    takes(&(0..4).map(|k| copy(k) + &wait(k)).collect::<String>(), 4 * 532);
}

#[test]
fn products_go_on_beside_copies_until_a_warp_waits_for_both() {
    let descriptors = "mov.u64 %rd2, 0x800400000;\nmov.u64 %rd3, 0x800400000;\n";
    let products = descriptors.to_owned() + &PRODUCT.repeat(4);
    let done = "wgmma.wait_group.sync.aligned 0;\n";
    takes(&(products.clone() + done), 4 * 64 + 50);
    takes(&(copy(0) + &products + done + &wait(0)), 532);
    takes(&(copy(0) + &wait(0) + &products + done), 532 + 4 * 64 + 50);
    // One group may go on: the end of the third is awaited, and the fourth counts only where somebody waits.
    takes(&(products + "wgmma.wait_group.sync.aligned 1;\n"), 3 * 64 + 50);
}

/// An engine moves sectors and rows, whatever pieces the simulator takes.
#[test]
fn a_copy_is_counted_by_sectors_and_rows() {
    let events = run(&(copy(0) + &wait(0)));
    let copies = |counts: &&Counts| counts.global_bytes > 0;
    let found: Vec<&Counts> = events.instructions.iter().filter(copies).collect();
    let [counts] = found[..] else { panic!("one copy, not {}", found.len()) };
    assert_eq!((counts.global_bytes, counts.global_sectors, counts.global_requests), (1024, 32, 8));
    assert_eq!((counts.shared_bytes, counts.shared_wavefronts), (1024, 8));
    assert_eq!((counts.l1_hits, counts.dram_sectors), (0, 32));
}

/// Four warps read the second factor of their product once, and each its rows of the first.
#[test]
fn a_product_of_four_warps_reads_each_factor_once() {
    let events = run(&format!("mov.u64 %rd2, 0x800400000;\nmov.u64 %rd3, 0x800400000;\n{PRODUCT}"));
    let bytes: u64 = events.instructions.iter().map(|counts| counts.shared_bytes).sum();
    let own = 64 * 16 * 2 + 16 * 8 * 2;
    let barriers = 4 * 8;
    assert_eq!(bytes, own + barriers);
}
