//! Every step of every ladder of kernels, executed on the simulator and held against its reference, at
//! the awkward sizes that its problem names.

use device::{Choice, CodeRoute};
use harness::ladders::LADDERS;
use ladder::judge::Wrong;
use ladder::verify::{Failure, verify};
use ladder::{Ladder, Open, Step, workspace};
use report::Request;

fn open(ladder: &dyn Ladder) -> Box<dyn Open> {
    let request = Request { ladder: ladder.name().to_owned(), ..Request::default() };
    ladder.open(&request).expect("a problem")
}

#[test]
fn every_step_is_verified_from_its_committed_ptx() {
    for ladder in LADDERS.iter().filter(|ladder| !ladder.is_for_cpu()) {
        let kernels = workspace::root().unwrap().join("kernels").join(ladder.name());
        let mut open = open(*ladder);
        let mut device = device::open(Choice::Simt, CodeRoute::Committed, "h200").unwrap();
        for step in ladder.steps() {
            let source = step.source(&kernels).unwrap();
            let mut module = device.load(&source).unwrap_or_else(|e| panic!("{}: {e}", step.name));
            let extras = verify(&mut *device, &mut *open, &step, &mut module, &mut |_| {})
                .unwrap_or_else(|failure| panic!("{}: {failure}", step.name));
            let drift = extras.iter().find(|extra| extra.name == "energy drift");
            assert_eq!(drift.is_some(), ladder.name() == "nbody", "{}: {extras:?}", step.name);
            if let Some(drift) = drift {
                assert!(drift.value < 1e-3, "{}: energy drifts by {:e}", step.name, drift.value);
            }
        }
    }
}

/// Pairs of bodies are added up in memory by all warps: in another order of them sums are rounded otherwise.
#[test]
fn a_step_that_breaks_its_promise_of_the_same_bits_is_wrong() {
    let kernels = workspace::root().unwrap().join("kernels/nbody");
    let ladder = LADDERS.iter().find(|ladder| ladder.name() == "nbody").unwrap();
    let pairs = ladder.step("14-pairs").unwrap();
    assert!(!pairs.reproducible);
    let promising = Step { reproducible: true, ..pairs };
    let mut device = device::open(Choice::Simt, CodeRoute::Committed, "h200").unwrap();
    let mut module = device.load(&promising.source(&kernels).unwrap()).unwrap();
    let mut open = open(*ladder);
    let failure = verify(&mut *device, &mut *open, &promising, &mut module, &mut |_| {})
        .expect_err("sums in any order");
    let Failure::Wrong(wrong) = failure else { panic!("{failure}") };
    assert!(matches!(wrong, Wrong::Other { n: 1000, .. }), "{wrong}");
    assert!(wrong.to_string().contains("promises the same bits"), "{wrong}");
}
