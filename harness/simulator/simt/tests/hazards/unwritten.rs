//! Reads of what nothing has written.

use super::fixture::{Fixture, Run, WORDS, marked, text};
use simt::{Fault, FaultKind, Launch, Watch};

const ONE: [u32; 3] = [1, 1, 1];
const TWO_WARPS: [u32; 3] = [64, 1, 1];

fn is_found(found: &[Fault], kernel: &str, name: &str, offset: u64) {
    let [line] = marked(&text("unwritten.cu"), kernel)[..] else { panic!("one line") };
    assert_eq!(found.len(), 1, "{kernel}: {found:?}");
    let FaultKind::Uninitialised(read) = &found[0].kind else { panic!("{}", found[0]) };
    assert_eq!((read.name.as_deref(), read.offset), (Some(name), offset), "{}", found[0]);
    assert_eq!(found[0].cuda.as_ref().map(|it| it.at.line), Some(line), "{}", found[0]);
}

#[test]
fn shared_memory() {
    let found = Fixture::filled("unwritten").hazards("shared_tail", ONE, TWO_WARPS, 50);
    // Thread 0 reads word 63, of which nothing is written.
    is_found(&found, "shared_tail", "tile", 4 * 63);
    assert_eq!(found[0].thread, [0, 0, 0]);
    assert_eq!(Fixture::filled("unwritten").hazards("shared_tail", ONE, TWO_WARPS, 64), []);
}

#[test]
fn global_memory() {
    let fixture = Fixture::new("unwritten");
    fixture.simulator.write(fixture.input, &[7; 4 * 50]).unwrap();
    let found = fixture.hazards("global_tail", ONE, TWO_WARPS, 50);
    is_found(&found, "global_tail", "in", 4 * 50);
    assert_eq!(found[0].thread, [50, 0, 0]);
    assert!(found[0].to_string().contains("to do: copy to it or clear it"), "{}", found[0]);
    fixture.simulator.write(fixture.input + 4 * 50, &[7; 4 * 14]).unwrap();
    assert_eq!(fixture.hazards("global_tail", ONE, TWO_WARPS, 64), []);
}

#[test]
fn an_atomic_reads() {
    let fixture = Fixture::new("unwritten");
    fixture.simulator.write(fixture.input, &[7; 4]).unwrap();
    is_found(&fixture.hazards("never_cleared", ONE, TWO_WARPS, 0), "never_cleared", "out", 0);
    fixture.simulator.fill(fixture.out, 8, 0).unwrap();
    assert_eq!(fixture.hazards("never_cleared", ONE, TWO_WARPS, 0), []);
}

#[test]
fn what_kernels_write_is_written() {
    let fixture = Fixture::new("unwritten");
    fixture.simulator.write(fixture.input, &[7; 4]).unwrap();
    assert_eq!(fixture.hazards("own_words", ONE, TWO_WARPS, 0), []);
    // What is poisoned has to be written again.
    fixture.simulator.poison(fixture.input, 4 * WORDS, 0xff).unwrap();
    assert_eq!(fixture.hazards("global_tail", ONE, TWO_WARPS, 0).len(), 1);
}

#[test]
fn after_a_launch_that_was_not_watched_all_counts_as_written() {
    let fixture = Fixture::new("unwritten");
    let launch =
        Launch::new(ONE, TWO_WARPS).argument(fixture.out).argument(fixture.input).argument(0);
    fixture.simulator.launch(&fixture.loaded, "global_tail", &launch, &Watch::default()).unwrap();
    assert_eq!(fixture.hazards("global_tail", ONE, TWO_WARPS, 0), []);
}

#[test]
fn local_memory() {
    let hazards = |body: &str| {
        let text = format!(
            ".version 7.8\n.target sm_70\n.address_size 64\n.func (.param .b32 r) f(.param .b32 a)\n\
             {{\nret;\n}}\n.visible .entry k(.param .u64 out)\n{{\n\
             .local .align 8 .b8 own[64]; .reg .pred %p<2>; .reg .b32 %r<9>; .reg .b64 %rd<9>;\n\
             ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4;\n\
             add.s64 %rd3, %rd1, %rd2; mov.u64 %rd4, own; cvta.local.u64 %rd5, %rd4;\n\
             {body}\nst.global.u32 [%rd3], %r2;\nret;\n}}"
        );
        let simulator = simt::Simulator::new(1 << 20);
        let run = Run { text: &text, kernel: "k", launch: Launch::new([3, 1, 1], [64, 1, 1]) };
        run.hazards(&simulator, |_| {
            vec![simulator.alloc("out", 4096).unwrap().to_le_bytes().into()]
        })
    };
    // Thread 33 alone does not write what all read.
    let one =
        "setp.ne.u32 %p1, %r1, 33;\n@%p1 st.local.u32 [own+8], %r1;\nld.local.u32 %r2, [own+8];";
    let found = hazards(one);
    assert_eq!(found.len(), 1, "{found:?}");
    let FaultKind::Uninitialised(read) = &found[0].kind else { panic!("{}", found[0]) };
    assert_eq!((read.space, read.offset, read.bytes), (simt::Space::Local, 8, 4));
    assert_eq!((found[0].line, found[0].thread), (15, [33, 0, 0]), "{}", found[0]);
    assert!(found[0].to_string().contains("to do: give the variable a value"), "{}", found[0]);
    // By generic addresses, too; and each block's threads begin anew.
    assert_eq!(hazards("st.u32 [%rd5+8], %r1;\nld.local.u32 %r2, [own+8];"), []);
    assert_eq!(hazards("ld.u32 %r2, [%rd5+60];").len(), 1);
    let later = "mov.u32 %r3, %ctaid.x;\nsetp.eq.u32 %p1, %r3, 0;\n\
                 @%p1 st.local.u32 [own], %r1;\nld.local.u32 %r2, [own];";
    assert_eq!(hazards(later)[0].block, [1, 0, 0]);
    // A compiler loads it for all threads, and selects another value where it was not written.
    let selects = |values: &str| {
        hazards(&format!(
            "setp.ne.u32 %p1, %r1, 33;\n@%p1 st.local.u32 [own], %r1;\nld.local.u32 %r3, [own];\n\
             selp.b32 %r2, {values}, %p1;"
        ))
    };
    assert_eq!(selects("%r3, 7"), []);
    assert_eq!(selects("7, %r3").len(), 1);
    // A copy of something with a gap, a part of which nobody uses, and a result that a function leaves open.
    assert_eq!(
        hazards("st.local.u32 [own], %r1;\nld.local.u64 %rd6, [own];\ncvt.u32.u64 %r2, %rd6;"),
        []
    );
    assert_eq!(hazards("st.local.u32 [own], %r1;\nld.local.v2.u32 {%r2, %r3}, [own];"), []);
    let call = "{\n.param .b32 a; st.param.b32 [a], %r1;\n.param .b32 r; call.uni (r), f, (a);\n\
                ld.param.b32 %r2, [r];\n}";
    assert_eq!(hazards(call), []);
}
