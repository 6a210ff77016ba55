//! Nothing in `opcodes.txt` may be left without a test.

use std::collections::BTreeSet;

use super::table::Case;
use super::{
    approximate, atomics, bits, bytes, compare, control, convert, copies, float, halves, integer,
    matrix, mbarrier, memory, products, quarters, recorded, tiles, video, warp,
};

/// The opcodes of a text: the first word of each statement, after its guard.
fn opcodes(text: &str) -> impl Iterator<Item = &str> {
    text.split([';', '\n', '{', '}']).filter_map(|statement| {
        let mut words = statement.split_whitespace();
        words.find(|word| !word.starts_with('@') && !word.ends_with(':'))
    })
}

fn tables() -> impl Iterator<Item = Case> {
    let tables = [
        integer::cases(),
        bits::cases(),
        float::cases(),
        approximate::cases(),
        compare::cases(),
        convert::cases(),
    ];
    tables.into_iter().flatten()
}

#[test]
fn every_opcode_in_scope_is_tested() {
    let cases = tables().map(|case| case.ptx());
    let kernels = [
        memory::texts(),
        atomics::texts(),
        warp::texts(),
        control::texts(),
        matrix::texts(),
        products::texts(),
        quarters::texts(),
        bytes::texts(),
        halves::texts(),
        copies::texts(),
        recorded::texts(),
        tiles::texts(),
        mbarrier::texts(),
        video::texts(),
        bits::more_cases().iter().map(Case::ptx).collect(),
    ];
    let texts: Vec<String> = cases.chain(kernels.into_iter().flatten()).collect();
    let tested: BTreeSet<&str> = texts.iter().flat_map(|text| opcodes(text)).collect();
    let listed = include_str!("opcodes.txt").lines().filter(|line| !line.starts_with('#'));
    let missing: Vec<&str> = listed.filter(|opcode| !tested.contains(opcode)).collect();
    assert!(missing.is_empty(), "no test for {missing:?}");
}

/// Instructions that only the chip is a judge of, in the form of [`Case::line`].
fn only_recorded() -> Vec<String> {
    let mut lines = Vec::new();
    let mut add = |signature: &str, opcode: &str| {
        let operands = &", %a, %b, %c, %e"[..4 * signature.matches(' ').count() - 4];
        lines.push(format!("{signature} | {opcode} %d{operands};"));
    };
    let (one, two, three) = ("f32 -> f32", "f32 f32 -> f32", "f32 f32 f32 -> f32");
    for rounding in ["rz", "rm", "rp"] {
        for modifier in ["ftz", "sat"] {
            for (base, signature) in [("add", two), ("sub", two), ("mul", two), ("fma", three)] {
                add(signature, &format!("{base}.{rounding}.{modifier}.f32"));
            }
        }
        for (base, signature) in [("div", two), ("rcp", one), ("sqrt", one)] {
            add(signature, &format!("{base}.{rounding}.ftz.f32"));
        }
        add("f64 -> f32", &format!("cvt.{rounding}.ftz.f32.f64"));
    }
    for opcode in ["rcp.approx.ftz.f64", "rsqrt.approx.ftz.f64", "rsqrt.approx.f64"] {
        add("f64 -> f64", opcode);
    }
    add(one, "cvt.rni.ftz.sat.f32.f32");
    add("f64 -> f64", "cvt.rni.sat.f64.f64");
    add("s32 -> f32", "cvt.rn.sat.f32.s32");
    add("f32 -> s32", "cvt.rzi.ftz.sat.s32.f32");
    add("b32 b32 n32 n32 -> b32", "bfi.b32");
    add("b64 b64 n32 n32 -> b64", "bfi.b64");
    add("b64 n32 -> b64", "shr.b64");
    add("b16 n32 -> b16", "shr.b16");
    add("s32 s32 s32 -> s32", "mad24.hi.sat.s32");
    add("f32 f32 -> u32", "set.lt.ftz.u32.f32");
    add("f32 f32 -> f32", "set.leu.f32.f32");
    add("f32 f32 pred -> u32", "set.gt.and.u32.f32");
    add("s32 s32 s32 -> s32", "slct.s32.s32");
    add("f32 f32 f32 -> f32", "slct.f32.f32");
    for statement in [
        "f32 f32 -> pred | setp.lt.f32 %p1|%d, %a, %b;",
        "f32 f32 -> pred | setp.num.f32 %p1|%d, %a, %b;",
        "u64 u64 u64 -> u64 | sub.cc.u64 %d, %a, %b; subc.u64 %d, %c, 0;",
        "u64 u64 u64 -> u64 | mad.lo.cc.u64 %d, %a, %b, %c; madc.hi.u64 %d, %a, %b, 0;",
        "s32 s32 s32 -> s32 | mad.lo.cc.s32 %d, %a, %b, %c; madc.hi.s32 %d, %a, %b, 0;",
    ] {
        lines.push(statement.to_string());
    }
    lines
}

/// The comparison with the chip is in `tests/golden`.
#[test]
fn golden_vectors_cover_the_same_instructions() {
    let recorded = include_str!("../golden/golden.txt");
    let recorded = recorded.lines().filter(|line| !line.starts_with('#'));
    let recorded: BTreeSet<&str> =
        recorded.map(|line| line.split_inclusive("; |").next().unwrap()).collect();
    let recorded: BTreeSet<&str> = recorded.iter().map(|l| l.trim_end_matches(" |")).collect();
    let expected: Vec<String> = tables().map(|case| case.line()).chain(only_recorded()).collect();
    let expected: BTreeSet<&str> = expected.iter().map(String::as_str).collect();
    let missing: Vec<&&str> = expected.difference(&recorded).collect();
    assert!(missing.is_empty(), "add these lines to golden.txt and record:\n{missing:#?}");
    let unknown: Vec<&&str> = recorded.difference(&expected).collect();
    assert!(unknown.is_empty(), "golden.txt has instructions that no table names: {unknown:#?}");
}
