//! Every step of every ladder of kernels, executed on the simulator and held against f64: sizes with a ragged last block,
//! a ragged last warp, a single body; accelerations, then positions and velocities after time steps.

use device::{Choice, CodeRoute};
use harness::ladders::LADDERS;
use ladder::verify::{Cases, Problem, Wrong, verify};
use ladder::{Step, workspace};

#[test]
fn every_step_is_verified_from_its_committed_ptx() {
    for ladder in LADDERS.iter().filter(|ladder| !ladder.is_for_cpu()) {
        let kernels = workspace::root().unwrap().join("kernels").join(ladder.name);
        let mut cases = Cases::from_file(None);
        let mut device = device::open(Choice::Simt, CodeRoute::Committed, "h200").unwrap();
        for step in ladder.steps {
            let source = step.source(&kernels).unwrap();
            let mut module = device.load(&source).unwrap_or_else(|e| panic!("{}: {e}", step.name));
            let drift = verify(&mut *device, step, &mut module, &mut cases, &mut |_| {})
                .unwrap_or_else(|problem| panic!("{}: {problem}", step.name));
            assert!(drift.energy < 1e-3, "{}: energy drifts by {:e}", step.name, drift.energy);
        }
    }
}

/// Pairs of bodies are added up in memory by all warps: in another order of them sums are rounded otherwise.
#[test]
fn a_step_that_breaks_its_promise_of_the_same_bits_is_wrong() {
    let kernels = workspace::root().unwrap().join("kernels/nbody");
    let ladder = LADDERS.iter().find(|ladder| ladder.name == "nbody").unwrap();
    let pairs = ladder.step("14-pairs").unwrap();
    assert!(!pairs.reproducible);
    let promising = Step { reproducible: true, ..*pairs };
    let mut device = device::open(Choice::Simt, CodeRoute::Committed, "h200").unwrap();
    let mut module = device.load(&promising.source(&kernels).unwrap()).unwrap();
    let problem = verify(&mut *device, &promising, &mut module, &mut Cases::default(), &mut |_| {})
        .expect_err("sums in any order");
    let Problem::Wrong(wrong) = problem else { panic!("{problem}") };
    assert!(matches!(*wrong, Wrong::Unrepeated { n: 1000, .. }), "{wrong}");
    assert!(wrong.to_string().contains("promises the same bits"), "{wrong}");
}
