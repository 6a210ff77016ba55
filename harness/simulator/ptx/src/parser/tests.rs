use super::*;
use crate::ast::{Initial, Instruction, Statement};

fn kernel(body: &str) -> Function {
    let mut file = parse(&format!(".visible .entry k(.param .u64 p)\n{{\n{body}\n}}")).unwrap();
    file.functions.remove(0)
}

fn instructions(body: &str) -> Vec<Instruction> {
    let only = |s| match s {
        Statement::Instruction(i) => Some(i),
        _ => None,
    };
    kernel(body).body.unwrap().into_iter().filter_map(only).collect()
}

#[test]
fn operands_of_every_form() {
    let all = instructions(
        "@!%p1 ld.global.v2.f32 {%f1, _}, [%rd1+-8];\nsetp.eq.s32 %p1|%p2, %r1, -1;\n\
         call.uni (r), f, (a, b);\nld.const.u32 %r1, [c];",
    );
    assert_eq!(all[0].guard, Some(("%p1".to_string(), true)));
    assert_eq!(all[0].opcode, "ld.global.v2.f32");
    assert_eq!(all[0].operands[1], Operand::Address { base: Some("%rd1".to_string()), plus: -8 });
    assert_eq!(all[1].operands[0], Operand::Pair("%p1".to_string(), "%p2".to_string()));
    assert_eq!(all[1].operands[2], Operand::Integer(u64::MAX));
    assert_eq!(all[1].line, 4);
    assert_eq!(all[2].operands.len(), 3);
}

#[test]
fn lines_of_the_cuda_source() {
    let all = instructions(
        ".loc 1 7 3\nret;\n.loc 1 0 0\nret;\n.loc 1 9 1, function_name $x, inlined_at 1 2 3\nret;\n\
         .loc 1 2 3\n.loc 2 5 1, function_name $y, inlined_at 1 9 1\nret;\n\
         .loc 3 6 1, function_name $z+4, inlined_at 2 5 1\n.loc 2 5 1, function_name $y, inlined_at 3 6 1\nret;\n\
         .loc 1 8 1\nret;",
    );
    let lines: Vec<_> = all.iter().map(|i| (i.location.line, i.location.caller)).collect();
    let (none, caller) = ((0, 0), (1, 9));
    assert_eq!(lines, [(7, none), (7, none), (9, none), (5, caller), (5, caller), (8, none)]);
}

#[test]
fn variables_and_initialisers() {
    let file = parse(
        ".global .align 4 .b8 t[8] = {1, 2, {3}};\n.const .f32 x = 0f3F800000;\n\
         .global .u64 p = generic(t)+4;\n.extern .shared .align 16 .b8 s[];\n.file 1 \"/a.cu\"",
    )
    .unwrap();
    assert_eq!(file.variables[0].bytes, 8);
    assert_eq!(file.variables[0].initial.len(), 3);
    assert_eq!(file.variables[2].initial[0], Initial::Address { name: "t".to_string(), plus: 4 });
    assert!(file.variables[3].unsized_array);
    assert_eq!(file.files[&1], "/a.cu");
}

#[test]
fn errors_name_the_line() {
    for (text, line, message) in [
        (".entry k()\n{\n  add.s32 %r1 %r2;\n}", 3, "expected `,`, found `%r2`"),
        (".entry k()\n{\n  ret;\n", 3, "found the end of the file"),
        ("\n.bogus", 2, "unknown directive `.bogus`"),
        (".global .q32 x;", 1, "unknown type `.q32`"),
        (".global .align 3 .b8 x[3];", 1, "not a power of two"),
    ] {
        let error = match parse(text) {
            Ok(mut file) => file.functions.remove(0).malformed.unwrap(),
            Err(error) => error,
        };
        assert_eq!(error.line, line, "{text}");
        assert!(error.message.contains(message), "{}", error.message);
    }
}
