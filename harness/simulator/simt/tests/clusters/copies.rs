//! What is sent to other blocks, and which barrier counts it (PTX ISA, "st.async", "red.async",
//! "mbarrier.arrive", "cp.async.bulk").

use super::fixture::{SYNC, Shape, kernel};

const FOUR: Shape = Shape { blocks: 8, threads: 32, cluster: Some(4) };

/// Initialises `bar` for so many arrivals, in each block, before `body`.
fn with_barrier(count: u32, body: &str) -> String {
    let body = format!(
        "mov.u32 %r20, bar;\nmov.u32 %r21, data;\nsetp.eq.u32 %p0, %r0, 0;\n\
         @%p0 mbarrier.init.shared::cta.b64 [%r20], {count};\n\
         @%p0 fence.mbarrier_init.release.cluster;\n{SYNC}{body}"
    );
    kernel("", &body)
}

/// Waits for phase 0 of the block's own barrier.
pub const WAIT: &str = "WAIT:\nmbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p9, [%r20], 0;\n@!%p9 bra WAIT;\n";

/// Each thread stores to the next block, whose barrier expects the bytes of 32 threads.
pub fn stores(operation: &str, bytes: u32, end: &str) -> String {
    let body = format!(
        "mov.u32 %r5, 1000;\nmad.lo.u32 %r6, %r0, 4, %r21;\nst.shared.u32 [%r6], %r5;\n{SYNC}\
         @%p0 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r20], {bytes};\nadd.u32 %r7, %r2, 1;\n\
         rem.u32 %r7, %r7, %r3;\nmapa.shared::cluster.u32 %r8, %r6, %r7;\nmapa.shared::cluster.u32 %r9, %r20, %r7;\n\
         mad.lo.u32 %r10, %r1, 100, %r0;\n\
         {operation} [%r8], %r10, [%r9];\n{WAIT}ld.shared.u32 %r11, [%r6];\n{end}st.global.u32 [%rd0], %r11;"
    );
    with_barrier(1, &body)
}

pub const STORE: &str = "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32";

#[test]
fn a_store_announces_itself_to_the_barrier_of_another_block() {
    let sender = |block: u32| block / 4 * 4 + (block + 3) % 4;
    let expect = |plus: u32| -> Vec<u32> {
        let of = |block: u32| (0..32).map(move |k| plus + sender(block) * 100 + k);
        (0..8).flat_map(of).collect()
    };
    assert_eq!(FOUR.run(&stores(STORE, 128, SYNC)), expect(0));
    let add = "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32";
    assert_eq!(FOUR.run(&stores(add, 128, SYNC)), expect(1000));
}

#[test]
fn a_barrier_counts_arrivals_of_other_blocks() {
    // Rank 0 waits for one thread of each block.
    let body = format!(
        "mapa.shared::cluster.u32 %r8, %r20, 0;\nmapa.shared::cluster.u32 %r9, %r21, 0;\n\
         mad.lo.u32 %r9, %r2, 4, %r9;\n@%p0 st.shared::cluster.u32 [%r9], %r1;\n\
         @%p0 mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r8];\nsetp.ne.u32 %p1, %r2, 0;\n\
         mov.u32 %r11, 77;\n@%p1 bra END;\n{WAIT}and.b32 %r12, %r0, 3;\nmad.lo.u32 %r12, %r12, 4, %r21;\n\
         ld.shared.u32 %r11, [%r12];\nEND:\n{SYNC}st.global.u32 [%rd0], %r11;"
    );
    let text = with_barrier(4, &body);
    let out = FOUR.run(&text);
    let of = |block: u32, k: u32| if block.is_multiple_of(4) { block + k % 4 } else { 77 };
    assert!(out.iter().zip(0..).all(|(&word, k)| word == of(k / 32, k % 32)), "{out:?}");
    assert_eq!(FOUR.hazards(&text), []);
}

/// `fence.mbarrier_init` with a relaxed barrier shows the `mbarrier`s that a thread has initialised, and nothing else.
#[test]
fn a_fence_shows_barriers_to_the_cluster_and_no_other_stores() {
    let relaxed =
        |text: &str| text.replacen("barrier.cluster.arrive.", "barrier.cluster.arrive.relaxed.", 1);
    let body = format!(
        "mapa.shared::cluster.u32 %r8, %r20, 0;\n@%p0 mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r8];\n\
         setp.ne.u32 %p1, %r2, 0;\n@%p1 bra END;\n{WAIT}END:\n{SYNC}"
    );
    let arrives = with_barrier(4, &body);
    assert_eq!(FOUR.hazards(&relaxed(&arrives)), []);
    let fence = "@%p0 fence.mbarrier_init.release.cluster;";
    assert_eq!(FOUR.hazards(&arrives.replace(fence, "")), [], "the barrier releases");
    let is_race = |told: &[simt::Fault]| {
        told.iter().any(|told| matches!(told.kind, simt::FaultKind::Race(_)))
    };
    let told = FOUR.hazards(&relaxed(&arrives).replace(fence, ""));
    assert!(is_race(&told), "{told:?}");

    let store = |fence: &str| {
        let body = format!(
            "mov.u32 %r21, data;\nmad.lo.u32 %r6, %r0, 4, %r21;\nst.shared.u32 [%r6], %r1;\n{fence}\n{SYNC}\
             add.u32 %r7, %r2, 1;\nrem.u32 %r7, %r7, %r3;\nmapa.shared::cluster.u32 %r8, %r6, %r7;\n\
             ld.shared::cluster.u32 %r11, [%r8];\n{SYNC}st.global.u32 [%rd0], %r11;"
        );
        FOUR.hazards(&relaxed(&kernel("", &body)))
    };
    assert_eq!(store("fence.acq_rel.cluster;"), []);
    let told = store("fence.mbarrier_init.release.cluster;");
    assert!(is_race(&told), "{told:?}");
}

/// The copy of a block arrives at its own barrier, or at that of the next block.
#[test]
fn the_copy_engine_sees_no_barrier_without_a_fence() {
    let text = |to: &str| {
        let body = format!(
            "add.u32 %r7, %r2, {to};\nrem.u32 %r7, %r7, %r3;\n\
             @%p0 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r20], 128;\nld.param.u64 %rd5, [out];\n\
             mapa.shared::cluster.u32 %r8, %r21, %r7;\nmapa.shared::cluster.u32 %r9, %r20, %r7;\n\
             @%p0 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r8], [%rd5], 128, [%r9];\n\
             {WAIT}{SYNC}"
        );
        with_barrier(1, &body)
    };
    let fence = "@%p0 fence.mbarrier_init.release.cluster;";
    for to in ["0", "1"] {
        let text = text(to);
        let lacks = |told: &[simt::Fault]| {
            told.iter().any(|told| matches!(told.kind, simt::FaultKind::MissingProxyFence(..)))
        };
        let told = FOUR.hazards(&text);
        assert!(!lacks(&told), "{told:?}");
        let told = FOUR.hazards(&text.replace(fence, ""));
        assert!(lacks(&told), "to {to}: {told:?}");
    }
}

/// Rank 0 copies the first 128 bytes of `out`, which thread k of block 0 filled with k, to itself and to rank 2 at once.
#[test]
fn a_copy_goes_to_several_blocks() {
    let body = format!(
        "st.global.u32 [%rd0], %r0;\nfence.acq_rel.gpu;\nfence.proxy.async;\n{SYNC}mov.u32 %r11, 9;\nand.b32 %r12, %r2, 1;\n\
         setp.ne.u32 %p1, %r12, 0;\n@%p1 bra END;\n\
         @%p0 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r20], 128;\nsetp.ne.u32 %p2, %r2, 0;\n@%p2 bra GET;\n\
         ld.param.u64 %rd5, [out];\nshr.u32 %r13, %r1, 2;\nmad.wide.u32 %rd5, %r13, 512, %rd5;\nmov.u16 %h1, 5;\n\
         @%p0 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r21], [%rd5], 128, \
         [%r20], %h1;\nGET:\n{WAIT}mad.lo.u32 %r6, %r0, 4, %r21;\nld.shared.u32 %r11, [%r6];\nEND:\n{SYNC}\
         mad.lo.u32 %r11, %r2, 1000, %r11;\nst.global.u32 [%rd0], %r11;"
    );
    let text = with_barrier(1, &body)
        .replace(".reg .pred %p<40>;", ".reg .pred %p<40>;\n.reg .b16 %h<2>;");
    let out = FOUR.run(&text.replace(".aligned", ""));
    let of = |rank: u32, k: u32| 1000 * rank + if rank.is_multiple_of(2) { k } else { 9 };
    assert!(out.iter().zip(0..).all(|(&word, k)| word == of(k / 32 % 4, k % 32)), "{out:?}");
}

/// Rank 0 copies to rank 2 alone, and waits for the cluster at once: rank 2 hears of the copy whenever it lands.
#[test]
fn a_copy_lands_while_its_block_waits_for_the_cluster() {
    let body = format!(
        "setp.eq.u32 %p2, %r2, 0;\nsetp.ne.u32 %p3, %r2, 2;\nld.param.u64 %rd5, [out];\nmov.u16 %h1, 4;\n\
         and.pred %p2, %p2, %p0;\n\
         @%p2 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r21], [%rd5], 128, \
         [%r20], %h1;\n@%p3 bra END;\n\
         @%p0 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r20], 128;\n{WAIT}END:\n{SYNC}"
    );
    let text = with_barrier(1, &body)
        .replace(".reg .pred %p<40>;", ".reg .pred %p<40>;\n.reg .b16 %h<2>;");
    let many = Shape { blocks: 64, ..FOUR };
    assert_eq!(many.hazards(&text.replace(".aligned", "")), []);
}

/// Each block copies its memory to the next.
#[test]
fn a_copy_goes_from_block_to_block() {
    let body = format!(
        "mad.lo.u32 %r6, %r0, 4, %r21;\nmad.lo.u32 %r5, %r1, 100, %r0;\nst.shared.u32 [%r6], %r5;\n\
         fence.proxy.async.shared::cta;\nbar.sync 0;\nadd.u32 %r7, %r2, 1;\nrem.u32 %r7, %r7, %r3;\n\
         @%p0 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r20], 128;\nadd.u32 %r8, %r21, 128;\n\
         mapa.shared::cluster.u32 %r8, %r8, %r7;\nmapa.shared::cluster.u32 %r9, %r20, %r7;\n\
         @%p0 cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r8], [%r21], 128, [%r9];\n\
         {WAIT}ld.shared.u32 %r11, [%r6+128];\n{SYNC}st.global.u32 [%rd0], %r11;"
    );
    let text = with_barrier(1, &body);
    let out = FOUR.run(&text);
    let sender = |block: u32| block / 4 * 4 + (block + 3) % 4;
    assert!(out.iter().zip(0..).all(|(&word, k)| word == sender(k / 32) * 100 + k % 32), "{out:?}");
    assert_eq!(FOUR.hazards(&text), []);
    let told = FOUR.hazards(&text.replace("fence.proxy.async.shared::cta;", ""));
    let texts: Vec<String> = told.iter().map(ToString::to_string).collect();
    assert!(texts.len() == 1 && texts[0].contains("missing proxy fence"), "{texts:?}");
}

/// A barrier that expects other bytes than come is never complete, and the message names them.
#[test]
fn wrong_bytes_are_named() {
    let more = FOUR.error(&stores(STORE, 256, SYNC));
    assert!(more.contains("waits for 128 more bytes than the copies bring"), "{more}");
    let fewer = FOUR.error(&stores(STORE, 64, SYNC));
    assert!(fewer.contains("64 too many came"), "{fewer}");
}
