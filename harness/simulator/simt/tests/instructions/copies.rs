//! `cp.async`: what arrives, when, and what is refused.

use super::harness::{bytes, kernel, run, try_run, words};
use simt::Module;

/// Words of shared memory for each thread.
const OWN: usize = 8;

/// A kernel in which each thread fills its own eight words of shared memory with 7, then runs `statements`, with the
/// address of its words in shared memory in `%r5` and of those in p0 in `%rd0`, and stores its words to p1.
fn copying(statements: &str) -> String {
    let mut body = String::from(
        ".shared .align 16 .b8 own[1024];\nmov.u32 %r0, %tid.x;\nmov.u32 %r4, own;\n\
         mad.lo.s32 %r5, %r0, 32, %r4;\nld.param.u64 %rd0, [p0];\nld.param.u64 %rd1, [p1];\n\
         mul.wide.u32 %rd2, %r0, 32;\nadd.s64 %rd0, %rd0, %rd2;\nadd.s64 %rd1, %rd1, %rd2;\n\
         mov.u32 %r6, 7;\nsetp.lt.u32 %p1, %r0, 16;\n",
    );
    for word in 0..OWN {
        body += &format!("st.shared.u32 [%r5+{}], %r6;\n", 4 * word);
    }
    body += statements;
    for word in 0..OWN {
        body +=
            &format!("\nld.shared.u32 %r7, [%r5+{0}];\nst.global.u32 [%rd1+{0}], %r7;", 4 * word);
    }
    kernel(2, 0, &body)
}

const SIZES: &str = "cp.async.ca.shared.global [%r5], [%rd0], 4;\n\
    cp.async.ca.shared.global.L2::128B [%r5+8], [%rd0+8], 8;\n\
    cp.async.cg.shared.global [%r5+16], [%rd0+16], 16;\ncp.async.wait_all;";

const GROUPS: &str = "cp.async.ca.shared.global [%r5], [%rd0], 4;\ncp.async.commit_group;\n\
    cp.async.ca.shared.global [%r5+4], [%rd0+4], 4;\n\
    @%p1 cp.async.ca.shared.global [%r5+8], [%rd0+8], 4;\ncp.async.commit_group;\n\
    cp.async.ca.shared.global [%r5+12], [%rd0+12], 4;\ncp.async.commit_group;\n\
    cp.async.ca.shared.global [%r5+16], [%rd0+16], 4;\n";

/// Fewer bytes than the copy has: a constant number, one for each thread, none where a predicate is true, and all.
const PARTS: &str = "cp.async.ca.shared.global [%r5], [%rd0], 4, 0;\n\
    cp.async.ca.shared.global.L2::cache_hint [%r5+8], [%rd0+8], 8, %r0, %rd9;\n\
    cp.async.cg.shared.global [%r5+16], [%rd0+16], 16, %p1;\ncp.async.wait_all;";

pub fn texts() -> Vec<String> {
    vec![copying(SIZES), copying(PARTS), copying(&format!("{GROUPS}cp.async.wait_group 1;"))]
}

#[test]
fn what_is_not_read_becomes_zero() {
    let found = after(PARTS);
    for (thread, own) in found.chunks(OWN).enumerate() {
        let all = copied(thread, &[0, 1, 2, 3, 4, 5, 6, 7]);
        let read = u64::MAX.checked_shr(64 - 8 * thread.min(8) as u32).unwrap_or(0);
        let pair = (u64::from(all[2]) | u64::from(all[3]) << 32) & read;
        assert_eq!(own[..4], [0, 7, pair as u32, (pair >> 32) as u32], "thread {thread}");
        let last = if thread < 16 { vec![0; 4] } else { all[4..].to_vec() };
        assert_eq!(own[4..], last, "thread {thread}");
    }
}

#[test]
fn what_is_not_read_need_not_be_there() {
    let beyond = "cp.async.ca.shared.global [%r5], [%rd0+65536], 4, 0;\ncp.async.wait_all;";
    assert_eq!(after(beyond)[0], 0);
    let one = "cp.async.ca.shared.global [%r5], [%rd0+65536], 4, 1;\ncp.async.wait_all;";
    let buffers = [vec![0; 1024], vec![0; 1024]];
    let error = try_run(&copying(one), 1, 32, &buffers, &[]).unwrap_err();
    assert!(error.contains("size 1") || error.contains("1 byte"), "{error}");
}

/// The words of 32 threads after `statements`, where word k of what they copy from is 100 + k.
fn after(statements: &str) -> Vec<u32> {
    let from = bytes(100..100 + 32 * OWN as u32);
    let to = vec![0; from.len()];
    words(&run(&copying(statements), 1, 32, &[from, to], &[])[1])
}

/// What a thread has whose copies of these words are there.
fn copied(thread: usize, there: &[usize]) -> Vec<u32> {
    let word = |k| if there.contains(&k) { (100 + thread * OWN + k) as u32 } else { 7 };
    (0..OWN).map(word).collect()
}

#[test]
fn copies_of_every_size_arrive() {
    let found = after(SIZES);
    for (thread, own) in found.chunks(OWN).enumerate() {
        assert_eq!(own, copied(thread, &[0, 2, 3, 4, 5, 6, 7]), "thread {thread}");
    }
}

#[test]
fn a_wait_is_for_all_groups_but_the_latest() {
    for (wait, there) in [
        ("", &[][..]),
        ("cp.async.wait_group 3;", &[]),
        ("cp.async.wait_group 2;", &[0]),
        ("cp.async.wait_group 1;", &[0, 1, 2]),
        ("cp.async.wait_group 0;", &[0, 1, 2, 3]),
        ("cp.async.wait_group 1;\ncp.async.wait_group 0;", &[0, 1, 2, 3]),
        ("cp.async.wait_all;", &[0, 1, 2, 3, 4]),
        ("@%p1 cp.async.commit_group;\ncp.async.wait_group 3;", &[0]),
    ] {
        let found = after(&format!("{GROUPS}{wait}"));
        for (thread, own) in found.chunks(OWN).enumerate() {
            let is_guarded_off = |k: &usize| thread >= 16 && *k == 2;
            let by_more_groups = |k: &usize| thread >= 16 && *k == 0 && wait.starts_with('@');
            let there: Vec<usize> = there
                .iter()
                .copied()
                .filter(|k| !is_guarded_off(k) && !by_more_groups(k))
                .collect();
            assert_eq!(own, copied(thread, &there), "thread {thread} after {wait:?}");
        }
    }
}

#[test]
fn addresses_are_checked_where_the_copy_begins() {
    for (statement, part) in [
        ("cp.async.ca.shared.global [%r5+1020], [%rd0], 8;", "8"),
        ("cp.async.ca.shared.global [%r5+4], [%rd0], 16;", "16"),
        ("cp.async.ca.shared.global [%r5], [%rd0+4], 8;", "8"),
        ("cp.async.ca.shared.global [%r5], [%rd0+65536], 4;", "4"),
    ] {
        let buffers = [vec![0; 1024], vec![0; 1024]];
        let error = try_run(&copying(statement), 1, 32, &buffers, &[]).unwrap_err();
        assert!(error.contains(part), "{statement}: {error}");
    }
}

#[test]
fn what_there_is_not_is_named() {
    for statement in [
        "cp.async.ca.shared.global [%r5], [%rd0], 12;",
        "cp.async.cg.shared.global [%r5], [%rd0], 8;",
        "cp.async.ca.shared.global [%r5], [%rd0], 8, 16;",
        "cp.async.ca.shared.global [%r5], [%rd0], 16, 8, 8;",
        "cp.async.cg.global.shared [%rd0], [%r5], 16;",
        "cp.async.mbarrier.arrive.global.b64 [%r5];",
        "cp.async.bulk.global.global.bulk_group [%rd0], [%rd1], 16;",
        "cp.async.wait_group %r5;",
    ] {
        let text = kernel(0, 0, statement);
        let error = Module::parse("test.ptx", &text).unwrap_err().to_string();
        assert!(error.contains("cp.async"), "{statement}: {error}");
    }
}

/// One thread adds the 32 words of the block's shared memory, which are 7, to those of p1.
fn reduced(operation: &str, with: u32) -> Vec<u32> {
    let text = kernel(
        1,
        0,
        &format!(
            ".shared .align 16 .b8 own[128];\nmov.u32 %r0, %tid.x;\nmov.u32 %r4, own;\n\
             mad.lo.s32 %r5, %r0, 4, %r4;\nmov.u32 %r6, {with};\nst.shared.u32 [%r5], %r6;\n\
             bar.sync 0;\nsetp.eq.u32 %p0, %r0, 3;\nld.param.u64 %rd0, [p0];\n\
             @%p0 cp.reduce.async.bulk.global.shared::cta.bulk_group.{operation} [%rd0], [%r4], 128;\n\
             @%p0 cp.async.bulk.commit_group;\n@%p0 cp.async.bulk.wait_group 0;"
        ),
    );
    words(&run(&text, 1, 32, &[bytes((0..32).map(|k| 100 * k))], &[])[0])
}

#[test]
fn a_bulk_copy_combines_what_it_brings_with_what_is_there() {
    let each = |of: fn(u32) -> u32| (0..32).map(of).collect::<Vec<_>>();
    assert_eq!(reduced("add.u32", 7), each(|k| 100 * k + 7));
    assert_eq!(reduced("min.s32", u32::MAX), each(|_| u32::MAX));
    assert_eq!(reduced("max.u32", 750), each(|k| (100 * k).max(750)));
    assert_eq!(reduced("xor.b32", 1), each(|k| (100 * k) ^ 1));
    assert_eq!(reduced("inc.u32", 1000), each(|k| if 100 * k >= 1000 { 0 } else { 100 * k + 1 }));
    // Pairs of words: a carry goes from the low one to the high one.
    let sums = reduced("add.u64", u32::MAX);
    for (k, pair) in (0u32..16).zip(sums.chunks(2)) {
        let there = u64::from(200 * k) | u64::from(200 * k + 100) << 32;
        let sum = there.wrapping_add(u64::MAX);
        assert_eq!(pair, [sum as u32, (sum >> 32) as u32]);
    }
    // Halves: 1.0 to what is there, as bits.
    let halves = reduced("add.noftz.f16", 0x3c00_3c00);
    assert_eq!(halves[0], 0x3c00_3c00);
    let shared = "cp.reduce.async.bulk.global.shared::cta.bulk_group.exch.b32 [%rd0], [%r4], 16;";
    assert!(Module::parse("test.ptx", &kernel(1, 0, shared)).is_err());
}
