//! Video instructions that there are not; what the others give is in `tests/golden`.

use super::harness::kernel;
use simt::Module;

#[test]
fn what_there_is_not() {
    for statement in [
        "vadd.f32.s32.s32 %r1, %r2, %r3;",
        "vshl.u32.u32.u32 %r1, %r2, %r3;",
        "vadd4.u32.u32.u32 %r1, %r2.b0, %r3, %r4;",
        "vavrg.u32.u32.u32 %r1, %r2, %r3;",
        "add.relu.s16x2 %r1, %r2, %r3;",
        "vadd.u32.u32.u32.add %r1.h0, %r2, %r3, %r4;",
        "vadd4.u32.u32.u32 %r1, %r2, %r3;",
        "vset.u32.u32 %r1, %r2, %r3;",
        "vadd.u32.u32.u32.lt %r1, %r2, %r3;",
        "vmad.u32.u32.u32 %r1, %r2, %r3;",
        "vmad.u32.u32.u32.po %r1, %r2, %r3, -%r4;",
        "vmad.u32.u32.u32 %r1, -%r2, %r3, -%r4;",
        "vadd.u32.u32.u32 %r1, -%r2, %r3;",
    ] {
        let error = Module::parse("test.ptx", &kernel(0, 0, statement)).unwrap_err();
        assert_eq!((error.line, error.column), (12, 1), "{error}");
    }
}
