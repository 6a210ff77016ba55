//! Steps that divide their work over several GPUs, on simulated ones, each in a thread: whatever their number, all of them have what one
//! would have.

use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use device::{Choice, CodeRoute, Member};
use ladder::verify::verify_shared;
use ladder::{Ladder, Open, Step};
use nbody_ladder::{LADDER, STEPS};
use report::Request;
use simt::Coverage;

use super::one_step::kernels;

/// Verifies a step on so many simulated GPUs; what of its code ran on any of them.
fn verify(step: &Step, size: usize, open: &Mutex<Box<dyn Open>>) -> Vec<Coverage> {
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
        let mut module = device.load(&step.source(&kernels()).unwrap()).unwrap();
        device.note_coverage(true);
        let extras = verify_shared(&mut *device, &mut *group, open, step, &mut module, &mut |_| {})
            .unwrap_or_else(|it| panic!("{} on GPU {rank} of {size}: {it}", step.name));
        let drift = extras.iter().find(|extra| extra.name == "energy drift").expect("its drift");
        assert!(drift.value < 1e-3, "{}: {:e}", step.name, drift.value);
        device.coverage(&module).expect("the simulator notes it")
    };
    thread::scope(|scope| {
        let one = &one;
        let ranks: Vec<_> = (0..size).map(|rank| scope.spawn(move || one(rank))).collect();
        ranks.into_iter().map(|rank| rank.join().unwrap()).collect()
    })
}

#[test]
fn any_number_of_gpus_computes_what_the_reference_says() {
    let open = Mutex::new(LADDER.open(&Request::default()).expect("a problem"));
    for step in STEPS.iter().filter(|step| step.host.division.is_some()) {
        let verified = [1, 2, 3, 5].into_iter().flat_map(|size| verify(&step.facts(), size, &open));
        let all = verified.reduce(|mut all, one| {
            all.merge(&one);
            all
        });
        let gaps = all.expect("GPUs").gaps();
        let gaps: Vec<String> = gaps.iter().map(ToString::to_string).collect();
        assert!(gaps.is_empty(), "{}, never verified: {}", step.name, gaps.join("; "));
    }
}
