//! Barriers that only a part of the threads come to.

use super::fixture::{Fixture, marked, text};
use simt::{FaultKind, LaunchError, Scheduling};

const ONE: [u32; 3] = [1, 1, 1];
const TWO_WARPS: [u32; 3] = [64, 1, 1];

#[test]
fn a_barrier_in_a_condition_or_a_loop_of_some_lanes() {
    for kernel in ["in_a_condition", "in_a_loop"] {
        let mut fixture = Fixture::filled("barriers");
        let found = fixture.hazards(kernel, ONE, TWO_WARPS, 64);
        let [line] = marked(&text("barriers.cu"), kernel)[..] else { panic!("one line") };
        assert_eq!(found.len(), 1, "{kernel}: {found:?}");
        assert!(matches!(found[0].kind, FaultKind::DivergentBarrier(_)), "{}", found[0]);
        assert_eq!(found[0].cuda.as_ref().map(|it| it.at.line), Some(line));
        assert!(found[0].to_string().contains("of warp"), "{}", found[0]);
        // Before CC 7.0 a barrier counts whole warps.
        fixture.scheduling = Scheduling::Lockstep;
        assert_eq!(fixture.hazards(kernel, ONE, TWO_WARPS, 64), [], "{kernel}");
    }
}

#[test]
fn two_different_barriers_at_once() {
    let found = Fixture::filled("barriers").hazards("on_both_sides", ONE, TWO_WARPS, 64);
    let lines = marked(&text("barriers.cu"), "on_both_sides");
    assert_eq!(found.len(), 1, "{found:?}");
    let text = found[0].to_string();
    assert!(
        text.starts_with("different barriers: this thread waits here while thread (32,0,0)"),
        "{text}"
    );
    assert!(lines.iter().all(|line| text.contains(&format!("barriers.cu:{line}"))), "{text}");
}

#[test]
fn threads_that_never_come() {
    let Err(LaunchError::Fault(fault)) =
        Fixture::filled("barriers").watch("too_few", ONE, TWO_WARPS, 64)
    else {
        panic!("no fault")
    };
    let text = fault.to_string();
    assert!(matches!(fault.kind, FaultKind::Deadlock(_)), "{text}");
    assert!(text.contains("32 of 96 threads wait at barrier 1"), "{text}");
    assert!(text.contains("\n  to do: let all threads"), "{text}");
}
