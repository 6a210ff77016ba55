//! Who waits for ever is found at once.

use std::time::{Duration, Instant};

use simt::{FaultKind, LaunchError, Watch};

use super::pattern::{MACHINE, Pattern, Schedule};

const BARRIERS: Schedule = Schedule {
    pattern: Pattern::Barriers,
    blocks: 8,
    threads: 256,
    rounds: 3,
    seed: 1,
    warp_seed: 0,
    cpu_threads: 2,
    cooperative: false,
};

/// Eight blocks run at once: the barrier of a grid of nine is never complete.
#[test]
fn a_grid_that_does_not_fit_is_found() {
    let watch = Watch { traffic: Some(MACHINE), ..Watch::default() };
    let (_, left) = BARRIERS.run(&watch).expect("they all fit");
    BARRIERS.check(&left);
    let began = Instant::now();
    let too_many = Schedule { blocks: 264, ..BARRIERS };
    let Err(LaunchError::Fault(fault)) = too_many.run(&watch) else { panic!("no fault") };
    assert!(matches!(fault.kind, FaultKind::GridDeadlock(_)), "{fault}");
    let text = fault.to_string();
    assert!(
        text.starts_with(
            "grid deadlock: all 8 resident blocks wait for other blocks, and the 256 that remain"
        ),
        "{text}"
    );
    assert!(text.contains("waiting.cu:"), "{text}");
    assert!(began.elapsed() < Duration::from_secs(30), "it takes {:?}", began.elapsed());
}

/// Where nothing limits how many run at once, they all do.
#[test]
fn a_barrier_of_a_large_grid_is_quick() {
    let began = Instant::now();
    for cooperative in [false, true] {
        let schedule = Schedule { blocks: 264, cooperative, ..BARRIERS };
        let (_, left) = schedule.run(&Watch::default()).expect("no fault");
        schedule.check(&left);
    }
    assert!(began.elapsed() < Duration::from_secs(30), "it takes {:?}", began.elapsed());
}
