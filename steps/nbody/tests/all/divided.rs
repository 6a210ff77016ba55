//! Steps that divide their work over several GPUs: whatever their number, all of them have what one would have.

use ladder::testing::verified_on;
use nbody::Step;
use nbody_ladder::{LADDER, STEPS};

fn divided() -> impl Iterator<Item = &'static Step> {
    STEPS.iter().filter(|step| step.host.division.is_some())
}

#[test]
fn any_number_of_gpus_computes_what_the_reference_says() {
    expect_verified(divided().take(1));
}

#[test]
#[ignore = "runs in CI: the other steps"]
fn whatever_step_divides_its_work_computes_what_the_reference_says() {
    expect_verified(divided().skip(1));
}

fn expect_verified(steps: impl Iterator<Item = &'static Step>) {
    for step in steps {
        let (extras, gaps) = verified_on(&LADDER, &step.facts(), &[1, 3]);
        assert!(gaps.is_empty(), "{}, never verified: {gaps:?}", step.name);
        let drifts: Vec<_> = extras.iter().filter(|it| it.name == "energy drift").collect();
        assert_eq!(drifts.len(), 4, "{}: one on each GPU", step.name);
        for drift in drifts {
            assert!(drift.value < 1e-3, "{}: {:e}", step.name, drift.value);
        }
    }
}
