//! Shared and constant memory: wavefronts.

use super::machine::counts;

/// A store to shared memory at the byte `address` computes into `%r6`.
fn store(address: &str) -> String {
    format!("{address}\nadd.s32 %r6, %r6, %r5;\nst.shared.f32 [%r6], %f1;")
}

#[test]
fn rows_are_free_of_conflicts_and_columns_are_not() {
    let row = counts(&store("shl.b32 %r6, %r2, 2;"), 64);
    assert_eq!((row.shared_requests, row.shared_bytes, row.shared_wavefronts), (2, 256, 2));
    // A column of a tile of 32 × 32 words: all lanes in one bank.
    let column = counts(&store("shl.b32 %r6, %r2, 7;"), 32);
    assert_eq!((column.shared_requests, column.shared_wavefronts), (1, 32));
    // One word of padding to each row.
    let padded = counts(&store("mul.lo.s32 %r6, %r2, 132;"), 32);
    assert_eq!(padded.shared_wavefronts, 1);
}

#[test]
fn a_word_for_all_lanes_is_a_broadcast() {
    let body = "ld.shared.f32 %f1, [%r5+64];\nld.shared.v4.f32 {%f1, %f2, %f3, %f4}, [%r5];";
    let counts = counts(body, 96);
    // A word takes one pass, 16 bytes take one for each half of the warp.
    assert_eq!((counts.shared_requests, counts.shared_wavefronts), (6, 3 * (1 + 2)));
    assert_eq!(counts.shared_bytes, 3 * 32 * (4 + 16));
}

#[test]
fn constants_that_differ_come_one_after_another() {
    let load = |index: &str| {
        format!(
            "{index}\nmul.wide.u32 %rd2, %r6, 4;\nmov.u64 %rd3, table;\nadd.s64 %rd2, %rd3, %rd2;\n\
             ld.const.f32 %f1, [%rd2];"
        )
    };
    let uniform = counts(&load("mov.u32 %r6, 3;"), 64);
    assert_eq!((uniform.constant_requests, uniform.constant_wavefronts), (2, 2));
    let every = counts(&load("mov.u32 %r6, %r2;"), 32);
    assert_eq!((every.constant_requests, every.constant_wavefronts), (1, 32));
    let four = counts(&load("and.b32 %r6, %r2, 3;"), 32);
    assert_eq!(four.constant_wavefronts, 4);
}

#[test]
fn local_memory_lies_side_by_side() {
    let counts = counts("mov.u64 %rd2, own;\nst.local.f32 [%rd2+8], %f1;", 64);
    assert_eq!((counts.local_requests, counts.local_sectors), (2, 8));
    assert_eq!(counts.global_requests, 0);
}
