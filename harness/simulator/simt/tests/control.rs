//! Divergence, forward progress, barriers, and what depends on the order of things.

use crate::common;

use common::{Bench, kernel, run};
use simt::{FaultKind, Launch, LaunchError, Level, Simulator};

#[test]
fn blocks_count_warps_and_lanes() {
    let text = kernel("setp.lt.u32 %p1, %r1, 5; @!%p1 bra END; add.u32 %r2, %r1, 1;\nEND: ret;");
    let events = Bench::new(Simulator::new(1 << 20), &text).launch(3, 40).unwrap();
    let counts: Vec<_> = events.blocks.iter().map(|b| (b.executions, b.lanes)).collect();
    // Two warps of 32 and 8 threads in each of 3 blocks; 5 threads of the first warp take the middle.
    assert_eq!(counts[..3], [(6, 120), (3, 15), (6, 120)]);
}

/// Those who may fail do not keep the others from meeting before a barrier.
#[test]
fn lanes_meet_although_some_may_fail() {
    let assert = "{ .param .b64 a; .param .b64 b; .param .b32 c; .param .b64 d; .param .b64 e;
                  call __assertfail, (a, b, c, d, e); }";
    for failure in ["trap;", assert] {
        let body = format!(
            "setp.lt.u32 %p1, %r1, 7; setp.gt.u32 %p2, %r1, 100; @%p1 bra FEW; @%p2 bra FAIL; bra MEET;
             FEW: @%p2 bra FAIL; add.u32 %r1, %r1, 1;
             MEET: bar.sync 0; ret;
             FAIL: {failure}"
        );
        let declared = ".extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 e);";
        let text = kernel(&body).replacen(".visible", &format!("{declared}\n.visible"), 1);
        let watch = simt::Watch { hazards: true, ..Default::default() };
        let events = Bench::new(Simulator::new(1 << 20), &text).watch(1, 64, &watch).unwrap();
        assert_eq!(events.hazards, [], "{failure}");
    }
}

/// Two blocks of inlined PTX may use the same label.
#[test]
fn a_label_is_known_between_its_braces_only() {
    let adds =
        "{ .reg .pred q;\nAGAIN: add.u32 %r2, %r2, 3; setp.lt.u32 q, %r2, BOUND; @q bra AGAIN; }";
    let body = format!(
        "mov.u32 %r2, 0; {} st.global.u32 [%rd1], %r2; {} st.global.u32 [%rd1+4], %r2; ret;",
        adds.replace("BOUND", "7"),
        adds.replace("BOUND", "20")
    );
    let bench = Bench::new(Simulator::new(1 << 20), &kernel(&body));
    bench.launch(1, 1).unwrap();
    assert_eq!(bench.words(2), [9, 21]);
    let outside = simt::Module::parse("test.ptx", &kernel("bra IN; { IN: ret; }"));
    let error = outside.expect_err("no such label");
    assert!(error.to_string().contains("`IN`"), "{error}");
}

#[test]
fn only_some_blocks_run_and_store_what_they_compute() {
    let text = kernel(
        "mov.u32 %r2, %ctaid.x; mad.lo.u32 %r3, %r2, 4, %r1; mul.wide.u32 %rd4, %r3, 4;
         add.s64 %rd4, %rd1, %rd4; add.u32 %r4, %r2, 1; st.global.u32 [%rd4], %r4; ret;",
    );
    for threads in [1, 2] {
        let bench = Bench::new(Simulator::new(1 << 20).with_threads(threads), &text);
        bench.simulator.write(bench.out, &[0; 64]).unwrap();
        let launch = Launch::new([4, 1, 1], [4, 1, 1]);
        let events = bench.start(launch.clone().only(Some(&[1, 3, 9]))).unwrap();
        assert_eq!(events.blocks_run, 2, "there is no block 9");
        assert_eq!(bench.words(16), [0, 0, 0, 0, 2, 2, 2, 2, 0, 0, 0, 0, 4, 4, 4, 4]);
        assert_eq!(bench.start(launch).unwrap().blocks_run, 4);
    }
}

#[test]
fn a_block_may_wait_for_an_earlier_one() {
    let text = kernel(
        "mov.u32 %r2, %ctaid.x; WAIT: ld.volatile.global.u32 %r3, [%rd1]; setp.ne.u32 %p1, %r3, %r2; @%p1 bra WAIT;
         atom.global.add.u32 %r4, [%rd1], 1; ret;",
    );
    for threads in [1, 4] {
        let bench = Bench::new(Simulator::new(1 << 20).with_threads(threads), &text);
        bench.launch(50, 1).unwrap();
        assert_eq!(bench.words(1), [50]);
    }
}

#[test]
fn waiting_for_nothing_is_an_infinite_loop() {
    let text = kernel(
        "WAIT: ld.volatile.global.u32 %r3, [%rd1]; setp.eq.u32 %p1, %r3, 0; @%p1 bra WAIT; ret;",
    );
    for threads in [1, 2] {
        let bench = Bench::new(Simulator::new(1 << 20).with_threads(threads), &text);
        let Err(LaunchError::Fault(fault)) = bench.launch(2, 32) else { panic!("no fault") };
        assert!(matches!(fault.kind, FaultKind::InfiniteLoop(_)), "{fault}");
        assert_eq!(fault.block, [0, 0, 0]);
    }
}

#[test]
fn different_barriers_are_a_deadlock() {
    let text = kernel("setp.lt.u32 %p1, %r1, 32; @%p1 bar.sync 1; @!%p1 bar.sync 2; ret;");
    let Err(LaunchError::Fault(fault)) = Bench::new(Simulator::new(1 << 20), &text).launch(1, 64)
    else {
        panic!("no fault")
    };
    assert!(matches!(fault.kind, FaultKind::Deadlock(_)), "{fault}");
    assert!(fault.to_string().contains("32 of 64 threads wait at barrier 1"), "{fault}");
}

#[test]
fn levels_and_threads_give_the_same_bits() {
    let text = kernel(
        "mov.u32 %r5, %ctaid.x; mad.lo.u32 %r2, %r5, 64, %r1; cvt.rn.f32.u32 %f1, %r2; add.f32 %f2, %f1, 0f3DCCCCCD;
         mov.u32 %r3, 0;
         L: fma.rn.f32 %f1, %f1, 0f3F7D70A4, %f2; sqrt.rn.f32 %f3, %f1; rsqrt.approx.f32 %f4, %f1;
         ex2.approx.f32 %f5, %f4; mul.f32 %f2, %f3, %f5; min.f32 %f2, %f2, 0f42C80000;
         add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, %r1; @%p1 bra L;
         mul.wide.u32 %rd4, %r2, 4; add.s64 %rd5, %rd1, %rd4; st.global.f32 [%rd5], %f1; ret;",
    );
    let mut all = Vec::new();
    for level in [Level::Portable, Level::Avx2, Level::Avx512] {
        for threads in [1, 3] {
            let simulator = Simulator::new(1 << 20).with_level(level).with_threads(threads);
            let bench = Bench::new(simulator, &text);
            let events = bench.launch(16, 64).unwrap();
            all.push((events, bench.words(1024)));
        }
    }
    assert!(all.windows(2).all(|pair| pair[0] == pair[1]));
}

#[test]
fn device_functions_are_called() {
    let text = ".func (.param .b32 result) twice_plus(.param .b32 a, .param .align 4 .b8 pair[8])
        { .reg .pred %p<2>; .reg .b32 %r<6>;
          ld.param.b32 %r1, [a]; ld.param.b32 %r2, [pair+4]; setp.gt.u32 %p1, %r1, 3; @%p1 bra BIG;
          mad.lo.u32 %r3, %r1, 2, %r2; st.param.b32 [result+0], %r3; ret;
          BIG: st.param.b32 [result+0], %r2; ret; }"
        .to_string()
        + &kernel(
            "{ .param .b32 p0; .param .align 4 .b8 p1[8]; .param .b32 back;
               st.param.b32 [p0+0], %r1; st.param.b32 [p1+0], 5; st.param.b32 [p1+4], 100;
               call.uni (back), twice_plus, (p0, p1); ld.param.b32 %r2, [back+0]; }
             st.global.u32 [%rd3], %r2; ret;",
        );
    let bench = Bench::new(Simulator::new(1 << 20), &text);
    bench.launch(1, 32).unwrap();
    assert_eq!(bench.words(6), [100, 102, 104, 106, 100, 100]);
}

/// Each of two warps writes its number: the last one to have its turn is seen.
#[test]
fn a_seed_decides_the_order_of_warps() {
    let bench = Bench::new(
        Simulator::new(1 << 20),
        &kernel("shr.u32 %r2, %r1, 5; st.global.u32 [%rd1], %r2; ret;"),
    );
    let last = |seed| {
        bench.start(Launch::new([1, 1, 1], [64, 1, 1]).seed(seed)).expect("no fault");
        bench.words(1)[0]
    };
    assert!((0..9).all(|_| last(0) == 1));
    let first: u32 = (1..101).map(&last).sum();
    assert!((30..71).contains(&first), "{first} of 100");
    assert_eq!((1..101).map(&last).sum::<u32>(), first, "a seed's order is always the same");
    assert_eq!(last(0), 1);
}

#[test]
fn what_is_not_written_is_not_zero() {
    let body = "ld.shared.f32 %f1, [s]; add.f32 %f2, %f1, 0f00000000; st.global.f32 [%rd1], %f2;
                st.global.u32 [%rd1+4], %r9; selp.u32 %r3, 7, 8, %p5; st.global.u32 [%rd1+8], %r3; ret;";
    let words = run(body, 1, 3);
    assert!(f32::from_bits(words[0]).is_nan());
    assert_eq!(words[1..], [u32::MAX, 7]);
}

/// Each of two blocks sets its flag only after it has seen the other's.
#[test]
fn blocks_that_wait_for_each_other_are_an_infinite_loop() {
    let text = kernel(
        "mov.u32 %r2, %ctaid.x; xor.b32 %r3, %r2, 1; mul.wide.u32 %rd4, %r2, 4; mul.wide.u32 %rd5, %r3, 4;
         add.s64 %rd4, %rd1, %rd4; add.s64 %rd5, %rd1, %rd5;
         WAIT: ld.volatile.global.u32 %r4, [%rd5]; setp.eq.u32 %p1, %r4, 0; @%p1 bra WAIT;
         st.volatile.global.u32 [%rd4], 1; ret;",
    );
    for threads in [1, 2, 4] {
        let start = std::time::Instant::now();
        let bench = Bench::new(Simulator::new(1 << 20).with_threads(threads), &text);
        let Err(LaunchError::Fault(fault)) = bench.launch(2, 64) else { panic!("no fault") };
        assert!(matches!(fault.kind, FaultKind::InfiniteLoop(_)), "{fault}");
        assert_eq!(fault.block, [0, 0, 0]);
        assert!(start.elapsed().as_secs() < 2, "it takes {:?}", start.elapsed());
    }
}

/// A later block sets the flag that an earlier one waits for, and waits itself for what that one does then.
#[test]
fn blocks_that_answer_each_other_end() {
    let text = kernel(
        "mov.u32 %r2, %ctaid.x; mov.u32 %r5, 0;
         WAIT: ld.volatile.global.u32 %r3, [%rd1]; and.b32 %r4, %r3, 1; setp.ne.u32 %p1, %r4, %r2; @%p1 bra WAIT;
         add.u32 %r3, %r3, 1; st.volatile.global.u32 [%rd1], %r3;
         add.u32 %r5, %r5, 1; setp.lt.u32 %p2, %r5, 50; @%p2 bra WAIT; ret;",
    );
    for threads in [1, 2, 4] {
        let bench = Bench::new(Simulator::new(1 << 20).with_threads(threads), &text);
        bench.launch(2, 1).unwrap();
        assert_eq!(bench.words(1), [100]);
    }
}

/// All come to the barrier of each pass, and nobody ever sets the flag.
#[test]
fn a_loop_with_a_barrier_can_be_infinite() {
    let text = kernel(
        "WAIT: bar.sync 0; ld.volatile.global.u32 %r3, [%rd1]; setp.eq.u32 %p1, %r3, 0; @%p1 bra WAIT; ret;",
    );
    let Err(LaunchError::Fault(fault)) = Bench::new(Simulator::new(1 << 20), &text).launch(2, 64)
    else {
        panic!("no fault")
    };
    assert!(matches!(fault.kind, FaultKind::InfiniteLoop(_)), "{fault}");
}

#[test]
fn a_loop_without_end_that_touches_nothing_is_found() {
    let text = kernel("L: bra L; ret;");
    let Err(LaunchError::Fault(fault)) = Bench::new(Simulator::new(1 << 20), &text).launch(1, 32)
    else {
        panic!("no fault")
    };
    assert!(matches!(fault.kind, FaultKind::InfiniteLoop(_)), "{fault}");
}
