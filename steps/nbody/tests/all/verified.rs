//! Every step is right and executes all of its code while it is verified, and what verification once let pass is found.

use device::{Choice, CodeRoute};
use ladder::judge::Mismatch;
use ladder::testing::{expect_found, verified, verified_some, verify_silently};
use ladder::verify::Failure;
use ladder::{Ladder, Step};
use nbody_ladder::LADDER;
use report::{Extra, Request};

use super::kernels;

/// A step of each kind: tiles, each pair once, matrix units.
#[test]
fn some_steps_are_verified() {
    drift_little(verified_some(&LADDER, &["07-unroll", "14-pairs", "17-tensor-distances"]));
}

#[test]
#[ignore = "runs in CI: half a minute"]
fn every_step_is_verified() {
    drift_little(verified(&LADDER, &[]));
}

fn drift_little(verified: Vec<(&str, Vec<Extra>)>) {
    for (step, extras) in verified {
        let drift = extras.iter().find(|extra| extra.name == "energy drift").expect("its drift");
        assert!(drift.value < 1e-3, "{step}: energy drifts by {:e}", drift.value);
    }
}

#[test]
#[ignore = "runs in CI: ten seconds"]
fn mutants_that_once_survived_are_found() {
    expect_found(&LADDER, include_str!("mistakes.txt"));
}

/// Pairs of bodies are added up in memory by all blocks: in another order of them sums are rounded otherwise.
#[test]
fn a_step_that_breaks_its_promise_of_the_same_bits_is_wrong() {
    let pairs = LADDER.step("14-pairs").expect("the step");
    assert!(!pairs.reproducible);
    let promising = Step { reproducible: true, ..pairs };
    let mut device = device::open(Choice::Simt, CodeRoute::Committed, "h200").expect("a device");
    let source = promising.source(&kernels()).expect("its code");
    let mut module = device.load(&source).expect("its PTX");
    let mut open = LADDER.open(&Request::default()).expect("a problem");
    let failure = verify_silently(&mut *device, &mut *open, &promising, &mut module)
        .expect_err("sums in any order");
    let Failure::Wrong(wrong) = failure else { panic!("{failure}") };
    assert!(matches!(wrong, Mismatch::Other { n: 1000, .. }), "{wrong}");
    assert!(wrong.to_string().contains("promises the same bits"), "{wrong}");
}
