//! Every step of every ladder of kernels, executed on the simulator and held against f64: sizes with a ragged last block,
//! a ragged last warp, a single body; accelerations, then positions and velocities after time steps.

use device::{Choice, CodeRoute};
use harness::ladders::LADDERS;
use ladder::verify::{Cases, verify};
use ladder::workspace;

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
