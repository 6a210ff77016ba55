//! Loads and stores of every width, vector and space.

use super::harness::{HEADER, THREAD, bytes, kernel, run, run_words, words};

const TYPES: [(&str, usize); 17] = [
    ("u8", 1),
    ("s8", 1),
    ("b8", 1),
    ("u16", 2),
    ("s16", 2),
    ("b16", 2),
    ("u32", 4),
    ("s32", 4),
    ("b32", 4),
    ("f32", 4),
    ("u64", 8),
    ("s64", 8),
    ("b64", 8),
    ("f64", 8),
    // Cache and ordering modifiers change nothing that one thread sees.
    ("u32", 4),
    ("f32", 4),
    ("u32", 4),
];

/// The modifiers between `ld.`, `st.` and the type, for the rows of [`TYPES`].
fn spaces(row: usize) -> (&'static str, &'static str) {
    match row {
        14 => ("volatile.global", "volatile.global"),
        15 => ("global.cs", "global.cs"),
        16 => ("acquire.gpu.global", "release.gpu.global"),
        _ => ("global", "global"),
    }
}

fn register(of: &str) -> &'static str {
    match of {
        "f32" => "%f",
        "f64" => "%fd",
        of if of.ends_with("64") => "%rd1",
        of if of.ends_with("32") => "%r",
        _ => "%rs",
    }
}

/// Copies one element, or vector of elements in reverse order, per thread from p0 to p1.
fn copy(of: &str, load: &str, store: &str, size: usize, lanes: usize) -> String {
    let names: Vec<String> = (0..lanes).map(|i| format!("{}{i}", register(of))).collect();
    let reversed: Vec<String> = names.iter().rev().cloned().collect();
    let (vector, from, to) = match lanes {
        1 => (String::new(), names[0].clone(), names[0].clone()),
        n => (
            format!(".v{n}"),
            format!("{{{}}}", names.join(", ")),
            format!("{{{}}}", reversed.join(", ")),
        ),
    };
    let bytes = size * lanes;
    kernel(
        2,
        0,
        &format!(
            "ld.param.u64 %rd0, [p0];\nld.param.u64 %rd1, [p1];\nmov.u32 %r9, %tid.x;\n\
         mul.wide.u32 %rd2, %r9, {bytes};\nadd.s64 %rd0, %rd0, %rd2;\nadd.s64 %rd3, %rd1, %rd2;\n\
         ld.{load}{vector}.{of} {from}, [%rd0];\nst.{store}{vector}.{of} [%rd3], {to};"
        ),
    )
}

/// Every copy kernel with its element size and vector length.
fn copies() -> Vec<(String, usize, usize)> {
    let mut all = Vec::new();
    for (row, (of, size)) in TYPES.into_iter().enumerate() {
        let (load, store) = spaces(row);
        all.push((copy(of, load, store, size, 1), size, 1));
        for lanes in [2, 4] {
            if row < 14 && size * lanes <= 16 {
                all.push((copy(of, load, store, size, lanes), size, lanes));
            }
        }
    }
    for (load, of, lanes) in [
        ("global.nc", "f32", 1),
        ("global.nc", "u32", 1),
        ("global.nc", "f32", 4),
        ("global.nc", "u32", 4),
        ("global", "u32", 8),
        ("global.nc", "f32", 8),
        ("global.cg", "f32", 1),
        ("volatile", "u32", 1),
        ("acquire.gpu", "u32", 1),
        ("", "u32", 1),
    ] {
        // The last three are generic addresses.
        let text = copy(of, load, "global", 4, lanes).replace("ld..", "ld.");
        all.push((text, 4, lanes));
    }
    all.push((copy("u32", "global", "", 4, 1).replace("st..", "st."), 4, 1));
    all
}

#[test]
fn copies_of_every_width() {
    for (ptx, size, lanes) in copies() {
        let count = 45 * size * lanes;
        let input: Vec<u8> = (0..count).map(|i| (i * 37 + 129) as u8).collect();
        let buffers = run(&ptx, 1, 45, &[input.clone(), vec![0; count]], &[]);
        let reversed =
            |vector: &[u8]| vector.chunks_exact(size).rev().flatten().copied().collect::<Vec<u8>>();
        let expected: Vec<u8> = input.chunks_exact(size * lanes).flat_map(reversed).collect();
        assert_eq!(buffers[1], expected, "{ptx}");
        assert_eq!(buffers[0], input, "{ptx}");
    }
}

/// Copies one narrow number per thread, from and to places some bytes after the beginning of p0 and p1.
fn displaced(of: &str, size: usize, from: usize, to: usize) -> String {
    kernel(
        2,
        0,
        &format!(
            "ld.param.u64 %rd0, [p0];\nld.param.u64 %rd1, [p1];\nmov.u32 %r9, %tid.x;\n\
         mul.wide.u32 %rd2, %r9, {size};\nadd.s64 %rd0, %rd0, %rd2;\nadd.s64 %rd3, %rd1, %rd2;\n\
         ld.global.{of} %rs0, [%rd0+{from}];\nst.global.{of} [%rd3+{to}], %rs0;"
        ),
    )
}

#[test]
fn narrow_rows_begin_anywhere_and_leave_their_neighbours() {
    for (of, size) in [("u8", 1), ("s16", 2)] {
        for (from, to) in (0..5).flat_map(|from| (0..5).map(move |to| (from * size, to * size))) {
            let input: Vec<u8> = (0..80 * size).map(|i| (i * 37 + 129) as u8).collect();
            let mut expected = vec![0xee; 80 * size];
            let ptx = displaced(of, size, from, to);
            let buffers = run(&ptx, 1, 64, &[input.clone(), expected.clone()], &[]);
            expected[to..][..64 * size].copy_from_slice(&input[from..][..64 * size]);
            assert_eq!(buffers[1], expected, "{of} from {from} to {to}");
        }
    }
}

/// A narrow load extends into a wider register by the sign of its type.
fn extension(of: &str) -> String {
    kernel(
        2,
        0,
        &format!(
            "ld.param.u64 %rd0, [p0];\nld.param.u64 %rd1, [p1];\nmov.u32 %r9, %tid.x;\n\
         cvt.u64.u32 %rd2, %r9;\nadd.s64 %rd0, %rd0, %rd2;\nld.global.{of} %r1, [%rd0];\n\
         mul.wide.u32 %rd2, %r9, 4;\nadd.s64 %rd1, %rd1, %rd2;\nst.global.u32 [%rd1], %r1;"
        ),
    )
}

#[test]
fn narrow_loads_extend() {
    let input: Vec<u8> = (0..=255).collect();
    for (of, extended) in [("u8", (|x| x as u32) as fn(u8) -> u32), ("s8", |x| x as i8 as u32)] {
        let buffers = run(&extension(of), 1, 256, &[input.clone(), vec![0; 1024]], &[]);
        assert_eq!(words(&buffers[1]), input.iter().map(|&x| extended(x)).collect::<Vec<_>>());
    }
}

/// Threads reverse their values through shared memory: words, bytes, vectors.
fn shared() -> String {
    kernel(
        1,
        0,
        &format!(
            ".shared .align 16 .b8 room[2048];\n{THREAD}\
         mov.u64 %rd2, room;\nmul.wide.u32 %rd3, %r2, 16;\nadd.s64 %rd2, %rd2, %rd3;\n\
         cvt.rn.f32.u32 %f0, %r2;\nadd.u32 %r3, %r2, 7;\nmul.lo.u32 %r4, %r2, 3;\n\
         st.shared.v4.u32 [%rd2], {{%r2, %r3, %r4, %r4}};\n\
         st.shared.f32 [%rd2+4], %f0;\nst.shared.u32 [%rd2+8], %r3;\nst.shared.u8 [%rd2+12], %r2;\n\
         st.volatile.shared.f32 [%rd2+4], %f0;\nbar.sync 0;\n\
         sub.u32 %r5, 63, %r2;\nmov.u64 %rd2, room;\nmul.wide.u32 %rd3, %r5, 16;\n\
         add.s64 %rd2, %rd2, %rd3;\n\
         ld.shared.u32 %r10, [%rd2];\nld.shared.f32 %f1, [%rd2+4];\nld.volatile.shared.f32 %f2, [%rd2+4];\n\
         ld.shared.u8 %r11, [%rd2+12];\nld.shared.v4.f32 {{%f3, %f4, %f5, %f6}}, [%rd2];\n\
         cvt.rzi.u32.f32 %r12, %f1;\ncvt.rzi.u32.f32 %r13, %f2;\ncvt.rzi.u32.f32 %r14, %f4;\n\
         mov.b32 %r15, %f5;\n\
         add.u32 %r16, %r10, %r11;\nadd.u32 %r16, %r16, %r12;\nadd.u32 %r16, %r16, %r13;\n\
         add.u32 %r16, %r16, %r14;\nadd.u32 %r16, %r16, %r15;\nst.global.u32 [%rd0], %r16;"
        ),
    )
}

#[test]
fn shared_memory_is_the_blocks() {
    // Five copies of the partner's index, and its index plus 7.
    let expected = (0..3 * 64).map(|i| 6 * (63 - i % 64) + 7).collect::<Vec<_>>();
    assert_eq!(run_words(&shared(), 3, 64), expected);
}

/// Words in places that do not follow the lanes, moved by all lanes of a warp and by every second one.
fn scattered() -> String {
    kernel(
        1,
        0,
        &format!(
            ".shared .align 4 .b8 room[256];\n{THREAD}\
         mov.u32 %r3, room;\nshl.b32 %r4, %r2, 2;\nadd.u32 %r4, %r4, %r3;\nst.shared.u32 [%r4], %r2;\nbar.sync 0;\n\
         mul.lo.u32 %r5, %r2, 5;\nand.b32 %r5, %r5, 63;\nand.b32 %r6, %r2, 1;\nsetp.eq.u32 %p0, %r6, 1;\n\
         shl.b32 %r7, %r5, 2;\nadd.u32 %r8, %r7, %r3;\nxor.b32 %r9, %r7, 4;\nadd.u32 %r9, %r9, %r3;\n\
         ld.shared.u32 %r10, [%r8];\n@%p0 ld.shared.u32 %r10, [%r9];\n\
         ld.param.u64 %rd2, [p0];\nmul.wide.u32 %rd3, %r5, 4;\nadd.s64 %rd2, %rd2, %rd3;\n\
         st.global.u32 [%rd2], %r10;\n@%p0 add.u32 %r10, %r10, 1000;\n@%p0 st.global.u32 [%rd2], %r10;"
        ),
    )
}

#[test]
fn scattered_words_reach_their_places() {
    // The thread that writes a place is odd where the place is: 5 is.
    let expected = (0..64).map(|place| if place % 2 == 0 { place } else { 1000 + (place ^ 1) });
    assert_eq!(run_words(&scattered(), 1, 64), expected.collect::<Vec<_>>());
}

/// Each thread's own array, directly and by its generic address.
fn local() -> String {
    kernel(
        1,
        0,
        &format!(
            ".local .align 16 .b8 own[48];\n{THREAD}\
         mov.u64 %rd2, own;\ncvta.local.u64 %rd3, %rd2;\n\
         st.local.u32 [own], %r0;\ncvt.rn.f64.u32 %fd0, %r0;\nst.local.f64 [own+8], %fd0;\n\
         cvt.rn.f32.u32 %f0, %r0;\nst.local.v4.f32 [own+16], {{%f0, %f0, %f0, %f0}};\n\
         add.u32 %r3, %r0, 1;\nst.u32 [%rd3+32], %r3;\n\
         ld.local.u32 %r4, [own+32];\nld.u32 %r5, [%rd3];\nld.local.f32 %f1, [%rd2+24];\n\
         ld.f64 %fd1, [%rd3+8];\ncvt.rzi.u32.f32 %r6, %f1;\ncvt.rzi.u32.f64 %r7, %fd1;\n\
         add.u32 %r8, %r4, %r5;\nadd.u32 %r8, %r8, %r6;\nadd.u32 %r8, %r8, %r7;\n\
         st.global.u32 [%rd0], %r8;"
        ),
    )
}

#[test]
fn local_memory_is_the_threads() {
    let expected = (0..2 * 70).map(|i| 4 * i + 1).collect::<Vec<_>>();
    assert_eq!(run_words(&local(), 2, 70), expected);
}

/// Initialised `.const` and `.global` variables, and their addresses in other spaces.
fn variables() -> String {
    let body = format!(
        "{THREAD}\
         ld.const.u64 %rd2, [wide];\ncvt.u32.u64 %r3, %rd2;\nld.const.f32 %f0, [numbers+4];\n\
         cvt.rzi.u32.f32 %r4, %f0;\nand.b32 %r5, %r0, 3;\nmul.wide.u32 %rd3, %r5, 4;\n\
         mov.u64 %rd4, table;\nadd.s64 %rd4, %rd4, %rd3;\nld.global.u32 %r6, [%rd4];\n\
         mov.u64 %rd5, numbers;\nadd.s64 %rd5, %rd5, %rd3;\nld.const.u32 %r7, [%rd5];\n\
         mov.u64 %rd6, table;\ncvta.global.u64 %rd6, %rd6;\nadd.s64 %rd6, %rd6, %rd3;\nld.u32 %r8, [%rd6];\n\
         add.u32 %r9, %r3, %r4;\nadd.u32 %r9, %r9, %r6;\nadd.u32 %r9, %r9, %r7;\nadd.u32 %r9, %r9, %r8;\n\
         st.global.u32 [%rd0], %r9;"
    );
    let variables = "\
        .const .align 8 .u64 wide = 5000;\n\
        .const .align 4 .f32 numbers[4] = {0f3F800000, 0f42C80000, 0f00000003, 0f00000004};\n\
        .global .align 4 .u32 table[4] = {10, 20, 30, 40};\n";
    kernel(1, 0, &body).replace(HEADER, &format!("{HEADER}{variables}"))
}

#[test]
fn variables_have_their_initial_values() {
    let numbers = [0x3f80_0000, 0x42c8_0000, 3, 4];
    let expected: Vec<u32> =
        (0..40).map(|i| 5000 + 100 + 2 * [10, 20, 30, 40][i % 4] + numbers[i % 4]).collect();
    assert_eq!(run_words(&variables(), 1, 40), expected);
}

/// Shared memory by generic addresses, there and back.
fn generic_shared() -> String {
    kernel(
        1,
        0,
        &format!(
            ".shared .align 4 .u32 room[64];\n{THREAD}\
         mov.u64 %rd2, room;\ncvta.shared.u64 %rd3, %rd2;\nmul.wide.u32 %rd4, %r2, 4;\n\
         add.s64 %rd3, %rd3, %rd4;\nst.u32 [%rd3], %r2;\ncvta.to.shared.u64 %rd5, %rd3;\n\
         ld.shared.u32 %r3, [%rd5];\nadd.u32 %r3, %r3, 1;\nst.shared.u32 [%rd5], %r3;\n\
         ld.u32 %r4, [%rd3];\nld.volatile.u32 %r5, [%rd3];\nadd.u32 %r4, %r4, %r5;\nst.global.u32 [%rd0], %r4;"
        ),
    )
}

#[test]
fn generic_addresses_reach_shared_memory() {
    assert_eq!(
        run_words(&generic_shared(), 1, 64),
        (0..64).map(|i| 2 * (i + 1)).collect::<Vec<_>>()
    );
}

/// A 32-bit shared address that comes to an element only by wrapping: base −140, plus 140 and four times the thread;
/// by loads, stores, atomics and in the lanes of a warp at once or one alone.
fn wrapping() -> String {
    kernel(
        1,
        0,
        &format!(
            ".shared .align 16 .b8 s[256];\n{THREAD}\
         mov.u32 %r3, s;\nshl.b32 %r4, %r2, 2;\nadd.s32 %r5, %r3, -140;\nadd.s32 %r5, %r5, %r4;\n\
         st.shared.u32 [%r5+140], %r2;\nred.shared.add.u32 [%r5+140], 5;\n\
         setp.eq.u32 %p0, %r2, 7;\n@%p0 ld.shared.u32 %r6, [%r5+140];\n\
         ld.shared.u32 %r7, [%r5+140];\n\
         @%p0 add.u32 %r7, %r7, %r6;\nst.global.u32 [%rd0], %r7;"
        ),
    )
}

#[test]
fn shared_addresses_of_32_bits_wrap() {
    let expected = (0..33).map(|i| if i == 7 { 24 } else { i + 5 }).collect::<Vec<_>>();
    assert_eq!(run_words(&wrapping(), 1, 33), expected);
}

#[test]
fn the_warps_size_is_a_constant() {
    // In operands, addresses and arrays' lengths; and registers declared without a blank.
    let text = kernel(
        1,
        0,
        &format!(
            ".shared .align 4 .b8 room[WARP_SZ];\n.reg.b16 %narrow<2>;\n{THREAD}\
             mov.u32 %r3, WARP_SZ;\nadd.s32 %r3, %r3, WARP_SZ;\nadd.s64 %rd3, %rd0, -32;\n\
             cvt.u16.u32 %narrow1, %r3;\ncvt.u32.u16 %r3, %narrow1;\n\
             st.global.u32 [%rd3+WARP_SZ], %r3;"
        ),
    );
    assert_eq!(run_words(&text, 1, 3), [64; 3]);
}

/// Scalar parameters.
fn parameters() -> String {
    kernel(
        1,
        3,
        &format!(
            "{THREAD}ld.param.u32 %r3, [v0];\nld.param.f32 %f0, [v1];\nld.param.b32 %r4, [v2];\n\
         cvt.rzi.u32.f32 %r5, %f0;\nadd.u32 %r3, %r3, %r4;\nadd.u32 %r3, %r3, %r5;\n\
         add.u32 %r3, %r3, %r0;\nst.global.u32 [%rd0], %r3;"
        ),
    )
}

#[test]
fn parameters_are_read() {
    let values = [1000, 50.0f32.to_bits(), 7];
    let buffers = run(&parameters(), 1, 33, &[bytes(vec![0; 33])], &values);
    assert_eq!(words(&buffers[0]), (1057..1057 + 33).collect::<Vec<_>>());
}

pub fn texts() -> Vec<String> {
    let copies = copies().into_iter().map(|(text, ..)| text);
    let others = [
        shared(),
        scattered(),
        local(),
        variables(),
        generic_shared(),
        parameters(),
        extension("s8"),
        wrapping(),
    ];
    copies.chain(others).collect()
}
