//! Steps that divide their work over several GPUs, on simulated ones, each in a thread: whatever their number, all of them have what one
//! would have.

use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use device::{Choice, CodeRoute, Member};
use harness::ladders::LADDERS;
use ladder::verify::{Cases, verify_divided};
use ladder::{Step, workspace};

/// Verifies a step on so many simulated GPUs.
fn verify(step: &Step, size: usize, cases: &Mutex<Cases>) {
    let kernels = workspace::root().unwrap().join("kernels/nbody");
    let folder = tempfile::tempdir().unwrap();
    let one = |rank: usize| {
        let member = Member {
            rank,
            size,
            folder: folder.path().to_path_buf(),
            patience: Duration::from_secs(120),
        };
        let mut device = device::open(Choice::Simt, CodeRoute::Committed, "h200").unwrap();
        let mut group = device.join(&member).unwrap();
        let mut module = device.load(&step.source(&kernels).unwrap()).unwrap();
        let drift =
            verify_divided(&mut *device, &mut *group, step, &mut module, cases, &mut |_| {});
        match drift {
            Ok(drift) => assert!(drift.energy < 1e-3, "{}: {:e}", step.name, drift.energy),
            Err(problem) => panic!("{} on GPU {rank} of {size}: {problem}", step.name),
        }
    };
    thread::scope(|scope| {
        let one = &one;
        let ranks: Vec<_> = (0..size).map(|rank| scope.spawn(move || one(rank))).collect();
        for rank in ranks {
            rank.join().unwrap();
        }
    });
}

#[test]
fn any_number_of_gpus_computes_what_the_reference_says() {
    let cases = Mutex::new(Cases::default());
    let steps = LADDERS.iter().flat_map(|ladder| ladder.steps);
    for step in steps.filter(|step| step.division.is_some()) {
        for size in [1, 2, 3, 5] {
            verify(step, size, &cases);
        }
    }
}
