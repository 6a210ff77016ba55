//! Shared memory of other blocks, and the barrier that makes it safe to use.

use simt::Watch;

use super::fixture::{SYNC, Shape, kernel};
use crate::waiting::pattern::MACHINE;

const FOUR: Shape = Shape { blocks: 8, threads: 64, cluster: Some(4) };

/// Each block fills its memory; each thread then reads its word of the next block in the cluster.
fn next(read: &str) -> String {
    let body = format!(
        "mad.lo.u32 %r5, %r1, 1000, %r0;\nmov.u32 %r6, data;\nmad.lo.u32 %r6, %r0, 4, %r6;\nst.shared.u32 [%r6], %r5;\n\
         {SYNC}add.u32 %r7, %r2, 1;\nrem.u32 %r7, %r7, %r3;\n{read}\n{SYNC}st.global.u32 [%rd0], %r8;"
    );
    kernel("", &body)
}

/// What that leaves in `out`.
fn expected() -> Vec<u32> {
    let of =
        |block: u32| (0..64).map(move |thread| (block / 4 * 4 + (block + 1) % 4) * 1000 + thread);
    (0..8).flat_map(of).collect()
}

const READS: [&str; 4] = [
    "mapa.shared::cluster.u32 %r9, %r6, %r7;\nld.shared::cluster.u32 %r8, [%r9];",
    // In 64 bits.
    "cvt.u64.u32 %rd6, %r6;\nmapa.shared::cluster.u64 %rd7, %rd6, %r7;\nld.shared::cluster.u32 %r8, [%rd7];",
    // By a generic address.
    "cvt.u64.u32 %rd6, %r6;\ncvta.shared.u64 %rd6, %rd6;\nmapa.u64 %rd7, %rd6, %r7;\nld.u32 %r8, [%rd7];",
    // Of the variable, with an offset at the access.
    "mapa.shared::cluster.u32 %r9, data, %r7;\nmad.lo.u32 %r9, %r0, 4, %r9;\nsub.u32 %r9, %r9, 8;\n\
     ld.shared::cluster.u32 %r8, [%r9+8];",
];

#[test]
fn a_block_reads_the_memory_of_another() {
    for read in READS {
        assert_eq!(FOUR.run(&next(read)), expected(), "{read}");
    }
    let watch = Watch { traffic: Some(MACHINE), ..Watch::default() };
    let (out, _) = FOUR.try_run(&next(READS[0]), &watch).expect("no fault");
    assert_eq!(out, expected(), "several blocks on a multiprocessor");
}

/// All threads of the cluster count in the memory of rank 0.
#[test]
fn atomics_reach_one_block() {
    for add in [
        "mapa.shared::cluster.u32 %r9, data, 0;\natom.shared::cluster.add.u32 %r8, [%r9], 1;",
        "mapa.shared::cluster.u32 %r9, data, 0;\nred.shared::cluster.add.u32 [%r9], 1;",
    ] {
        let body = format!(
            "mov.u32 %r6, 0;\nst.shared.u32 [data], %r6;\n{SYNC}{add}\n{SYNC}ld.shared.u32 %r8, [data];\n\
             st.global.u32 [%rd0], %r8;"
        );
        let out = FOUR.run(&kernel("", &body));
        let of = |block: u32| if block.is_multiple_of(4) { 256 } else { 0 };
        assert!(out.iter().zip(0..).all(|(&word, k)| word == of(k / 64)), "{out:?}");
    }
}

/// Addresses know their block, and which spaces they are of.
#[test]
fn an_address_has_a_rank_and_a_space() {
    let body = "mov.u32 %r5, data;\nmapa.shared::cluster.u32 %r6, %r5, 1;\ngetctarank.shared::cluster.u32 %r7, %r6;\n\
                getctarank.shared::cluster.u32 %r8, %r5;\nmad.lo.u32 %r8, %r7, 10, %r8;\ncvt.u64.u32 %rd5, %r5;\n\
                cvta.shared.u64 %rd5, %rd5;\nmapa.u64 %rd6, %rd5, 1;\ngetctarank.u64 %r7, %rd6;\n\
                mad.lo.u32 %r8, %r7, 100, %r8;\nisspacep.shared::cluster %p1, %rd6;\n\
                isspacep.shared::cta %p2, %rd6;\nisspacep.shared::cluster %p3, %rd5;\n\
                isspacep.shared %p4, %rd5;\nselp.u32 %r9, 8, 0, %p1;\nselp.u32 %r10, 4, 0, %p2;\n\
                selp.u32 %r11, 2, 0, %p3;\nselp.u32 %r12, 1, 0, %p4;\nor.b32 %r9, %r9, %r10;\n\
                or.b32 %r11, %r11, %r12;\nor.b32 %r9, %r9, %r11;\nmad.lo.u32 %r8, %r9, 1000, %r8;\n\
                st.global.u32 [%rd0], %r8;";
    let shape = Shape { blocks: 2, threads: 1, cluster: Some(2) };
    // A block's own window is part of the cluster's, and no other block's memory is in it.
    assert_eq!(shape.run(&kernel("", body)), [11_110, 15_111]);
}

/// A thread may do other work between arriving and waiting, and phases follow each other.
#[test]
fn a_barrier_in_two_parts_has_many_phases() {
    let body = "mov.u32 %r6, 0;\nst.shared.u32 [data], %r6;\nbarrier.cluster.arrive.release;\nmov.u32 %r10, 0;\n\
                barrier.cluster.wait.acquire;\nLOOP:\nadd.u32 %r7, %r2, %r10;\nrem.u32 %r7, %r7, %r3;\n\
                mapa.shared::cluster.u32 %r9, data, %r7;\nsetp.eq.u32 %p1, %r0, 0;\n\
                @%p1 ld.shared::cluster.u32 %r8, [%r9];\n@%p1 add.u32 %r8, %r8, 1;\n\
                @%p1 st.shared::cluster.u32 [%r9], %r8;\nbarrier.cluster.arrive;\nadd.u32 %r10, %r10, 1;\n\
                setp.lt.u32 %p2, %r10, 5;\nbarrier.cluster.wait;\n@%p2 bra LOOP;\nld.shared.u32 %r8, [data];\n\
                st.global.u32 [%rd0], %r8;";
    let out = FOUR.run(&kernel("", body));
    assert!(out.iter().all(|&word| word == 5), "{out:?}");
}

/// Who has exited is not waited for ("all non-exited threads").
#[test]
fn the_barrier_does_not_wait_for_threads_that_have_exited() {
    let body = format!(
        "setp.lt.u32 %p1, %r0, 40;\n@%p1 ret;\n{SYNC}setp.eq.u32 %p2, %r2, 3;\n@%p2 ret;\n{SYNC}\
         st.global.u32 [%rd0], %r0;"
    );
    let out = FOUR.run(&kernel("", &body.replace(".aligned", "")));
    let of = |k: u32| if k % 64 < 40 || k / 64 % 4 == 3 { 0 } else { k % 64 };
    assert!(out.iter().zip(0..).all(|(&word, k)| word == of(k)), "{out:?}");
}

/// One block polls a word of its own memory until another block has written it.
#[test]
fn a_block_waits_for_a_store_of_another() {
    let body = format!(
        "mov.u32 %r6, 0;\nst.shared.u32 [data], %r6;\n{SYNC}setp.ne.u32 %p1, %r2, 0;\n@%p1 bra SEND;\nWAIT:\n\
         ld.acquire.cluster.shared.u32 %r8, [data];\nsetp.lt.u32 %p2, %r8, 3;\n@%p2 bra WAIT;\nbra END;\nSEND:\n\
         setp.ne.u32 %p3, %r0, 0;\n@%p3 bra END;\nmapa.shared::cluster.u32 %r9, data, 0;\n\
         atom.acq_rel.cluster.shared::cluster.add.u32 %r8, [%r9], 1;\nEND:\n{SYNC}st.global.u32 [%rd0], %r8;"
    );
    let out = FOUR.run(&kernel("", &body.replace(".aligned", "")));
    assert!([0, 4].iter().all(|block| out[block * 64..][..64].iter().all(|&word| word == 3)));
}

/// Accesses to the other block count by sectors of 32 bytes: those of a block's own memory and atomics do not.
#[test]
fn accesses_to_another_block_are_counted_by_their_sectors() {
    let passes = |access: &str| {
        let body = format!(
            "mov.u32 %r10, data;\nxor.b32 %r11, %r2, 1;\nmapa.shared::cluster.u32 %r12, %r10, %r11;\n\
             mapa.shared::cluster.u32 %r13, %r10, %r2;\n{SYNC}\n{access}\n{SYNC}"
        );
        let shape = Shape { blocks: 2, threads: 32, cluster: Some(2) };
        let text = kernel("", &body);
        let watch = Watch { traffic: Some(MACHINE), ..Watch::default() };
        let (_, events) = shape.try_run(&text, &watch).expect("no fault");
        let total = events.total();
        (total.cluster_passes, total.cluster_atomics)
    };
    let next = "mad.lo.u32 %r14, %r0, 4, %r12;\n";
    let load = "ld.shared::cluster.u32 %r15, [%r14];";
    // Two blocks: four sectors each, eight of two words apart (of which the array has 64), one where all lanes read a word.
    assert_eq!(passes(&format!("{next}{load}")), (2 * 4, 0));
    assert_eq!(passes(&format!("mad.lo.u32 %r14, %r0, 8, %r12;\n{load}")), (2 * 8, 0));
    assert_eq!(passes(&format!("mov.u32 %r14, %r12;\n{load}")), (2, 0));
    assert_eq!(passes(&format!("{next}st.shared::cluster.u32 [%r14], %r0;")), (2 * 4, 0));
    // 16 lanes of 128 bits are eight sectors, two in a pass.
    let wide = "and.b32 %r16, %r0, 15;\nmad.lo.u32 %r14, %r16, 16, %r12;\n\
                ld.shared::cluster.v4.u32 {%r20, %r21, %r22, %r23}, [%r14];";
    assert_eq!(passes(wide), (2 * 4, 0));
    assert_eq!(passes(&format!("mad.lo.u32 %r14, %r0, 4, %r13;\n{load}")), (0, 0));
    assert_eq!(passes(&format!("{next}red.shared::cluster.add.u32 [%r14], 1;")), (0, 64));
}
