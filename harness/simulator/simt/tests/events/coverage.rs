//! Which lines ran, and which loops ran a second round.

use std::sync::Arc;

use simt::{Coverage, Module, Simulator, Watch};

use super::machine::kernel;
use crate::common::Bench;

/// What of a body's code never runs in two blocks of 64 threads.
fn gaps(body: &str) -> String {
    let text = format!("{}.file 1 \"/kernels/k.cu\"\n", kernel(body));
    let bench = Bench::new(Simulator::new(1 << 20), &text);
    let watch = Watch { coverage: true, ..Watch::default() };
    let events = bench.watch(2, 64, &watch).expect("no fault");
    let mut coverage = Coverage::new(bench.loaded.module().clone());
    coverage.add("k", &events.ran.expect("it was asked for"));
    coverage.gaps().iter().map(ToString::to_string).collect()
}

/// A loop whose condition is at its end.
fn repeat(label: &str, counter: &str, rounds: &str, inside: &str) -> String {
    format!(
        "mov.u32 {counter}, 0;\n{label}:\n{inside}\nadd.u32 {counter}, {counter}, 1;\n\
         setp.lt.u32 %p1, {counter}, {rounds};\n@%p1 bra {label};\n"
    )
}

#[test]
fn lines_that_no_thread_executes_are_named() {
    let skipped = |condition: &str| {
        gaps(&format!(
            ".loc 1 3 0\n{condition}\n@%p1 bra DONE;\n.loc 1 5 0\nadd.u32 %r6, %r1, 1;\n\
             .loc 1 6 0\nadd.u32 %r6, %r6, 1;\n.loc 1 8 0\nadd.u32 %r6, %r6, 1;\nDONE:\n\
             .loc 1 9 0\nadd.u32 %r7, %r1, 1;"
        ))
    };
    let lines = "in `k` lines 5–8 of k.cu were never executed";
    assert_eq!(skipped("setp.lt.u32 %p1, %r1, 128;"), lines);
    assert_eq!(skipped("setp.lt.u32 %p1, %r1, 127;"), "", "the last thread goes there");
}

#[test]
fn a_guard_that_lets_nobody_through_leaves_its_line_out() {
    let guarded = |threads: u32| {
        gaps(&format!(
            "setp.ge.u32 %p1, %r2, {threads};\n.loc 1 4 0\n@%p1 add.u32 %r6, %r1, 1;\n.loc 1 5 0"
        ))
    };
    assert_eq!(guarded(64), "in `k` line 4 of k.cu was never executed");
    assert_eq!(guarded(63), "");
}

#[test]
fn a_loop_needs_a_second_round_wherever_its_condition_is() {
    let at_the_end =
        |rounds: &str| gaps(&format!(".loc 1 7 0\n{}", repeat("HEAD", "%r6", rounds, "")));
    let at_the_beginning = |rounds: &str| {
        gaps(&format!(
            "mov.u32 %r6, 0;\n.loc 1 7 0\nHEAD:\nsetp.ge.u32 %p1, %r6, {rounds};\n\
             @%p1 bra DONE;\nadd.u32 %r6, %r6, 1;\nbra.uni HEAD;\nDONE:"
        ))
    };
    let once = "in `k` the loop at line 7 of k.cu never ran a second round";
    assert_eq!([at_the_end("1"), at_the_beginning("1")], [once, once]);
    assert_eq!([at_the_end("2"), at_the_beginning("2")], ["", ""]);
    // Only the last thread, in a round of its own.
    assert_eq!([at_the_end("%r2"), at_the_beginning("%r2")], ["", ""]);
}

#[test]
fn rounds_of_two_visits_are_not_two_rounds() {
    let inner = format!(".loc 1 8 0\n{}.loc 1 9 0", repeat("INNER", "%r7", "1", ""));
    let nested = gaps(&repeat("OUTER", "%r6", "3", &inner));
    assert_eq!(nested, "in `k` the loop at line 8 of k.cu never ran a second round");
    // Each thread leaves by a way of its own, in its first round.
    let left = "HEAD:\n.loc 1 8 0\nadd.u32 %r6, %r6, 1;\nsetp.lt.u32 %p2, %r2, 32;\n@%p2 bra DONE;\n\
         setp.eq.u32 %p2, %r6, 77;\n@%p2 bra HEAD;\nDONE:\n.loc 1 9 0\n";
    let twice = gaps(&repeat("OUTER", "%r7", "2", &format!("mov.u32 %r6, 0;\n{left}")));
    assert_eq!(twice, "in `k` the loop at line 8 of k.cu never ran a second round");
}

#[test]
fn of_the_loops_that_the_compiler_made_of_one_a_second_round_of_any_is_enough() {
    let both = |rounds: [&str; 2]| {
        let [one, other] = rounds;
        let two = [repeat("ONE", "%r6", one, ""), repeat("TWO", "%r7", other, "")];
        gaps(&format!(".loc 1 7 0\n{}", two.concat()))
    };
    assert_eq!(both(["4", "1"]), "");
    assert_eq!(both(["1", "1"]), "in `k` the loop at line 7 of k.cu never ran a second round");
}

#[test]
fn what_was_never_launched_is_said_to_be_so() {
    let module = Arc::new(Module::parse("k.ptx", &kernel("")).expect("valid PTX"));
    let gaps = Coverage::new(module).gaps();
    assert_eq!(gaps[0].to_string(), "`k` was never launched");
}
