//! Predicates, branches, calls, special registers, forward progress, stops.

use super::harness::{HEADER, THREAD, bytes, kernel, run, run_words, try_run, words};
use simt::Module;

/// Predicated instructions of every kind leave the other lanes alone.
fn predicated() -> String {
    kernel(
        1,
        0,
        &format!(
            "{THREAD}and.b32 %r3, %r0, 3;\nsetp.eq.u32 %p1, %r3, 2;\nmov.u32 %r4, 5;\n\
         @%p1 add.u32 %r4, %r4, %r0;\n@!%p1 mul.lo.u32 %r4, %r4, 3;\nmov.u64 %rd3, 1;\n\
         @%p1 mov.u64 %rd3, 2;\ncvt.u32.u64 %r5, %rd3;\nadd.u32 %r4, %r4, %r5;\n\
         setp.ne.u32 %p2, %r0, 7;\n@%p2 setp.eq.u32 %p1, %r3, 3;\n@%p1 add.u32 %r4, %r4, 100;\n\
         setp.lt.u32 %p3, %r0, 40;\n@%p3 st.global.u32 [%rd0], %r4;"
        ),
    )
}

#[test]
fn predicates_mask_lanes() {
    let expected = (0..50u32).map(|i| {
        let mut value = if i % 4 == 2 { 5 + i + 2 } else { 15 + 1 };
        // Thread 7 keeps the first predicate, which is false for it.
        if i % 4 == 3 && i != 7 {
            value += 100;
        }
        if i < 40 { value } else { 0 }
    });
    assert_eq!(run_words(&predicated(), 1, 50), expected.collect::<Vec<_>>());
}

/// Lanes go where their number leads; numbers from the last on to the last label; lanes that the guard leaves out go on.
fn by_number(guard: &str) -> String {
    kernel(
        1,
        0,
        &format!(
            "{THREAD}and.b32 %r3, %r0, 3;\nmov.u32 %r4, 1;\nsetp.lt.u32 %p1, %r0, 16;\n\
             TS: .branchtargets A, B, C;\n{guard}brx.idx %r3, TS;\nbra.uni DONE;\n\
             A:\nadd.u32 %r4, %r4, 10;\nbra.uni DONE;\nB:\nadd.u32 %r4, %r4, 100;\n\
             C:\nadd.u32 %r4, %r4, 1000;\nDONE:\nst.global.u32 [%rd0], %r4;"
        ),
    )
}

#[test]
fn branches_by_number_lead_to_their_label() {
    let to = |i: u32| [11, 1101, 1001, 1001][i as usize % 4];
    assert_eq!(run_words(&by_number(""), 1, 50), (0..50).map(to).collect::<Vec<_>>());
    let guarded = (0..50).map(|i| if i < 16 { to(i) } else { 1 });
    assert_eq!(run_words(&by_number("@%p1 "), 1, 50), guarded.collect::<Vec<_>>());
}

#[test]
fn a_branch_by_number_is_one_instruction() {
    let module = Module::parse("test.ptx", &by_number("")).unwrap();
    let all = module.kernel("test").unwrap().blocks().iter().flat_map(|it| &it.instructions);
    assert_eq!(all.filter(|it| it.opcode == "brx.idx").count(), 1);
    for (targets, operand) in [("TS: .branchtargets A;", "A"), ("TS: .branchtargets p0;", "TS")] {
        let text = kernel(1, 0, &format!("{targets}\nbrx.idx %r1, {operand};\nA:"));
        let error = Module::parse("test.ptx", &text).unwrap_err();
        assert_eq!((error.line, error.column), (13, 1), "{error}");
    }
}

/// A loop whose length differs from lane to lane, a branch within it, then all lanes together.
fn divergent() -> String {
    kernel(
        1,
        0,
        &format!(
            "{THREAD}mov.u32 %r9, %laneid;\nmov.u32 %r3, 0;\nmov.u32 %r4, 0;\nLOOP:\n\
         setp.ge.u32 %p1, %r4, %r9;\n@%p1 bra DONE;\nand.b32 %r5, %r4, 1;\nsetp.eq.u32 %p2, %r5, 0;\n\
         @%p2 bra EVEN;\nadd.u32 %r3, %r3, 100;\nbra.uni NEXT;\nEVEN:\nadd.u32 %r3, %r3, %r4;\nNEXT:\n\
         add.u32 %r4, %r4, 1;\nbra LOOP;\nDONE:\n\
         shfl.sync.bfly.b32 %r6, %r3, 1, 31, -1;\nactivemask.b32 %r7;\nnot.b32 %r7, %r7;\n\
         add.u32 %r6, %r6, %r7;\nst.global.u32 [%rd0], %r6;"
        ),
    )
}

#[test]
fn lanes_meet_again() {
    let own = |lane: u32| (0..lane).map(|i| if i % 2 == 0 { i } else { 100 }).sum::<u32>();
    let expected: Vec<u32> = (0..64).map(|thread| own((thread % 32) ^ 1)).collect();
    assert_eq!(run_words(&divergent(), 1, 64), expected);
}

/// Lanes that return early do not hold up a barrier of the rest.
fn early_return() -> String {
    kernel(
        1,
        0,
        &format!(
            "{THREAD}st.global.u32 [%rd0], 1;\nsetp.ge.u32 %p1, %r2, 50;\n@%p1 ret;\nbar.sync 0;\n\
         st.global.u32 [%rd0], 2;"
        ),
    )
}

#[test]
fn early_returns() {
    let expected: Vec<u32> = (0..96).map(|i| if i < 50 { 2 } else { 1 }).collect();
    assert_eq!(run_words(&early_return(), 1, 96), expected);
}

/// A device function with a parameter of each size and a return value, called by some lanes.
fn call() -> String {
    let function = "\
        .visible .func (.param .b32 result) weigh(.param .b32 a, .param .b64 b, .param .b32 c)\n{\n\
        .reg .b32 %r<9>;\n.reg .b64 %rd<3>;\n.reg .f32 %f<3>;\n\
        ld.param.u32 %r1, [a];\nld.param.u64 %rd1, [b];\nld.param.f32 %f1, [c];\n\
        cvt.u32.u64 %r2, %rd1;\nmad.lo.u32 %r3, %r1, 10, %r2;\ncvt.rzi.u32.f32 %r4, %f1;\n\
        add.u32 %r3, %r3, %r4;\nst.param.b32 [result], %r3;\nret;\n}\n";
    let body = format!(
        "{THREAD}mov.u32 %r3, 77;\nand.b32 %r4, %r0, 1;\nsetp.eq.u32 %p1, %r4, 1;\n@%p1 bra SKIP;\n\
         mov.u64 %rd3, 4;\nmov.f32 %f0, 0f3FC00000;\n{{\n.param .b32 arg0;\n.param .b64 arg1;\n\
         .param .b32 arg2;\n.param .b32 back;\nst.param.b32 [arg0], %r0;\nst.param.b64 [arg1], %rd3;\n\
         st.param.f32 [arg2], %f0;\ncall.uni (back), weigh, (arg0, arg1, arg2);\n\
         ld.param.b32 %r3, [back];\n}}\nSKIP:\nst.global.u32 [%rd0], %r3;"
    );
    kernel(1, 0, &body).replace(HEADER, &format!("{HEADER}{function}"))
}

#[test]
fn functions_are_called() {
    let expected: Vec<u32> = (0..40).map(|i| if i % 2 == 1 { 77 } else { 10 * i + 5 }).collect();
    assert_eq!(run_words(&call(), 1, 40), expected);
}

/// The special registers, each in its own word of a thread's row.
const SPECIAL: [&str; 18] = [
    "%tid.x",
    "%tid.y",
    "%tid.z",
    "%ntid.x",
    "%ntid.y",
    "%ntid.z",
    "%ctaid.x",
    "%ctaid.y",
    "%ctaid.z",
    "%nctaid.x",
    "%nctaid.y",
    "%nctaid.z",
    "%laneid",
    "%lanemask_eq",
    "%lanemask_le",
    "%lanemask_lt",
    "%lanemask_ge",
    "%lanemask_gt",
];

fn special() -> String {
    let row = SPECIAL.len() * 4;
    let store = |(i, name): (usize, &&str)| {
        format!("mov.u32 %r4, {name};\nst.global.u32 [%rd0+{}], %r4;\n", i * 4)
    };
    let stores: String = SPECIAL.iter().enumerate().map(store).collect();
    kernel(
        1,
        0,
        &format!(
            "{THREAD}ld.param.u64 %rd0, [p0];\nmul.wide.u32 %rd1, %r0, {row};\nadd.s64 %rd0, %rd0, %rd1;\n\
         {stores}"
        ),
    )
}

#[test]
fn special_registers() {
    let buffers = run(&special(), 3, 48, &[vec![0; 3 * 48 * SPECIAL.len() * 4]], &[]);
    for (thread, row) in (0..).zip(words(&buffers[0]).chunks_exact(SPECIAL.len())) {
        let (block, thread) = (thread / 48, thread % 48);
        let lane = thread % 32;
        let bit = 1u32 << lane;
        let expected = [
            thread,
            0,
            0,
            48,
            1,
            1,
            block,
            0,
            0,
            3,
            1,
            1,
            lane,
            bit,
            bit | (bit - 1),
            bit - 1,
            !(bit - 1),
            !(bit | (bit - 1)),
        ];
        assert_eq!(row, expected);
    }
}

/// The clock does not run backwards.
fn clock() -> String {
    kernel(
        1,
        0,
        &format!(
            "{THREAD}mov.u64 %rd3, %clock64;\nadd.u32 %r3, %r0, 1;\nmov.u64 %rd4, %clock64;\n\
         setp.le.u64 %p1, %rd3, %rd4;\nselp.u32 %r4, %r3, 0, %p1;\nst.global.u32 [%rd0], %r4;"
        ),
    )
}

#[test]
fn clock_runs_forwards() {
    assert_eq!(run_words(&clock(), 1, 32), (1..=32).collect::<Vec<_>>());
}

/// A lock that the lanes of a warp take one after the other: they must be able to overtake.
fn spin_lock() -> String {
    kernel(
        2,
        0,
        &format!(
            "{THREAD}ld.param.u64 %rd2, [p1];\nWAIT:\natom.global.cas.b32 %r3, [%rd2], 0, 1;\n\
         setp.ne.u32 %p1, %r3, 0;\n@%p1 bra WAIT;\nld.volatile.global.u32 %r4, [%rd2+4];\n\
         add.u32 %r5, %r4, 1;\nst.volatile.global.u32 [%rd2+4], %r5;\nmembar.gl;\n\
         atom.global.exch.b32 %r6, [%rd2], 0;\nst.global.u32 [%rd0], %r4;"
        ),
    )
}

#[test]
fn lanes_make_progress() {
    let buffers = run(&spin_lock(), 1, 96, &[vec![0; 384], bytes([0, 0])], &[]);
    let mut tickets = words(&buffers[0]);
    tickets.sort_unstable();
    assert_eq!(tickets, (0..96).collect::<Vec<_>>());
    assert_eq!(words(&buffers[1]), [0, 96]);
}

/// The first warp waits for a word that the second writes.
fn signal() -> String {
    kernel(
        1,
        0,
        &format!(
            ".shared .align 4 .u32 flag;\n{THREAD}setp.ne.u32 %p1, %r2, 0;\n@%p1 bra READY;\n\
         st.shared.u32 [flag], 0;\nREADY:\nbar.sync 0;\nsetp.lt.u32 %p2, %r2, 32;\n@!%p2 bra WRITE;\n\
         WAIT:\nld.volatile.shared.u32 %r3, [flag];\nsetp.eq.u32 %p3, %r3, 0;\n@%p3 bra WAIT;\n\
         bra DONE;\nWRITE:\nmov.u32 %r3, 42;\nst.volatile.shared.u32 [flag], %r3;\nDONE:\n\
         st.global.u32 [%rd0], %r3;"
        ),
    )
}

#[test]
fn warps_make_progress() {
    assert_eq!(run_words(&signal(), 2, 64), vec![42; 128]);
}

/// A trap in one lane.
fn trap() -> String {
    kernel(1, 0, &format!("{THREAD}setp.ne.u32 %p1, %r0, 37;\n@%p1 bra FINE;\ntrap;\nFINE:"))
}

/// A load of one word after the buffer.
fn overrun() -> String {
    kernel(1, 0, &format!("{THREAD}ld.global.u32 %r3, [%rd0+4];\nst.global.u32 [%rd0], %r3;"))
}

/// A load at an odd address.
fn misaligned() -> String {
    kernel(1, 0, &format!("{THREAD}ld.global.u32 %r3, [%rd0+1];"))
}

#[test]
fn faults_stop_the_kernel() {
    for (ptx, expected) in [(trap(), "trap"), (overrun(), "first"), (misaligned(), "align")] {
        let error = try_run(&ptx, 1, 64, &[vec![0; 256]], &[]).unwrap_err();
        assert!(error.contains(expected), "{error}");
    }
}

pub fn texts() -> Vec<String> {
    vec![
        predicated(),
        divergent(),
        early_return(),
        call(),
        special(),
        clock(),
        spin_lock(),
        signal(),
        trap(),
    ]
}
