//! Blocks that communicate are counted exactly: the same in every run, whatever the number of CPU threads.

use simt::{Events, Watch};

use crate::pattern::{MACHINE, Pattern, Schedule, module};

const WATCHES: [Watch; 3] = {
    let nothing = Watch {
        traffic: None,
        hazards: false,
        coverage: false,
        trace: None,
        multiprocessors: None,
        limit: None,
        together: false,
    };
    [nothing, Watch { traffic: Some(MACHINE), ..nothing }, Watch { hazards: true, ..nothing }]
};

#[test]
fn counts_are_the_same_in_every_run() {
    for pattern in Pattern::ALL {
        for watch in &WATCHES {
            let run = |cpu_threads| -> (Events, _) {
                let schedule = Schedule {
                    pattern,
                    blocks: 5,
                    threads: 40,
                    rounds: 2,
                    seed: 77,
                    warp_seed: 0,
                    cpu_threads,
                };
                let (events, left) = schedule.run(watch).expect("no fault");
                schedule.check(&left);
                (events, left)
            };
            let one = run(1);
            for _ in 0..10 {
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
        };
        let (events, _) = schedule.run(&Watch::default()).expect("no fault");
        assert_eq!(events.in_order.map(|it| it.line), text.map(line), "{pattern:?}");
    }
    assert!(module().find("sums").is_ok());
}
