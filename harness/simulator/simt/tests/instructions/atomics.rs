//! Atomic operations: what is left in memory, and what each thread got.

use super::harness::{THREAD, bytes, kernel, run, words};

/// One operation by every thread on the first element of p1, with an operand made from the
/// thread's index; the old value goes to the thread's slot of p0.
fn on_global(operation: &str, of: &str, operand: &str) -> String {
    let (old, size) = match of {
        "f32" => ("%f0", 4),
        "f64" => ("%fd0", 8),
        of if of.ends_with("64") => ("%rd9", 8),
        _ => ("%r9", 4),
    };
    kernel(
        2,
        0,
        &format!(
            "{THREAD}ld.param.u64 %rd0, [p0];\nmul.wide.u32 %rd1, %r0, {size};\nadd.s64 %rd0, %rd0, %rd1;\n\
         ld.param.u64 %rd2, [p1];\ncvt.u64.u32 %rd3, %r0;\ncvt.rn.f32.u32 %f1, %r0;\n\
         cvt.rn.f64.u32 %fd1, %r0;\nadd.u32 %r3, %r0, 100;\nmov.b32 %r4, 1;\nshl.b32 %r4, %r4, %r0;\n\
         not.b32 %r5, %r4;\n{operation} {old}, [%rd2], {operand};\nst.global.{of} [%rd0], {old};"
        ),
    )
}

/// Operation, type, operand, initial word, final value. 40 threads; the sum of 0 … 39 is 780.
/// Operands: `%r0` the index i, `%r3` i + 100, `%r4` 1 << i, `%r5` its complement; `%f1` … are i.
const TABLE: [(&str, &str, &str, u64, u64); 26] = [
    ("atom.global.add.u32", "u32", "%r0", 5, 785),
    ("atom.add.u32", "u32", "%r0", 5, 785),
    ("atom.add.release.gpu.u32", "u32", "%r0", 5, 785),
    ("atom.global.add.s32", "s32", "%r0", 0xffff_ffff, 779),
    ("atom.global.add.u64", "u64", "%rd3", 0xffff_ffff, 0x1_0000_030b),
    ("atom.global.add.f32", "f32", "%f1", 0x3f80_0000, 0x4443_4000),
    ("atom.global.add.f64", "f64", "%fd1", 0x3ff0_0000_0000_0000, 0x4088_6800_0000_0000),
    ("atom.global.or.b32", "b32", "%r4", 0, 0xffff_ffff),
    ("atom.global.and.b32", "b32", "%r5", 0xffff_ffff, 0),
    ("atom.global.xor.b32", "b32", "%r4", 0x8000_0001, 0x7fff_fffe),
    ("atom.global.or.b64", "b64", "%rd3", 0, 63),
    ("atom.global.and.b64", "b64", "%rd3", u64::MAX, 0),
    ("atom.global.xor.b64", "b64", "%rd3", 1, 1),
    ("atom.global.min.s32", "s32", "%r3", 0xffff_fff0, 0xffff_fff0),
    ("atom.global.min.u32", "u32", "%r3", 0xffff_fff0, 100),
    ("atom.global.max.s32", "s32", "%r3", 0xffff_fff0, 139),
    ("atom.global.max.u32", "u32", "%r3", 0xffff_fff0, 0xffff_fff0),
    ("atom.global.min.s64", "s64", "%rd3", u64::MAX, u64::MAX),
    ("atom.global.min.u64", "u64", "%rd3", u64::MAX, 0),
    ("atom.global.max.s64", "s64", "%rd3", u64::MAX, 39),
    ("atom.global.max.u64", "u64", "%rd3", 3, 39),
    ("atom.global.inc.u32", "u32", "16", 0, 40 % 17),
    ("atom.global.dec.u32", "u32", "16", 0, 17 - 40 % 17),
    ("atom.global.exch.b32", "b32", "7", 3, 7),
    ("atom.global.exch.b64", "b64", "7", 3, 7),
    ("atom.global.cas.b32", "b32", "3, 8", 3, 8),
];

#[test]
fn final_values() {
    for (operation, of, operand, initial, last) in TABLE {
        let wide = of.ends_with("64");
        let size = if wide { 8 } else { 4 };
        let memory = initial.to_le_bytes()[..size].to_vec();
        let ptx = on_global(operation, of, operand);
        let buffers = run(&ptx, 1, 40, &[vec![0; 40 * size], memory], &[]);
        assert_eq!(buffers[1], last.to_le_bytes()[..size], "{operation}");
        // Some thread came first.
        let first = &initial.to_le_bytes()[..size];
        assert!(buffers[0].chunks_exact(size).any(|old| old == first), "{operation}");
    }
}

/// Each of the old values of a counter is seen once, over the warps of a block.
#[test]
fn counters_give_every_number_once() {
    for (operation, operand) in [("atom.global.add.u32", "1"), ("atom.global.inc.u32", "100000")] {
        let ptx = on_global(operation, "u32", operand);
        let buffers = run(&ptx, 1, 280, &[vec![0; 4 * 280], vec![0; 4]], &[]);
        let mut old = words(&buffers[0]);
        old.sort_unstable();
        assert_eq!(old, (0..280).collect::<Vec<_>>());
    }
}

/// `exch` passes the values along: all that were written or there before are seen or left.
#[test]
fn exchange_loses_nothing() {
    let buffers = run(
        &on_global("atom.global.exch.b32", "b32", "%r3"),
        1,
        64,
        &[vec![0; 256], bytes([9])],
        &[],
    );
    let mut seen = words(&buffers[0]);
    seen.extend(words(&buffers[1]));
    seen.sort_unstable();
    assert_eq!(seen, [9].into_iter().chain(100..164).collect::<Vec<u32>>());
}

/// An addition by compare-and-swap in a loop, as for types without `atom.add`.
fn swap_loop() -> String {
    kernel(
        2,
        0,
        &format!(
            "{THREAD}ld.param.u64 %rd2, [p1];\nld.global.u32 %r3, [%rd2];\nAGAIN:\nmov.u32 %r4, %r3;\n\
         add.u32 %r5, %r4, %r0;\natom.global.cas.b32 %r3, [%rd2], %r4, %r5;\n\
         setp.ne.u32 %p0, %r3, %r4;\n@%p0 bra AGAIN;\nst.global.u32 [%rd0], %r4;"
        ),
    )
}

/// Histograms in shared memory, by `atom` and `red`, of which block sums go to global memory.
fn shared() -> String {
    kernel(
        2,
        0,
        &format!(
            ".shared .align 4 .u32 bins[4];\n{THREAD}\
         setp.lt.u32 %p0, %r2, 4;\nmov.u64 %rd2, bins;\nand.b32 %r3, %r2, 3;\n\
         mul.wide.u32 %rd3, %r3, 4;\nadd.s64 %rd2, %rd2, %rd3;\n\
         @%p0 st.shared.u32 [%rd2], 0;\nbar.sync 0;\n\
         atom.shared.add.u32 %r4, [%rd2], 1;\nred.shared.add.u32 [%rd2], 10;\nbar.sync 0;\n\
         ld.shared.u32 %r5, [%rd2];\nst.global.u32 [%rd0], %r5;\n\
         ld.param.u64 %rd4, [p1];\nred.global.add.u32 [%rd4], %r2;"
        ),
    )
}

#[test]
fn compare_and_swap_adds() {
    let buffers = run(&swap_loop(), 1, 64, &[vec![0; 256], bytes([1])], &[]);
    assert_eq!(words(&buffers[1]), [1 + 63 * 32]);
}

/// Sums of doubles in shared and in global memory, with and without the old value.
fn doubles() -> String {
    kernel(
        2,
        0,
        &format!(
            ".shared .align 8 .f64 sum;\n{THREAD}\
         cvt.rn.f64.u32 %fd1, %r2;\nsetp.eq.u32 %p0, %r2, 0;\nmov.f64 %fd2, 0d0000000000000000;\n\
         @%p0 st.shared.f64 [sum], %fd2;\nbar.sync 0;\n\
         atom.shared.add.f64 %fd3, [sum], %fd1;\nred.shared.add.f64 [sum], %fd1;\nbar.sync 0;\n\
         ld.shared.f64 %fd4, [sum];\ncvt.rzi.u32.f64 %r3, %fd4;\nst.global.u32 [%rd0], %r3;\n\
         ld.param.u64 %rd2, [p1];\nred.global.add.f64 [%rd2], %fd1;\nred.relaxed.gpu.add.f64 [%rd2], %fd1;"
        ),
    )
}

#[test]
fn doubles_are_added() {
    let buffers = run(&doubles(), 2, 96, &[vec![0; 768], vec![0; 8]], &[]);
    assert_eq!(words(&buffers[0]), vec![2 * (95 * 96 / 2); 192]);
    assert_eq!(buffers[1], f64::from(4 * (95 * 96 / 2)).to_le_bytes());
}

#[test]
fn shared_and_reductions() {
    let buffers = run(&shared(), 2, 96, &[vec![0; 768], bytes([0])], &[]);
    assert_eq!(words(&buffers[0]), vec![24 * 11; 192]);
    assert_eq!(words(&buffers[1]), [2 * (95 * 96 / 2)]);
}

/// 32 threads add 1 and 2, and take the least and greatest of vectors. p1 holds numbers of 16 bits in pairs.
const HALVES: &str = "mov.b32 %r3, 0x40003c00;\nmov.b32 %r4, 0x40003f80;\nmov.b16 %rs1, 0x3c00;\n\
    mov.b16 %rs2, 0xbc00;\nld.param.u64 %rd2, [p1];\n\
    atom.global.add.noftz.f16x2 %r5, [%rd2], %r3;\nred.global.add.noftz.bf16x2 [%rd2+4], %r4;\n\
    red.global.add.noftz.f16 [%rd2+8], %rs1;\natom.global.add.noftz.bf16 %rs3, [%rd2+10], %rs2;\n\
    red.global.v2.f16x2.add.noftz [%rd2+16], {%r3, %r3};\n\
    red.global.v4.f16.max.noftz [%rd2+24], {%rs1, %rs2, %rs1, %rs2};\n\
    atom.global.v2.f32.add {%f1, %f2}, [%rd2+32], {%f3, %f4};\n\
    red.global.min.noftz.v2.bf16 [%rd2+40], {%rs1, %rs2};\n\
    red.global.v8.f16.add.noftz [%rd2+48], {%rs1, %rs2, %rs1, %rs2, %rs1, %rs2, %rs1, %rs2};";

fn halves() -> String {
    let floats = "mov.f32 %f3, 0f3F800000;\nmov.f32 %f4, 0f40000000;";
    kernel(2, 0, &format!("{THREAD}{floats}\n{HALVES}\nst.global.u32 [%rd0], %r5;"))
}

#[test]
fn halves_are_added() {
    let buffers = run(&halves(), 1, 32, &[vec![0; 128], vec![0; 64]], &[]);
    let found: Vec<u16> =
        buffers[1].chunks(2).map(|half| u16::from_le_bytes([half[0], half[1]])).collect();
    // 32 and 64 as `.f16` and as `.bf16`; 0xbc00 is −1 as the one and −2⁻⁷ as the other.
    assert_eq!(found[..6], [0x5000, 0x5400, 0x4200, 0x4280, 0x5000, 0xbe80]);
    assert_eq!(found[8..16], [0x5000, 0x5400, 0x5000, 0x5400, 0x3c00, 0, 0x3c00, 0]);
    assert_eq!(buffers[1][32..40], [32f32.to_le_bytes(), 64f32.to_le_bytes()].concat());
    assert_eq!(found[20..22], [0, 0xbc00]);
    assert_eq!(found[24..], [0x5000, 0xd000].repeat(4));
}

#[test]
fn types_that_there_are_not() {
    for statement in [
        "atom.global.min.f32 %f1, [%rd1], %f2;",
        "atom.global.add.b32 %r1, [%rd1], %r2;",
        "atom.global.and.s32 %f1, [%rd1], %r2;",
        "atom.global.min.noftz.f16 %rs1, [%rd1], %rs2;",
        "red.global.v2.f64.add [%rd1], {%fd1, %fd2};",
        "red.global.exch.b32 [%rd1], %r2;",
        "atom.const.add.u32 %r1, [%rd1], %r2;",
    ] {
        let error = simt::Module::parse("test.ptx", &kernel(0, 0, statement)).unwrap_err();
        assert_eq!((error.line, error.column), (12, 1), "{error}");
    }
}

pub fn texts() -> Vec<String> {
    let table = TABLE.iter().map(|(operation, of, operand, ..)| on_global(operation, of, operand));
    table.chain([swap_loop(), shared(), doubles(), halves()]).collect()
}

/// Every thread adds its index and its square to the two halves of 16 bytes of p1 by compare-and-swap, from what a
/// first exchange left there, until it succeeds; to p0 goes the sum that it swapped out.
const PAIRS: &str = "ld.param.u64 %rd2, [p1];\ncvt.u64.u32 %rd3, %r0;\nmul.lo.u64 %rd4, %rd3, %rd3;\n\
    .reg .b128 %q<4>;\nmov.b64 %rd5, 0;\nmov.b128 %q0, {%rd5, %rd5};\nAGAIN:\n\
    mov.b128 {%rd6, %rd7}, %q0;\nadd.u64 %rd8, %rd6, %rd3;\nadd.u64 %rd9, %rd7, %rd4;\n\
    mov.b128 %q1, {%rd8, %rd9};\natom.global.cas.b128 %q2, [%rd2], %q0, %q1;\n\
    mov.b128 {%rd10, %rd11}, %q2;\nsetp.ne.u64 %p0, %rd10, %rd6;\nsetp.ne.u64 %p1, %rd11, %rd7;\n\
    or.pred %p0, %p0, %p1;\nmov.b128 %q0, %q2;\n@%p0 bra AGAIN;\nst.global.u32 [%rd0], %r0;";

#[test]
fn sixteen_bytes_are_swapped_as_one() {
    let ptx = kernel(2, 0, &format!("{THREAD}{PAIRS}"));
    let found = run(&ptx, 3, 64, &[vec![0; 4 * 192], vec![0; 16]], &[]);
    let halves: Vec<u64> =
        found[1].chunks_exact(8).map(|it| u64::from_le_bytes(it.try_into().unwrap())).collect();
    let sum = |power: u32| (0..192u64).map(|k| k.pow(power)).sum::<u64>();
    assert_eq!(halves, [sum(1), sum(2)]);
    // Words of a whole exchange stay together: whoever comes last leaves both halves.
    let swap = ".reg .b128 %q<2>;\nld.param.u64 %rd2, [p1];\ncvt.u64.u32 %rd3, %r0;\n\
                shl.b64 %rd4, %rd3, 8;\nmov.b128 %q0, {%rd3, %rd4};\n\
                atom.exch.b128 %q1, [%rd2], %q0;\nmov.b128 {%rd5, %rd6}, %q1;\n\
                cvt.u32.u64 %r3, %rd5;\nst.global.u32 [%rd0], %r3;";
    let found = run(
        &kernel(2, 0, &format!("{THREAD}{swap}")),
        1,
        32,
        &[vec![0; 128], bytes([7, 0, 9, 0])],
        &[],
    );
    assert_eq!(words(&found[0]), [7].into_iter().chain(0..31).collect::<Vec<_>>());
    assert_eq!(words(&found[1]), [31, 0, 31 << 8, 0]);
}
