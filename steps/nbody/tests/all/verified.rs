//! Every step is right and executes all of its code while it is verified, and what verification once let pass is found.

use device::{Choice, CodeRoute};
use ladder::judge::Mismatch;
use ladder::testing::Change::{Instead, Without};
use ladder::testing::{Mistake, expect_found, verified};
use ladder::verify::{Failure, verify};
use ladder::{Ladder, Step};
use nbody_ladder::LADDER;
use report::Request;

use super::{kernels, step};

#[test]
fn every_step_is_verified() {
    for (step, extras) in verified(&LADDER, &[]) {
        let drift = extras.iter().find(|extra| extra.name == "energy drift").expect("its drift");
        assert!(drift.value < 1e-3, "{step}: energy drifts by {:e}", drift.value);
    }
}

#[test]
fn mutants_that_once_survived_are_found() {
    let [launch, compensated, tensor] =
        ["13x-one-launch", "13x-compensated", "17-tensor-distances"].map(step);
    expect_found(
        &LADDER,
        &[
            // Blocks that see each other's flags, and then old data.
            Mistake::at(&launch, "}\n__threadfence();", Without("membar")).fails(""),
            // Warps that do not wait for their block's look at them.
            Mistake::at(&launch, "}\n__syncthreads();", Without("bar")).fails(""),
            // What rounding took from a sum of lanes.
            Mistake::at(
                &compensated,
                "const float total = sum.high + other",
                Instead("add.ftz.f32 $0, $1, $2", "mov.f32 $0, $1"),
            )
            .is_wrong(""),
            // What it took from the other lane's.
            Mistake::at(
                &compensated,
                "const float low = sum.low +",
                Instead("shfl.sync.bfly.b32 $0|$1, $2, $3, $4, $5", "mov.b32 $0, $2"),
            )
            .is_wrong(""),
            // Which of two groups half way round meets the other; of an odd number of groups, none does.
            Mistake::at(
                &tensor,
                "return (groups - 1) / 2 +",
                Instead("selp.u32 $0, 1, 0", "selp.u32 $0, 0, 1"),
            )
            .is_wrong(""),
        ],
    );
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
    let failure = verify(&mut *device, &mut *open, &promising, &mut module, &mut |_| {})
        .expect_err("sums in any order");
    let Failure::Wrong(wrong) = failure else { panic!("{failure}") };
    assert!(matches!(wrong, Mismatch::Other { n: 1000, .. }), "{wrong}");
    assert!(wrong.to_string().contains("promises the same bits"), "{wrong}");
}
