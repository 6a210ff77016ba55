//! Blocks that communicate are counted exactly: the same in every run, whatever the number of CPU threads.

use std::sync::Arc;

use simt::{Events, Launch, Module, Simulator, Watch};

use super::pattern::{MACHINE, Pattern, Schedule};

const WATCHES: [Watch; 3] = {
    let nothing = Watch {
        traffic: None,
        hazards: false,
        coverage: false,
        trace: None,
        multiprocessors: None,
    };
    [nothing, Watch { traffic: Some(MACHINE), ..nothing }, Watch { hazards: true, ..nothing }]
};

#[test]
fn counts_are_the_same_in_every_run() {
    expect_the_same(1, 1);
}

#[test]
#[ignore = "runs in CI as a job of its own: more runs"]
fn counts_are_the_same_in_more_runs() {
    expect_the_same(5, 2);
}

/// Runs so many rounds of every pattern on one CPU thread, and so many times on four.
fn expect_the_same(times: u32, rounds: u32) {
    for pattern in Pattern::ALL {
        for watch in &WATCHES {
            let run = |cpu_threads| -> (Events, _) {
                let schedule = Schedule {
                    pattern,
                    blocks: 5,
                    threads: 40,
                    rounds,
                    seed: 77,
                    warp_seed: 0,
                    cpu_threads,
                    cooperative: false,
                };
                let (events, left) = schedule.run(watch).expect("no fault");
                schedule.check(&left);
                (events, left)
            };
            let one = run(1);
            for _ in 0..times {
                assert!(run(4) == one, "{pattern:?} differs from run to run: {watch:?}");
            }
        }
    }
}

/// Events say which line of the kernel is the reason.
#[test]
fn events_say_why_blocks_ran_in_order() {
    let source = include_str!("../kernels/waiting.cu");
    let line = |text: &str| {
        let of = source.lines().position(|line| line.contains(text)).expect("a line");
        u32::try_from(of + 1).expect("few lines")
    };
    for (pattern, text) in [
        (Pattern::Lock, Some("while (atomicCAS(mutex")),
        (Pattern::Ticket, Some("own = atomicAdd(&mutex[0]")),
        (Pattern::Relay, Some("token != turn")),
        (Pattern::Tree, Some("found = atomicCAS(place")),
        // Nobody sees what others add.
        (Pattern::Sums, None),
    ] {
        let schedule = Schedule {
            pattern,
            blocks: 2,
            threads: 3,
            rounds: 1,
            seed: 1,
            warp_seed: 0,
            cpu_threads: 2,
            cooperative: false,
        };
        let (events, _) = schedule.run(&Watch::default()).expect("no fault");
        assert_eq!(events.in_order.map(|it| it.line), text.map(line), "{pattern:?}");
    }
}

/// Which of its lines is the reason that the blocks of a kernel run in order. Its registers hold three pointers: `%rd1`
/// and `%rd2` are arguments, `%rd3` is in constant memory; `v` is a variable.
fn reason(body: &str, [first, second, third]: [usize; 3]) -> Option<u32> {
    let text = format!(
        ".version 7.8\n.target sm_80\n.address_size 64\n.global .align 4 .b8 v[64];\n.const .align 8 .u64 c;
         .visible .entry k(.param .u64 p, .param .u64 q, .param .u32 n) {{
         .reg .pred %p<9>; .reg .b32 %r<9>; .reg .b64 %rd<20>; .shared .align 4 .b8 s[64];
         ld.param.u64 %rd1, [p]; ld.param.u64 %rd2, [q]; ld.const.u64 %rd3, [c]; ld.param.u32 %r1, [n];
{body}
         ret; }}"
    );
    let module = Arc::new(Module::parse("k.ptx", &text).expect("valid PTX"));
    let simulator = Simulator::new(1 << 16).with_threads(2);
    let loaded = simulator.load(module).expect("enough memory");
    let arrays = ["a", "b", "c"].map(|name| simulator.alloc(name, 256).expect("enough memory"));
    let (c, _) = loaded.symbol("c").expect("a variable");
    simulator.write(c, &arrays[third].to_le_bytes()).expect("its size");
    let launch = Launch::new([2, 1, 1], [1, 1, 1])
        .argument(arrays[first])
        .argument(arrays[second])
        .argument(7u32);
    let events = simulator.launch(&loaded, "k", &launch, &Watch::default()).expect("no fault");
    // The body begins in line 9.
    events.in_order.map(|it| it.line - 8)
}

#[test]
fn blocks_communicate_where_one_may_store_what_another_loads() {
    let apart = [0, 1, 2];
    let copies = "ld.volatile.global.u32 %r2, [%rd1];\nst.global.u32 [%rd2], %r2;";
    assert_eq!(reason(copies, apart), None);
    assert_eq!(reason(copies, [1, 1, 2]), Some(1), "both are one array");
    assert_eq!(reason("ld.global.u32 %r2, [%rd1];\nst.global.u32 [%rd1], %r2;", apart), None);
    // Addresses that were computed, with an index from memory.
    let walks =
        "ld.volatile.global.u32 %r2, [%rd1];\nmul.wide.u32 %rd4, %r2, 4;\nadd.s64 %rd5, %rd1, %rd4;
        ld.volatile.global.u32 %r3, [%rd5];\nmul.wide.u32 %rd6, %r1, 4;\nadd.s64 %rd7, %rd6, %rd3;
        st.global.u32 [%rd7], %r3;";
    assert_eq!(reason(walks, apart), None);
    assert_eq!(reason(walks, [0, 1, 0]), Some(1), "the constant points to it");
    // One of two arrays.
    let selects =
        "setp.eq.u32 %p1, %r1, 3;\nselp.b64 %rd4, %rd1, %rd2, %p1;\nst.global.u32 [%rd4], %r1;
        ld.relaxed.gpu.global.u32 %r2, [%rd2];";
    assert_eq!(reason(selects, apart), Some(4));
    let variable =
        "mov.u64 %rd4, v;\nst.global.u32 [%rd1], %r1;\nld.volatile.global.u32 %r2, [%rd4];";
    assert_eq!(reason(variable, apart), None);
    assert_eq!(reason(&format!("{variable}\nst.global.u32 [v], %r1;"), apart), Some(3));
    // An address from memory may point anywhere.
    let linked = "st.global.u64 [%rd1], %rd2;\nld.global.u64 %rd4, [%rd1];\nld.volatile.global.u32 %r2, [%rd4];";
    assert_eq!(reason(linked, apart), Some(3));
}

#[test]
fn atomics_communicate_where_their_order_shows() {
    let reason = |body| reason(body, [0, 1, 2]);
    assert_eq!(reason("red.global.add.u32 [%rd1], 1;"), None);
    assert_eq!(reason("atom.global.max.u32 %r2, [%rd1], %r1;"), None);
    assert_eq!(
        reason("atom.global.max.u32 %r2, [%rd1], %r1;\nst.global.u32 [%rd2], %r2;"),
        Some(1)
    );
    assert_eq!(
        reason("mov.u32 %r3, s;\natom.shared.add.u32 %r2, [%r3], %r1;\nst.global.u32 [%rd2], %r2;"),
        None
    );
    assert_eq!(reason("atom.global.exch.b32 %r2, [%rd1], %r1;"), Some(1));
    assert_eq!(reason("atom.global.inc.u32 %r2, [%rd1], %r1;"), Some(1));
    assert_eq!(reason("membar.cta;\nmembar.gl;"), Some(2));
}
