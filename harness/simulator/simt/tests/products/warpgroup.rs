//! Products of bytes by `wgmma`, against those of an H200: `wgmma.bin` is a recording as [`file`](super::file) says, of the
//! kinds that are here and the groups of `cases.rs`. A word of an operand is four numbers, and one of c or d an `f32` or an
//! `f16`.

use super::file::{self, A, B, C, Product};
use super::{levels, run};
use simt::Launch;

const RECORDING: &[u8] = include_bytes!("wgmma.bin");

/// The number of the first kind, and the kinds: d, a and b.
const FIRST: usize = 3;
const KINDS: [&str; 5] =
    ["f32.e4m3.e4m3", "f32.e5m2.e5m2", "f32.e4m3.e5m2", "f16.e4m3.e4m3", "f16.e5m2.e5m2"];

/// A kernel `product` that multiplies as many matrices as it has blocks, each of four warps with the same 16 rows of a.
fn kernel(types: &str) -> String {
    let (begin, sums, end) = match types.starts_with("f16") {
        true => (
            "shl.b32 %r11, %r11, 16;\nor.b32 %r10, %r10, %r11;\nshl.b32 %r13, %r13, 16;\nor.b32 %r12, %r12, %r13;",
            "{%r10, %r12}",
            "shr.u32 %r11, %r10, 16;\nand.b32 %r10, %r10, 65535;\nshr.u32 %r13, %r12, 16;\nand.b32 %r12, %r12, 65535;",
        ),
        false => (
            "mov.b32 %f0, %r10;\nmov.b32 %f1, %r11;\nmov.b32 %f2, %r12;\nmov.b32 %f3, %r13;",
            "{%f0, %f1, %f2, %f3}",
            "mov.b32 %r10, %f0;\nmov.b32 %r11, %f1;\nmov.b32 %r12, %f2;\nmov.b32 %r13, %f3;",
        ),
    };
    let (record, b, c) = (4 * (A + B + C), 4 * A, 4 * (A + B));
    // Core matrices of 8 rows of 16 bytes: 128 bytes on along k, 256 along rows.
    let descriptor = |shared: &str| {
        format!("mov.u32 %r2, {shared};\nshr.u32 %r2, %r2, 4;\nor.b32 %r2, %r2, {};\n", 8 << 16)
    };
    format!(
        ".version 8.0\n.target sm_90a\n.address_size 64\n\
         .visible .entry product(.param .u64 operands, .param .u64 results)\n{{\n\
         .reg .pred %p<4>;\n.reg .b32 %r<16>;\n.reg .f32 %f<4>;\n.reg .b64 %rd<8>;\n\
         .shared .align 128 .b8 rows[2048];\n.shared .align 128 .b8 columns[256];\n\
         ld.param.u64 %rd0, [operands];\nld.param.u64 %rd1, [results];\n\
         mov.u32 %r0, %ctaid.x;\nmov.u32 %r1, %tid.x;\n\
         mad.wide.u32 %rd0, %r0, {record}, %rd0;\nmad.wide.u32 %rd1, %r0, 512, %rd1;\n\
         mad.wide.u32 %rd2, %r1, 4, %rd0;\n\
         // Word %r4 of row %r3 in its core matrix.\n\
         shr.u32 %r3, %r1, 3;\nand.b32 %r4, %r1, 3;\nand.b32 %r5, %r3, 7;\nmul.lo.u32 %r5, %r5, 16;\n\
         mad.lo.u32 %r5, %r4, 4, %r5;\nshr.u32 %r6, %r1, 2;\nand.b32 %r6, %r6, 1;\nmad.lo.u32 %r5, %r6, 128, %r5;\n\
         setp.lt.u32 %p0, %r1, 64;\n@%p0 ld.global.u32 %r7, [%rd2+{b}];\n\
         mov.u32 %r8, columns;\nadd.u32 %r8, %r8, %r5;\n@%p0 st.shared.u32 [%r8], %r7;\n\
         shr.u32 %r3, %r3, 3;\nmad.lo.u32 %r5, %r3, 256, %r5;\n\
         ld.global.u32 %r7, [%rd2];\nmov.u32 %r8, rows;\nadd.u32 %r8, %r8, %r5;\n\
         st.shared.u32 [%r8], %r7;\nst.shared.u32 [%r8+512], %r7;\nst.shared.u32 [%r8+1024], %r7;\nst.shared.u32 [%r8+1536], %r7;\n\
         fence.proxy.async.shared::cta;\nbar.sync 0;\n\
         and.b32 %r9, %r1, 31;\nmad.wide.u32 %rd3, %r9, 8, %rd0;\nmad.wide.u32 %rd1, %r9, 8, %rd1;\n\
         ld.global.v2.u32 {{%r10, %r11}}, [%rd3+{c}];\nld.global.v2.u32 {{%r12, %r13}}, [%rd3+{}];\n{begin}\n\
         mov.u32 %r3, 16;\n{}mov.b64 %rd4, {{%r2, %r3}};\n{}mov.b64 %rd5, {{%r2, %r3}};\n\
         wgmma.fence.sync.aligned;\nwgmma.mma_async.sync.aligned.m64n8k32.{types} {sums}, %rd4, %rd5, 1, 1, 1;\n\
         wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n{end}\n\
         setp.ge.u32 %p1, %r1, 32;\n@%p1 ret;\n\
         st.global.v2.u32 [%rd1], {{%r10, %r11}};\nst.global.v2.u32 [%rd1+256], {{%r12, %r13}};\nret;\n}}\n",
        c + 256,
        descriptor("rows"),
        descriptor("columns"),
    )
}

#[test]
fn bytes_are_multiplied_as_on_the_chip() {
    let (told, all) = file::parse(RECORDING).unwrap();
    assert!(told.starts_with("Recorded "), "{told}");
    for (kind, types) in KINDS.iter().enumerate() {
        let products: Vec<&Product> = all.iter().filter(|p| p.kind == FIRST + kind).collect();
        assert!(products.len() >= 12, "{types}: {} products", products.len());
        let grid = Launch::new([products.len() as u32, 1, 1], [128, 1, 1]);
        for level in levels() {
            let results = run(level, &kernel(types), grid.clone(), &products);
            let recorded =
                products.iter().flat_map(|p| p.result.iter().map(move |bits| (p, *bits)));
            for (i, ((product, recorded), got)) in recorded.zip(results).enumerate() {
                let place = [i % C / 8, i % 8];
                let group = super::GROUPS[product.group];
                assert_eq!(
                    got, recorded,
                    "{level:?}, {types}, {group} {place:?}: {got:08x}, {recorded:08x}"
                );
            }
        }
    }
}
