//! Each kind of change, and that what is changed is PTX.

use super::*;
use program::Module;

/// A kernel with these lines as its body.
fn kernel(body: &str) -> String {
    format!(
        ".version 7.8\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p) {{\n\
         .reg .pred %p<4>; .reg .b32 %r<9>; .reg .f32 %f<9>; .reg .b64 %rd<4>;\n{body}\nret;\n}}\n"
    )
}

/// What the mutants of a kind have in the place of the only instruction that has any, all of them accepted.
fn changed(kind: Kind, body: &str) -> Vec<String> {
    let text = kernel(body);
    let all = mutants("k.ptx", &text).expect("it is PTX");
    let of_kind: Vec<&Mutant> = all.iter().filter(|mutant| mutant.kind == kind).collect();
    for mutant in &of_kind {
        assert!(mutant.original != mutant.changed);
        let parsed = Module::parse("mutant.ptx", &mutant.apply(&text));
        assert!(parsed.is_ok(), "{} → {}: {parsed:?}", mutant.original, mutant.changed);
    }
    of_kind.into_iter().map(|mutant| mutant.changed.clone()).collect()
}

/// A store makes results alive.
const STORE: &str = "\nst.global.f32 [%rd1], %f1;";

#[test]
fn stores_and_sums_are_left_out() {
    assert_eq!(changed(Kind::Drop, "st.global.u32 [%rd1+4], %r1;"), [""]);
    let sum = format!("fma.rn.f32 %f1, %f2, %f3, %f4;{STORE}");
    assert_eq!(changed(Kind::Drop, &sum), ["mov.f32 %f1, %f4;", ""]);
    let guarded = format!("@!%p1 sub.f32 %f1, %f2, %f3;{STORE}");
    assert_eq!(changed(Kind::Drop, &guarded), ["@!%p1 mov.f32 %f1, %f2;", ""]);
    let atomic = "atom.global.add.u32 %r1, [%rd1], %r2; st.global.u32 [%rd1], %r1;";
    assert_eq!(changed(Kind::Drop, atomic)[0], "ld.global.u32 %r1, [%rd1];");
}

#[test]
fn a_product_of_matrices_is_left_out_element_by_element() {
    let product = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, \
                   {%r1, %r2, %r3, %r4}, {%r5, %r6}, {%f5, %f6, %f7, %f8};";
    let dropped = changed(Kind::Drop, &format!("{product}{STORE}"));
    assert_eq!(
        dropped[0],
        "mov.f32 %f1, %f5; mov.f32 %f2, %f6; mov.f32 %f3, %f7; mov.f32 %f4, %f8;"
    );
}

#[test]
fn operands_change_places_where_that_matters() {
    assert_eq!(
        changed(Kind::Swap, &format!("sub.f32 %f1, %f2, %f3;{STORE}")),
        ["sub.f32 %f1, %f3, %f2;"]
    );
    assert!(changed(Kind::Swap, &format!("add.f32 %f1, %f2, %f3;{STORE}")).is_empty());
    assert!(
        changed(Kind::Swap, &format!("sub.f32 %f1, %f2, %f2;{STORE}")).is_empty(),
        "nothing changes"
    );
    let vector = "st.global.v2.f32 [%rd1], {%f1, %f2};";
    assert_eq!(changed(Kind::Swap, vector), ["st.global.v2.f32 [%rd1], {%f2, %f1};"]);
}

#[test]
fn constants_are_off() {
    let integers = changed(Kind::Constant, "add.s32 %r1, %r2, -4; st.global.u32 [%rd1], %r1;");
    let expected = [-3, -5, -8, 0].map(|value| format!("add.s32 %r1, %r2, {value};"));
    assert_eq!(integers, expected);
    let floats = changed(Kind::Constant, &format!("mov.f32 %f1, 0f3F800000;{STORE}"));
    assert_eq!(
        floats,
        ["0f40000000", "0fBF800000", "0f00000000"].map(|it| format!("mov.f32 %f1, {it};"))
    );
}

#[test]
fn addresses_are_off_but_not_those_of_parameters() {
    let all = changed(Kind::Offset, &format!("ld.param.u64 %rd1, [p];{STORE}"));
    assert_eq!(all, ["st.global.f32 [%rd1+4], %f1;", "st.global.f32 [%rd1-4], %f1;"]);
}

#[test]
fn comparisons_and_guards() {
    let all =
        changed(Kind::Predicate, "setp.lt.s32 %p1, %r1, %r2; @%p1 st.global.u32 [%rd1], %r1;");
    assert_eq!(all, ["setp.le.s32 %p1, %r1, %r2;", "@!%p1 st.global.u32 [%rd1], %r1;"]);
    assert_eq!(
        changed(Kind::Predicate, "setp.ne.s32 %p1, %r1, 0; @%p1 exit;")[0],
        "setp.eq.s32 %p1, %r1, 0;"
    );
}

#[test]
fn lanes_exchange_otherwise() {
    let shuffle = "shfl.sync.bfly.b32 %r1|%p1, %r2, 1, 31, -1; st.global.u32 [%rd1], %r1;";
    let expected = [
        "shfl.sync.up.b32 %r1|%p1, %r2, 1, 31, -1;",
        "mov.b32 %r1, %r2;",
        "add.s32 %r1, 1, -1; shfl.sync.bfly.b32 %r1|%p1, %r2, %r1, 31, -1;",
    ];
    assert_eq!(changed(Kind::Shuffle, shuffle), expected);
}

#[test]
fn barriers_fences_and_waits_are_left_out() {
    let all = changed(Kind::Barrier, "bar.sync 0; membar.gl; bar.warp.sync -1; cp.async.wait_all;");
    assert_eq!(all, ["", "", "", ""]);
}

#[test]
fn loops_end_early_or_late() {
    let counted = "L: add.s32 %r1, %r1, -4; setp.ne.s32 %p1, %r1, 0; @%p1 bra L;";
    assert_eq!(changed(Kind::Round, counted), ["setp.ne.s32 %p1, %r1, -4;", ""]);
    let before = "L: mov.u32 %r2, %r1; add.s32 %r1, %r2, 1; setp.lt.s32 %p1, %r1, %r3; @%p1 bra L;";
    assert_eq!(changed(Kind::Round, before), ["setp.lt.s32 %p1, %r2, %r3;", ""]);
    let other = "L: setp.lt.s32 %p1, %r1, %r3; @%p1 bra L;";
    assert_eq!(changed(Kind::Round, other), ["setp.le.s32 %p1, %r1, %r3;", ""]);
    assert!(
        changed(Kind::Round, "@%p1 bra L; mov.u32 %r1, 0; L: ret;").is_empty(),
        "it goes forward"
    );
}

#[test]
fn other_operations() {
    let add = format!("add.ftz.f32 %f1, %f2, %f3;{STORE}");
    assert_eq!(changed(Kind::Operation, &add), ["sub.ftz.f32 %f1, %f2, %f3;"]);
    let product = format!("fma.rn.f32 %f1, %f2, %f3, %f4;{STORE}");
    let negated = "neg.f32 %f1, %f2; fma.rn.f32 %f1, %f1, %f3, %f4;";
    assert_eq!(changed(Kind::Operation, &product), [negated]);
    let sum = format!("fma.rn.f32 %f1, %f2, %f3, %f1;{STORE}");
    let negated = "neg.f32 %f1, %f1; fma.rn.f32 %f1, %f2, %f3, %f1; neg.f32 %f1, %f1;";
    assert_eq!(changed(Kind::Operation, &sum), [negated]);
}

#[test]
fn neighbouring_registers() {
    let all = changed(Kind::Register, "st.global.f32 [%rd1], %f8;");
    assert_eq!(all, ["st.global.f32 [%rd2], %f8;", "st.global.f32 [%rd1], %f7;"]);
    let same = "cvta.to.global.u64 %rd2, %rd1; st.global.f32 [%rd2], %f8;";
    let all = changed(Kind::Register, same);
    assert!(all.iter().all(|it| !it.contains("[%rd1]")), "it is the same address: {all:?}");
}

#[test]
fn what_nothing_reads_is_left_alone() {
    let all = mutants("k.ptx", &kernel("add.s32 %r1, %r2, 4;")).expect("it is PTX");
    assert_eq!(all, []);
}

#[test]
fn a_mutant_knows_its_place() {
    let text = kernel(".loc 1 7 3\nst.global.f32 [%rd1], %f1;");
    let text = text.replace(".address_size 64", ".address_size 64\n.file 1 \"a.cu\"");
    let all = mutants("k.ptx", &text).expect("it is PTX");
    let first = &all[0];
    assert_eq!((first.kernel.as_str(), first.line), ("k", 8));
    assert_eq!(first.source, Some(Line { file: "a.cu".to_string(), line: 7 }));
    assert_eq!(first.apply(&text).lines().nth(7), Some(""));
}

/// What is written from an instruction is read as the same, in one committed kernel of eight.
#[test]
fn instructions_are_written_as_they_are_read() {
    expect_to_read_what_is_written(8);
}

#[test]
#[ignore = "runs in CI as a job of its own: every committed kernel"]
fn all_instructions_are_written_as_they_are_read() {
    expect_to_read_what_is_written(1);
}

/// In one kernel of so many.
fn expect_to_read_what_is_written(of: usize) {
    let kernels = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../kernels");
    let mut seen = 0;
    for folder in
        std::fs::read_dir(kernels).expect("kernels").map(|it| it.expect("a folder").path())
    {
        let files = std::fs::read_dir(folder).expect("files").map(|it| it.expect("a file").path());
        let files = files.filter(|it| it.extension().is_some_and(|end| end == "ptx"));
        for file in files.step_by(of) {
            let text = std::fs::read_to_string(&file).expect("PTX");
            let parsed = parse(&text).expect("PTX");
            for body in parsed.functions.iter().filter_map(|it| it.body.as_ref()) {
                let instructions = Function::new(body).instructions;
                let written: Vec<_> = instructions.iter().map(ToString::to_string).collect();
                let again = parse(&kernel(&written.join("\n"))).expect("what was written");
                let again = Function::new(again.functions[0].body.as_ref().expect("a body"));
                assert_eq!(again.instructions.len(), instructions.len() + 1, "these and `ret`");
                for (&instruction, &again) in instructions.iter().zip(&again.instructions) {
                    let (line, location, span) =
                        (instruction.line, instruction.location, instruction.span.clone());
                    assert_eq!(Instruction { line, location, span, ..again.clone() }, *instruction);
                    seen += 1;
                }
            }
        }
    }
    assert!(seen > 10_000 / of, "{seen}");
}
