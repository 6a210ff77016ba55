//! A branch by number is an instruction of its own, not a chain of tests.

use super::harness::kernel;
use simt::Module;

#[test]
fn a_branch_by_number_is_one_instruction() {
    let text =
        kernel(0, 0, "TS: .branchtargets A, B;\nbrx.idx %r3, TS;\nA:\nadd.u32 %r4, %r4, 10;\nB:");
    let module = Module::parse("test.ptx", &text).unwrap();
    let all = module.kernel("test").unwrap().blocks().iter().flat_map(|it| &it.instructions);
    assert_eq!(all.filter(|it| it.opcode == "brx.idx").count(), 1);
    for (targets, operand) in [("TS: .branchtargets A;", "A"), ("TS: .branchtargets p0;", "TS")] {
        let text = kernel(1, 0, &format!("{targets}\nbrx.idx %r1, {operand};\nA:"));
        let error = Module::parse("test.ptx", &text).unwrap_err();
        assert_eq!((error.line, error.column), (13, 1), "{error}");
    }
}
