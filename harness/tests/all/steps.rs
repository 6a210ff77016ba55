//! Every step of every ladder of kernels, executed on the simulator and held against its reference, at
//! the awkward sizes that its problem names.

use device::{Choice, CodeRoute};
use harness::ladders::LADDERS;
use ladder::judge::Wrong;
use ladder::problem::Input;
use ladder::screening::noting;
use ladder::verify::{Failure, verify};
use ladder::{Ladder, Open, Step, workspace};
use report::Request;

fn open(ladder: &dyn Ladder) -> Box<dyn Open> {
    let request = Request { ladder: ladder.name().to_owned(), ..Request::default() };
    ladder.open(&request).expect("a problem")
}

/// What no verification does of a step: its name, what is said of it, and why that is right.
const NEVER_VERIFIED: [(&str, &str, &str); 3] = [
    ("02-shared", "the loop at line 16", "a block has a thread for each bin that it clears"),
    ("02-shared", "the loop at line 25", "a block has a thread for each bin that it adds"),
    ("03-per-warp", "the loop at line 29", "a block has a thread for each bin that it adds"),
];

/// Each executes all of its code while it is verified, and two rounds of each of its loops; those of several GPUs do so
/// only there.
#[test]
fn every_step_is_verified_from_its_committed_ptx() {
    let mut gaps: Vec<(&str, String)> = Vec::new();
    for ladder in LADDERS.iter().filter(|ladder| !ladder.is_for_cpu()) {
        let kernels = workspace::root().unwrap().join("kernels").join(ladder.name());
        let mut open = open(*ladder);
        let mut device = device::open(Choice::Simt, CodeRoute::Committed, "h200").unwrap();
        for step in ladder.steps() {
            let source = step.source(&kernels).unwrap();
            let mut module = device.load(&source).unwrap_or_else(|e| panic!("{}: {e}", step.name));
            device.note_coverage(true);
            let extras = verify(&mut *device, &mut *open, &step, &mut module, &mut |_| {})
                .unwrap_or_else(|failure| panic!("{}: {failure}", step.name));
            let drift = extras.iter().find(|extra| extra.name == "energy drift");
            assert_eq!(drift.is_some(), ladder.name() == "nbody", "{}: {extras:?}", step.name);
            if let Some(drift) = drift {
                assert!(drift.value < 1e-3, "{}: energy drifts by {:e}", step.name, drift.value);
            }
            let coverage = device.coverage(&module).expect("the simulator notes it");
            if step.elsewhere.is_none() {
                gaps.extend(coverage.gaps().iter().map(|gap| (step.name, gap.to_string())));
            }
        }
    }
    let known = |step: &str, gap: &str| {
        NEVER_VERIFIED.iter().any(|(of, what, _)| *of == step && gap.contains(what))
    };
    for (step, gap) in &gaps {
        let unknown = gap.split("; ").find(|part| !known(step, part));
        assert_eq!(unknown, None, "{step} has code that no verification executes: {gap}");
    }
    for (step, what, why) in NEVER_VERIFIED {
        let is_there = gaps.iter().any(|(of, gap)| *of == step && gap.contains(what));
        assert!(is_there, "{step}: {what} is verified by now, though {why}");
    }
}

/// Pairs of bodies are added up in memory by all blocks: in another order of them sums are rounded otherwise.
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

/// What a screening runs computes what the step computes.
#[test]
fn steps_that_note_their_multiprocessors_are_right() {
    for ladder in LADDERS.iter().filter(|ladder| !ladder.is_for_cpu()) {
        let kernels = workspace::root().expect("a clone").join("kernels").join(ladder.name());
        let mut open = open(*ladder);
        for step in ladder.steps().into_iter().filter(|step| step.elsewhere.is_none()) {
            let mut device = device::open(Choice::Simt, CodeRoute::Auto, "h200").expect("it opens");
            let source = noting(step.source(&kernels).expect("its code"));
            let mut module =
                device.load(&source).unwrap_or_else(|why| panic!("{}: {why}", step.name));
            let input = Input::timed(256, 1);
            let mut pass = open.place(&mut *device, &step, &mut module, input).expect("placed");
            pass.upload(&mut *device).and_then(|()| pass.run(&mut *device)).expect("it runs");
            assert!(pass.check(&mut *device).is_ok(), "{}", step.name);
        }
    }
}
