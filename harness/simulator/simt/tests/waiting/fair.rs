//! Every thread gets its turns: whoever waits for another that can act goes on, whatever the order.

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use simt::Watch;

use super::pattern::{MACHINE, Pattern, Schedule};

/// Launches of up to 8 blocks of up to 96 threads.
fn schedules() -> impl Strategy<Value = Schedule> {
    let pattern = prop::sample::select(Pattern::ALL.to_vec());
    (pattern, 1..9_u32, 1..97_u32, 1..4_u32, any::<u32>(), 0..100_u64, 1..4_usize).prop_map(
        |(pattern, blocks, threads, rounds, seed, warp_seed, cpu_threads)| Schedule {
            pattern,
            blocks,
            threads,
            rounds,
            seed,
            warp_seed,
            cpu_threads,
            cooperative: false,
        },
    )
}

/// What is recorded of a launch, and whether it is cooperative.
fn watches() -> impl Strategy<Value = (Watch, bool)> {
    prop_oneof![
        3 => Just((Watch::default(), false)),
        1 => Just((Watch { traffic: Some(MACHINE), ..Watch::default() }, false)),
        1 => Just((Watch::default(), true)),
    ]
}

fn all_end(cases: u32) {
    let mut runner =
        TestRunner::new(Config { cases, failure_persistence: None, ..Config::default() });
    let result = runner.run(&(schedules(), watches()), |(schedule, (watch, cooperative))| {
        let schedule = Schedule { cooperative, ..schedule };
        let (_, left) =
            schedule.run(&watch).map_err(|error| TestCaseError::fail(error.to_string()))?;
        schedule.check(&left);
        Ok(())
    });
    if let Err(error) = result {
        panic!("{error}");
    }
}

#[test]
fn all_threads_get_their_turns() {
    all_end(300);
}

mod long {
    use super::*;

    #[test]
    #[ignore = "runs in CI as a job of its own: minutes"]
    fn all_threads_get_their_turns_in_ten_thousand_schedules() {
        all_end(10_000);
    }
}
