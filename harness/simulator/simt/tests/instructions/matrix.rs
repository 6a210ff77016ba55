//! `movmatrix` and `ldmatrix`; what all instructions for matrices refuse.

use super::harness::{HEADER, kernel, run, run_words, try_run, words};
use simt::Module;

/// Each lane's word of an 8×8 matrix whose elements are their own places: row · 8 + column.
fn own_places(lane: u32) -> u32 {
    let (row, column) = (lane / 4, lane % 4 * 2);
    (row * 8 + column + 1) << 16 | (row * 8 + column)
}

/// The same of the transposed matrix.
fn transposed_places(lane: u32) -> u32 {
    let (row, column) = (lane / 4, lane % 4 * 2);
    ((column + 1) * 8 + row) << 16 | (column * 8 + row)
}

/// The lane's own word of buffer p0 in `%rd0`, and the word of [`own_places`] in `%r3`.
const PLACES: &str = "mov.u32 %r0, %tid.x;\nld.param.u64 %rd0, [p0];\nmul.wide.u32 %rd1, %r0, 4;\n\
    add.s64 %rd0, %rd0, %rd1;\nand.b32 %r0, %r0, 31;\nshl.b32 %r1, %r0, 1;\nadd.u32 %r2, %r1, 1;\n\
    shl.b32 %r2, %r2, 16;\nor.b32 %r3, %r1, %r2;\n";

fn transposition() -> String {
    kernel(
        1,
        0,
        &format!(
            "{PLACES}movmatrix.sync.aligned.m8n8.trans.b16 %r3, %r3;\nst.global.u32 [%rd0], %r3;"
        ),
    )
}

#[test]
fn a_matrix_is_transposed() {
    let expected: Vec<u32> = (0..64).map(|thread| transposed_places(thread % 32)).collect();
    assert_eq!(run_words(&transposition(), 1, 64), expected);
}

/// Loads `count` matrices from shared memory, whose rows lie 48 bytes apart in descending order, and stores the last.
fn matrix_load(count: usize, transposed: bool, space: &str) -> String {
    let list = ["%r10", "%r11", "%r12", "%r13"][..count].join(", ");
    let trans = if transposed { ".trans" } else { "" };
    let generic = if space.is_empty() { "cvta.shared.u64 %rd5, %rd5;\n" } else { "" };
    // The word of row `lane / 4`, pair `lane % 4`, in 100 · matrix + row · 8 + column.
    let stores: String = (0..count)
        .map(|matrix| {
            let add = 100 * matrix * 0x1_0001;
            format!(
                "mov.u32 %r5, {};\nsub.u32 %r5, %r5, %r4;\nmul.lo.u32 %r5, %r5, 48;\nadd.u32 %r5, %r5, %r6;\n\
                 cvt.u64.u32 %rd4, %r5;\nadd.s64 %rd4, %rd3, %rd4;\nadd.u32 %r7, %r3, {add};\n\
                 st.shared.u32 [%rd4], %r7;\n",
                31 - 8 * matrix
            )
        })
        .collect();
    kernel(
        1,
        0,
        &format!(
            ".shared .align 16 .b8 tile[1536];\n{PLACES}mov.u64 %rd3, tile;\nshr.u32 %r4, %r0, 2;\n\
             and.b32 %r6, %r0, 3;\nshl.b32 %r6, %r6, 2;\n{stores}bar.warp.sync 0xffffffff;\n\
             mov.u32 %r5, 31;\nsub.u32 %r5, %r5, %r0;\nmul.lo.u32 %r5, %r5, 48;\ncvt.u64.u32 %rd5, %r5;\n\
             add.s64 %rd5, %rd3, %rd5;\n{generic}\
             ldmatrix.sync.aligned.m8n8.x{count}{trans}{space}.b16 {{{list}}}, [%rd5];\n\
             st.global.u32 [%rd0], %r{};",
            9 + count
        ),
    )
}

#[test]
fn matrices_are_loaded_row_by_row() {
    for count in [1, 2, 4] {
        for transposed in [false, true] {
            for space in [".shared", ""] {
                let of = if transposed { transposed_places } else { own_places };
                let add = 100 * (count as u32 - 1) * 0x1_0001;
                let expected: Vec<u32> = (0..32).map(|lane| of(lane) + add).collect();
                let got = run_words(&matrix_load(count, transposed, space), 1, 32);
                assert_eq!(got, expected, "x{count} {transposed} {space}");
            }
        }
    }
}

/// Stores four matrices, the lanes' rows lying 48 bytes apart, and reads them word by word.
fn matrix_store(transposed: bool, space: &str) -> String {
    let trans = if transposed { ".trans" } else { "" };
    let generic = if space.is_empty() { "cvta.shared.u64 %rd5, %rd5;\n" } else { "" };
    let reads: String = (0..4)
        .map(|matrix| {
            format!(
                "ld.shared.u32 %r8, [%rd3+{}];\nst.global.u32 [%rd0+{}], %r8;\n",
                8 * 48 * matrix,
                128 * matrix
            )
        })
        .collect();
    kernel(
        1,
        0,
        &format!(
            ".shared .align 16 .b8 tile[1536];\n{PLACES}mov.u64 %rd3, tile;\n\
             mad.wide.u32 %rd5, %r0, 48, %rd3;\n{generic}add.u32 %r4, %r3, 0x640064;\n\
             add.u32 %r5, %r4, 0x640064;\nadd.u32 %r6, %r5, 0x640064;\n\
             stmatrix.sync.aligned.m8n8.x4{trans}{space}.b16 [%rd5], {{%r3, %r4, %r5, %r6}};\n\
             bar.warp.sync 0xffffffff;\nshr.u32 %r7, %r0, 2;\nand.b32 %r9, %r0, 3;\n\
             mad.wide.u32 %rd3, %r7, 48, %rd3;\nmad.wide.u32 %rd3, %r9, 4, %rd3;\n{reads}"
        ),
    )
}

#[test]
fn matrices_are_stored_row_by_row() {
    for (transposed, of) in [(false, own_places as fn(u32) -> u32), (true, transposed_places)] {
        for space in [".shared", ""] {
            let found =
                words(&run(&matrix_store(transposed, space), 1, 32, &[vec![0; 512]], &[])[0]);
            for (k, word) in (0..).zip(found) {
                assert_eq!(
                    word,
                    of(k % 32) + 100 * (k / 32) * 0x1_0001,
                    "{transposed} {space} {k}"
                );
            }
        }
    }
}

#[test]
fn a_row_must_be_aligned_and_inside() {
    for (address, told) in [(8, "misaligned"), (4096, "out of bounds")] {
        let body = format!(
            ".shared .align 16 .b8 tile[1536];\nmov.u64 %rd1, {address};\n\
             ldmatrix.sync.aligned.m8n8.x1.shared.b16 {{%r1}}, [%rd1];"
        );
        let error = try_run(&kernel(0, 0, &body), 1, 32, &[], &[]).unwrap_err();
        assert!(error.contains(told), "{error}");
    }
}

#[test]
fn a_part_of_a_warp_is_refused() {
    let multiply = "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f0, %f1, %f2, %f3}, {%r1, %r2}, {%r3}, \
                    {%f0, %f1, %f2, %f3};";
    let transpose = "movmatrix.sync.aligned.m8n8.trans.b16 %r3, %r3;";
    let setup = "mov.u32 %r0, %tid.x;\nsetp.lt.u32 %p1, %r0, 48;\n";
    for instruction in [multiply, transpose] {
        let name = instruction.split('.').next().unwrap();
        let guarded = kernel(0, 0, &format!("{setup}@%p1 {instruction}"));
        let error = try_run(&guarded, 1, 64, &[], &[]).unwrap_err();
        let text = format!(
            "`{name}` needs all 32 lanes of a warp, but only lanes 0x0000ffff of warp 1 reached it"
        );
        assert!(error.contains(&text), "{error}");
        assert!(error.contains("0xffff0000 are elsewhere") && error.contains("to do: "), "{error}");

        let returned = kernel(0, 0, &format!("{setup}@!%p1 ret;\n{instruction}"));
        let error = try_run(&returned, 1, 64, &[], &[]).unwrap_err();
        assert!(error.contains("0xffff0000 have exited or never existed"), "{error}");

        let short = kernel(0, 0, instruction);
        let error = try_run(&short, 1, 40, &[], &[]).unwrap_err();
        assert!(error.contains("0xffffff00 have exited or never existed"), "{error}");

        // Whole warps may go around it.
        let whole = kernel(0, 0, &format!("{setup}setp.lt.u32 %p1, %r0, 32;\n@%p1 {instruction}"));
        try_run(&whole, 1, 64, &[], &[]).unwrap();
        // And lanes that part meet again before it.
        let parted = format!("{setup}@%p1 bra NEXT;\nadd.u32 %r1, %r1, 1;\nNEXT:\n{instruction}");
        try_run(&kernel(0, 0, &parted), 1, 64, &[], &[]).unwrap();
    }
}

#[test]
fn what_is_not_supported_is_named() {
    let refused = |statement: &str| {
        let text = format!(
            "{HEADER}.visible .entry test()\n{{\n.reg .b32 %r<9>;\n.reg .f32 %f<9>;\n{statement}\nret;\n}}\n"
        );
        Module::parse("test.ptx", &text).unwrap_err().to_string()
    };
    let four = "{%f0, %f1, %f2, %f3}";
    let rest = "{%r0, %r1, %r2, %r3}, {%r4, %r5}, {%f0, %f1, %f2, %f3};";
    for (opcode, told) in [
        ("m16n8k32.row.col.f32.f16.f16.f32", "unsupported shape m16n8k32 of `mma` for f16"),
        ("m8n8k4.row.col.f16.f16.f16.f32", "unsupported types f16.f16.f16.f32 of `mma` m8n8k4"),
        ("m8n8k4.row.col.f32.bf16.bf16.f32", "unsupported shape m8n8k4 of `mma` for bf16"),
        ("m16n8k16.row.col.f32.tf32.tf32.f32", "unsupported shape m16n8k16 of `mma` for tf32"),
        ("m16n8k4.row.col.f32.f16.f16.f32", "unsupported shape m16n8k4 of `mma` for f16"),
        ("m16n8k16.row.col.f16.f16.f16.f32", "unsupported types f16.f16.f16.f32 of `mma` m16n8k16"),
        ("m16n8k32.row.col.s32.s8.s4.s32", "unsupported types s32.s8.s4.s32 of `mma` m16n8k32"),
        ("m16n8k64.row.col.s32.s8.s8.s32", "unsupported shape m16n8k64 of `mma` for s8"),
        ("m16n8k256.row.col.s32.b1.b1.s32", "unsupported types s32.b1.b1.s32 of `mma` m16n8k256"),
        (
            "m16n8k16.row.col.f32.f16.bf16.f32",
            "unsupported types f32.f16.bf16.f32 of `mma` m16n8k16",
        ),
        ("m16n8k16.row.row.f32.f16.f16.f32", "unsupported layout"),
    ] {
        let error = refused(&format!("mma.sync.aligned.{opcode} {four}, {rest}"));
        assert!(error.starts_with("test.ptx:8:1: ") && error.contains(told), "{error}");
        assert!(error.contains("m16n8k8 and m16n8k16 for f16 and bf16"), "{error}");
    }
    let error =
        refused(&format!("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {four}, {rest}"));
    assert!(error.contains("needs 2 registers here, found 4"), "{error}");
    let error = refused("movmatrix.sync.aligned.m8n8.b16 %r0, %r1;");
    assert!(error.contains("the only movmatrix is"), "{error}");
    let error = refused("ldmatrix.sync.aligned.m8n8.x3.shared.b16 {%r0}, [%r1];");
    assert!(error.contains(".x1, .x2 or .x4"), "{error}");
}

pub fn texts() -> Vec<String> {
    let loads = [1, 2, 4].map(|count| matrix_load(count, count == 2, ".shared"));
    loads.into_iter().chain([transposition(), matrix_store(true, ".shared")]).collect()
}
