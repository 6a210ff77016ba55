//! Who waits for ever is found at once.

use std::sync::Arc;
use std::time::{Duration, Instant};

use simt::{FaultKind, Launch, LaunchError, Module, Simulator, Watch};

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

/// Each block waits for the one before: that of the next lower number, or of the last ticket.
const CHAIN: &str = include_str!("../kernels/chain.ptx");

/// The fault of a chain of 40 blocks, of which at most so many are resident.
fn chained(by_ticket: bool, resident: Option<u64>, seed: u64) -> Option<FaultKind> {
    let simulator = Simulator::new(1 << 20);
    let module = Arc::new(Module::parse("chain.ptx", CHAIN).expect("valid PTX"));
    let loaded = simulator.load(module).expect("enough memory");
    let flags = simulator.alloc("flags", 41 * 4).expect("enough memory");
    let ticket = simulator.alloc("ticket", 4).expect("enough memory");
    simulator.write(flags, &1_u32.to_le_bytes()).expect("the first flag");
    let launch = Launch::new([40, 1, 1], [1, 1, 1])
        .arguments([flags, ticket])
        .argument(u32::from(by_ticket))
        .seed(seed)
        .resident(resident);
    let watch = Watch { hazards: true, ..Watch::default() };
    match simulator.launch(&loaded, "chain", &launch, &watch) {
        Ok(_) => None,
        Err(LaunchError::Fault(fault)) => Some(fault.kind.clone()),
        Err(other) => panic!("{other}"),
    }
}

/// Blocks begin in any order: to wait for one of a lower number is safe only if all are resident, for one of an earlier
/// ticket always.
#[test]
fn blocks_that_wait_by_number_wait_for_ever_where_few_are_resident() {
    for seed in 0..50 {
        for resident in [1, 2, 7, 40] {
            assert_eq!(chained(true, Some(resident), seed), None, "{resident}, {seed}");
        }
        assert_eq!(chained(false, None, seed), None, "{seed}");
        assert_eq!(chained(false, Some(40), seed), None, "{seed}");
        let few = chained(false, Some(7), seed);
        let is_found = matches!(few, Some(FaultKind::GridDeadlock(_)));
        assert!(is_found || seed % 2 == 0, "{seed}: {few:?}");
    }
}
