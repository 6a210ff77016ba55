//! Calls with known answers, under both schedulings and in every order of the warps.

use simt::{FaultKind, Scheduling, Simulator};

use super::fixture::Fixture;

/// Runs `check` on simulators that schedule lanes and warps in several ways.
fn everywhere(check: impl Fn(&Fixture)) {
    for scheduling in [Scheduling::Independent, Scheduling::Lockstep] {
        for seed in [0, 1, 7] {
            let fixture = Fixture::new("calls", Simulator::new(1 << 20));
            check(&Fixture { seed, scheduling, ..fixture });
        }
    }
}

fn input(i: i32) -> i32 {
    7 * i
}

#[test]
fn each_lane_recurses_to_its_own_depth() {
    let fibonacci = |n: i32| (0..n).fold((0, 1), |(a, b), _| (b, a + b)).0;
    everywhere(|fixture| {
        let words = fixture.words("recursion", 3, 40, 100, 120);
        let wanted = (0..120).map(|i| if i < 100 { fibonacci(input(i) & 15) } else { 0 });
        assert!(wanted.eq(words));
    });
}

/// What `descend` gives.
fn descend(depth: i32) -> i32 {
    (1..=depth).fold(0, |below: i32, n| below.wrapping_add(input(n) + (below & 3) * n))
}

#[test]
fn every_call_has_its_own_array() {
    everywhere(|fixture| {
        let words = fixture.words("frames", 1, 64, 9, 64);
        let wanted = (0..64).map(|t| descend(9 + t % 4));
        assert!(Iterator::eq(wanted, words));
    });
}

#[test]
fn functions_may_call_each_other() {
    everywhere(|fixture| {
        let words = fixture.words("mutual", 1, 64, 0, 64);
        assert!((0..64).map(|t| i32::from(input(t) & 31 & 1 == 0)).eq(words));
    });
}

#[test]
fn lanes_meet_in_a_function_and_after_it() {
    everywhere(|fixture| {
        let words = fixture.words("exchanges", 1, 64, 0, 64);
        let line = |t: i32| (t ^ 1) + 6 + 3;
        assert!((0..64).map(|t| line(63 - t)).eq(words));
    });
}

#[test]
fn structures_are_given_and_returned_by_value() {
    everywhere(|fixture| {
        let words = fixture.words("structures", 1, 40, 0, 320);
        for t in 0..40 {
            // Each hundred in x is one call more, with the same structure.
            let mut x = 100 * (t % 3) + t + 1;
            while x > 100 {
                x -= 100;
            }
            let sum = (i64::from(t) + 1) * 1_000_000_000 + i64::from(x);
            let parts = [3 * t + x, 2 * t + x, t + x];
            let own = &words[8 * t as usize..][..6];
            assert_eq!(own[..2], [sum as i32, (sum >> 32) as i32], "{t}");
            assert_eq!(own[2..], [parts[0], parts[1], parts[2], -t], "{t}");
        }
    });
}

#[test]
fn lanes_call_different_functions_through_pointers() {
    everywhere(|fixture| {
        let words = fixture.words("pointers", 1, 64, 0, 64);
        let first = |t: i32| [input(t) + t, input(t) * t, input(t) - t][t as usize % 3];
        let second = |t: i32| [2 * t, t + 2][t as usize & 1];
        assert!((0..64).map(|t| first(t) + second(t)).eq(words));
    });
}

#[test]
fn virtual_functions_are_those_of_the_object() {
    everywhere(|fixture| {
        let words = fixture.words("virtuals", 1, 64, 0, 64);
        let scaled = |t: i32| [2 * t * t, 2 + 3 * t, 0][input(t) as usize % 3];
        assert!((0..64).map(scaled).eq(words));
    });
}

#[test]
fn a_lock_in_a_function_lets_lanes_pass_in_turn() {
    let fixture = Fixture::new("calls", Simulator::new(1 << 20));
    let words = fixture.words("locks", 1, 64, 0, 66);
    let even: i32 = (0..64).step_by(2).sum();
    assert_eq!(words[..2], [0, even]);
    assert!((3..64).step_by(2).all(|t| words[t + 1] == -(t as i32)));
}

#[test]
fn a_stack_that_is_used_up_names_the_function_and_the_remedy() {
    let fixture = Fixture::new("calls", Simulator::new(1 << 20));
    let fault = fixture.fault("frames", 1, 1, 1000);
    let FaultKind::StackOverflow(overflow) = &fault.kind else { panic!("{fault}") };
    assert!(overflow.function.contains("descend"), "{overflow}");
    assert_eq!(overflow.stack, 1024);
    // As much as an H100 gives.
    assert_eq!(overflow.depth as u64, (1024 + 160) / overflow.frame);
    let text = fault.to_string();
    assert!(text.contains("cudaDeviceSetLimit(cudaLimitStackSize, 2048)"), "{text}");
    assert!(text.contains("calls.cu:"), "{text}");
    fixture.simulator.set_stack_bytes(1 << 17);
    let words = fixture.words("frames", 1, 1, 1000, 1);
    assert_eq!(words[0], descend(1000));
}

#[test]
fn pointers_that_lead_nowhere_are_faults() {
    let fixture = Fixture::new("calls", Simulator::new(1 << 20));
    let null = fixture.fault("null_pointer", 1, 2, 3).to_string();
    assert!(null.starts_with("call of a null function pointer\n"), "{null}");
    let wrong = fixture.fault("wrong_pointer", 1, 2, 4).to_string();
    assert!(wrong.starts_with("call of the pointer 0x1004, which is no function"), "{wrong}");
    assert_eq!(fixture.words("null_pointer", 1, 2, 1, 1), [2]);
}
