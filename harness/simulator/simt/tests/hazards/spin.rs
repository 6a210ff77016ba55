//! Lanes that wait for each other: the tutorial's slide 59.

use std::time::Instant;

use super::fixture::Fixture;
use simt::{Launch, LaunchError, Scheduling, Watch};

const LANES: u32 = 30;

/// The flags after one launch.
fn spin(stem: &str, scheduling: Scheduling) -> Result<Vec<u32>, LaunchError> {
    let fixture = Fixture::filled(stem);
    let flags = fixture.out;
    fixture.simulator.write(flags, &[1, 0, 0, 0, 1, 0, 0, 0]).expect("inside of it");
    let launch = Launch::new([1, 1, 1], [LANES, 1, 1]).scheduling(scheduling).argument(flags);
    fixture.simulator.launch(&fixture.loaded, "spin", &launch, &Watch::default())?;
    let mut bytes = vec![0; 4 * (LANES as usize + 2)];
    fixture.simulator.read(flags, &mut bytes).expect("inside of it");
    Ok(bytes.chunks_exact(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect())
}

#[test]
fn the_wrong_loop_ends_where_lanes_are_independent() {
    assert_eq!(spin("spin-wrong", Scheduling::Independent).expect("no fault"), [1; 32]);
}

#[test]
fn the_correct_loop_always_ends() {
    for scheduling in [Scheduling::Independent, Scheduling::Lockstep] {
        assert_eq!(spin("spin-correct", scheduling).expect("no fault"), [1; 32], "{scheduling}");
    }
}

#[test]
fn the_wrong_loop_is_a_deadlock_in_lockstep() {
    let start = Instant::now();
    let Err(LaunchError::Fault(fault)) = spin("spin-wrong", Scheduling::Lockstep) else {
        panic!("no fault")
    };
    assert!(start.elapsed().as_secs() < 2, "it takes {:?}", start.elapsed());
    let text = fault.to_string();
    // Lane 0 finds both of its flags set, and waits behind the loop with line 14.
    assert!(
        text.starts_with(
            "warp deadlock: lanes 0x3ffffffe of warp 0 spin at /harness/simulator/simt/tests/kernels/spin-wrong.cu:1"
        ),
        "{text}"
    );
    assert!(
        text.contains(
            "lanes 0x00000001 wait for them before /harness/simulator/simt/tests/kernels/spin-wrong.cu:14"
        ),
        "{text}"
    );
    assert!(
        text.contains("\n  to do: do the work that the others wait for inside the loop"),
        "{text}"
    );
}
