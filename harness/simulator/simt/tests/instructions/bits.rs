//! Masks.

use super::harness::{bytes, kernel, run, words};

/// Masks of each thread's start and length, from the first two buffers.
fn masks(mode: &str) -> String {
    kernel(
        3,
        0,
        &format!(
            "mov.u32 %r0, %tid.x;\nmul.wide.u32 %rd9, %r0, 4;\nld.param.u64 %rd0, [p0];\n\
             ld.param.u64 %rd1, [p1];\nld.param.u64 %rd2, [p2];\nadd.s64 %rd0, %rd0, %rd9;\n\
             add.s64 %rd1, %rd1, %rd9;\nadd.s64 %rd2, %rd2, %rd9;\nld.global.u32 %r1, [%rd0];\n\
             ld.global.u32 %r2, [%rd1];\nbmsk.{mode}.b32 %r3, %r1, %r2;\nst.global.u32 [%rd2], %r3;"
        ),
    )
}

#[test]
fn masks_from_a_bit_on() {
    let values = [0, 1, 2, 5, 16, 30, 31, 32, 33, 64, 255, u32::MAX];
    let pairs = values.iter().flat_map(|&a| values.iter().map(move |&b| (a, b)));
    let (starts, lengths): (Vec<u32>, Vec<u32>) = pairs.unzip();
    for (mode, limit) in
        [("clamp", (|x| x.min(32)) as fn(u32) -> u32), ("wrap", (|x| x & 31) as fn(u32) -> u32)]
    {
        let buffers = [bytes(starts.clone()), bytes(lengths.clone()), vec![0; 4 * starts.len()]];
        let found = words(&run(&masks(mode), 1, starts.len() as u32, &buffers, &[])[2]);
        for ((&start, &length), mask) in starts.iter().zip(&lengths).zip(found) {
            let ones = limit(start)..limit(start) + limit(length);
            let expected =
                (0..32).filter(|bit| ones.contains(bit)).fold(0, |mask, bit| mask | 1 << bit);
            assert_eq!(mask, expected, "bmsk.{mode} {start}, {length}");
        }
    }
}

pub fn texts() -> Vec<String> {
    ["clamp", "wrap"].map(masks).to_vec()
}
