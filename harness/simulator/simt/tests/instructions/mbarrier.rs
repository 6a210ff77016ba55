//! `mbarrier`, and bulk copies that complete on one.

use super::harness::{bytes, kernel, run, try_run, words};
use simt::Module;

/// A kernel of one block whose thread 0 sets up `bar` for `count` arrivals; then all run `statements`, with the thread in
/// `%r0`, `bar`'s address in `%r20`, that of 256 words in shared memory in `%r21`, p0 in `%rd0` and p1 in `%rd1`, and
/// store `%r9` to their word of p1.
fn with_barrier(count: u32, statements: &str) -> String {
    kernel(
        2,
        0,
        &format!(
            ".shared .align 8 .b64 bar;\n.shared .align 128 .b8 data[1024];\nmov.u32 %r0, %tid.x;\n\
             mov.u32 %r20, bar;\nmov.u32 %r21, data;\nld.param.u64 %rd0, [p0];\nld.param.u64 %rd1, [p1];\n\
             setp.eq.u32 %p0, %r0, 0;\n@%p0 mbarrier.init.shared.b64 [%r20], {count};\nbar.sync 0;\n\
             shl.b32 %r22, %r0, 2;\nadd.u32 %r23, %r21, %r22;\nmad.wide.u32 %rd2, %r0, 4, %rd1;\n\
             {statements}\nst.global.u32 [%rd2], %r9;"
        ),
    )
}

/// The first 32 threads write, the others wait for them and read.
const HAND_OVER: &str = "setp.lt.u32 %p1, %r0, 32;\nmov.u32 %r9, 0;\n@!%p1 bra READ;\n\
    mad.lo.u32 %r5, %r0, 3, 1;\nst.shared.u32 [%r23], %r5;\n\
    mbarrier.arrive.release.cta.shared::cta.b64 %rd9, [%r20];\nbra DONE;\nREAD:\n\
    mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 %p2, [%r20], 0, 1000;\n@!%p2 bra READ;\n\
    ld.shared.u32 %r9, [%r23+-128];\nDONE:";

/// Every thread arrives with its token three times, with a sum in between.
const PHASES: &str = "mov.u32 %r9, 0;\nst.shared.u32 [%r23], %r0;\nmov.u32 %r8, 0;\nAGAIN:\n\
    mbarrier.arrive.shared.b64 %rd9, [%r20];\nWAIT:\n\
    mbarrier.test_wait.shared.b64 %p1, [%r20], %rd9;\n@!%p1 bra WAIT;\n\
    xor.b32 %r10, %r23, 4;\nld.shared.u32 %r11, [%r10];\nadd.u32 %r9, %r9, %r11;\n\
    mbarrier.arrive.shared.b64 %rd9, [%r20];\nWAIT2:\n\
    mbarrier.test_wait.shared.b64 %p1, [%r20], %rd9;\n@!%p1 bra WAIT2;\n\
    st.shared.u32 [%r23], %r9;\nadd.u32 %r8, %r8, 1;\nsetp.lt.u32 %p2, %r8, 3;\n@%p2 bra AGAIN;";

/// One thread asks for 512 bytes, whose arrival all wait for.
const BULK: &str = "@!%p0 bra WAIT;\nmbarrier.arrive.expect_tx.shared::cta.b64 _, [%r20], 512;\n\
    cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r21], [%rd0], 256, [%r20];\n\
    mov.u32 %r7, 256;\n\
    cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%r21+256], [%rd0+256], %r7, [%r20];\n\
    WAIT:\nmbarrier.try_wait.parity.shared::cta.b64 %p2, [%r20], 0;\n@!%p2 bra WAIT;\n\
    ld.shared.u32 %r9, [%r23];\nfence.proxy.async.shared::cta;\nbar.sync 0;\n\
    @%p0 cp.async.bulk.global.shared::cta.bulk_group [%rd1+512], [%r21], 512;\n\
    @%p0 cp.async.bulk.commit_group;\n@%p0 cp.async.bulk.wait_group.read 0;";

/// Copies of all threads arrive on the barrier.
const COPIES: &str = "mad.wide.u32 %rd3, %r0, 4, %rd0;\ncp.async.ca.shared.global [%r23], [%rd3], 4;\n\
    cp.async.mbarrier.arrive.noinc.shared.b64 [%r20];\nWAIT:\n\
    mbarrier.try_wait.parity.shared.b64 %p1, [%r20], 0;\n@!%p1 bra WAIT;\n\
    xor.b32 %r10, %r23, 124;\nld.shared.u32 %r9, [%r10];";

/// Counts of a state: arrivals still to come after one of five, and after two more that drop out.
const COUNTS: &str = "@!%p0 bra DONE;\nmbarrier.arrive.noComplete.shared.b64 %rd9, [%r20], 1;\n\
    mbarrier.arrive_drop.shared.b64 %rd10, [%r20];\nmbarrier.pending_count.b64 %r9, %rd9;\n\
    mbarrier.pending_count.b64 %r10, %rd10;\nmad.lo.u32 %r9, %r9, 10, %r10;\n\
    mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%r20], 8;\n\
    mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%r20], 8;\nmbarrier.inval.shared.b64 [%r20];\nDONE:";

fn values(count: u32) -> Vec<u8> {
    bytes((0..count).map(|k| 1000 + 7 * k))
}

#[test]
fn what_was_written_before_an_arrival_is_there() {
    let found = run(&with_barrier(32, HAND_OVER), 1, 64, &[vec![0; 4], vec![0; 256]], &[]);
    let expected: Vec<u32> = (0..32).map(|_| 0).chain((0..32).map(|k| 3 * k + 1)).collect();
    assert_eq!(words(&found[1]), expected);
}

#[test]
fn a_barrier_is_used_again_and_again() {
    let found = run(&with_barrier(64, PHASES), 1, 64, &[vec![0; 4], vec![0; 256]], &[]);
    let mut data: Vec<u32> = (0..64).collect();
    let mut sums = vec![0; 64];
    for _ in 0..3 {
        (0..64).for_each(|k| sums[k] += data[k ^ 1]);
        data.copy_from_slice(&sums);
    }
    assert_eq!(words(&found[1]), sums);
}

#[test]
fn bulk_copies_arrive_with_their_bytes() {
    let found = run(&with_barrier(1, BULK), 1, 128, &[values(128), vec![0; 1024]], &[]);
    assert_eq!(found[1][..512], values(128));
    assert_eq!(found[1][512..], values(128));
}

#[test]
fn copies_of_threads_arrive() {
    let found = run(&with_barrier(32, COPIES), 1, 32, &[values(32), vec![0; 128]], &[]);
    let expected: Vec<u32> = (0..32).map(|k| 1000 + 7 * (k ^ 31)).collect();
    assert_eq!(words(&found[1]), expected);
}

#[test]
fn arrivals_are_counted() {
    let found = run(&with_barrier(5, COUNTS), 1, 1, &[vec![0; 4], vec![0; 4]], &[]);
    assert_eq!(words(&found[1]), [54]);
}

#[test]
fn bulk_copies_are_checked() {
    for (statement, told) in [
        ("[%r21], [%rd0], 24, [%r20];", "misaligned"),
        ("[%r21+8], [%rd0], 16, [%r20];", "misaligned"),
        ("[%r21], [%rd0+496], 32, [%r20];", "out of bounds"),
        ("[%r21+1024], [%rd0], 16, [%r20];", "out of bounds"),
    ] {
        let text = format!(
            "mov.u32 %r9, 0;\n\
             cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes {statement}"
        );
        let buffers = [values(128), vec![0; 4]];
        let error = try_run(&with_barrier(1, &text), 1, 1, &buffers, &[]).unwrap_err();
        assert!(error.contains(told), "{statement} {error}");
    }
}

#[test]
fn who_waits_for_nobody_is_told() {
    let forever = "WAIT:\nmbarrier.try_wait.parity.shared.b64 %p1, [%r20], 0;\n@!%p1 bra WAIT;";
    let buffers = [vec![0; 4], vec![0; 128]];
    let error = try_run(&with_barrier(33, forever), 1, 32, &buffers, &[]).unwrap_err();
    assert!(error.contains("repeat the same state") || error.contains("wait"), "{error}");
}

#[test]
fn what_there_is_not() {
    for statement in [
        "mbarrier.init.global.b64 [%rd1], 1;",
        "mbarrier.wait.shared.b64 %p1, [%r1], %rd1;",
        "mbarrier.arrive.expect_tx.shared.b64 _, [%r1];",
        "mbarrier.test_wait.shared.b64 %p1, [%r1], %rd1, 5;",
    ] {
        let error = Module::parse("test.ptx", &kernel(0, 0, statement));
        let error = error.unwrap_err();
        assert_eq!((error.line, error.column), (12, 1), "{error}");
    }
}

pub fn texts() -> Vec<String> {
    [(32, HAND_OVER), (64, PHASES), (1, BULK), (32, COPIES), (5, COUNTS)]
        .map(|(count, statements)| with_barrier(count, statements))
        .to_vec()
}
