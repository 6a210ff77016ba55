//! Every step is right, and mistakes in its kernels are found, whatever they are in: the box, the tree, its sums, the
//! order, the walk or the advance.

use barnes_hut_ladder::LADDER;
use device::{Choice, CodeRoute};
use ladder::problem::Input;
use ladder::testing::{
    Excuse, expect_excused, expect_found, expect_some_found, verified, verified_on, verified_some,
};
use ladder::verify::run;
use ladder::{Ladder, workspace};
use rayon::prelude::*;
use report::{Extra, Request};

const ROOM: &str = "there is room for more cells than any cluster here needs";

const FIXED: &str =
    "24 blocks, whatever is verified, of the parent's kernels: there these loops run more rounds";

const EXCUSES: &[Excuse] = &[
    Excuse::never("*full = 1;", ROOM),
    Excuse::never("*full = 1;\nbreak;", ROOM),
    Excuse::once("+= blockDim.x * gridDim.x) {", FIXED),
    Excuse::once("cell += stride", FIXED),
];

/// The tutorial's last step.
#[test]
fn a_step_is_verified() {
    drift_little(verified_some(&LADDER, &["10-not-volatile"]));
}

fn drift_little(verified: Vec<(&str, Vec<Extra>)>) {
    for (step, extras) in verified {
        let drift = extras.iter().find(|extra| extra.name == "energy drift").expect("its drift");
        assert!(drift.value < 1e-3, "{step}: energy drifts by {:e}", drift.value);
    }
}

/// What each GPU does to make a tree.
const TREE: [&str; 9] =
    ["box", "keys", "sort", "reorder", "count", "scan", "link", "moments", "divide"];

const OF_FOREST: &[Excuse] = &[
    Excuse::never("atomicAdd(&parts[gpu].missing, 1);", "nothing is missing"),
    Excuse::never("if (cut) {", "nothing is missing").varies(),
];

/// Trees are made as on one GPU, where all of that code is verified; what comes after them is divided.
#[test]
#[ignore = "runs in CI as a job of its own: a quarter of a minute"]
fn work_is_divided() {
    for step in LADDER.steps().into_iter().filter(|step| step.elsewhere.is_some()) {
        let (extras, mut gaps) = verified_on(&LADDER, &step, &[3]);
        assert!(extras.iter().all(|it| it.name != "energy drift" || it.value < 1e-3), "{extras:?}");
        gaps.retain(|gap| !TREE.contains(&gap.kernel.as_str()));
        let excuses = if step.name == "19-forest" { OF_FOREST } else { &[] };
        expect_excused(&step, &gaps, excuses);
    }
}

#[test]
fn some_mistakes_are_found() {
    expect_some_found(&LADDER, include_str!("mistakes.txt"));
}

#[test]
#[ignore = "runs in CI as a job of its own: all of them"]
fn mistakes_are_found() {
    expect_found(&LADDER, include_str!("mistakes.txt"));
}

#[test]
#[ignore = "runs in CI: a quarter of a minute"]
fn mistakes_past_the_tutorial_are_found() {
    expect_found(&LADDER, include_str!("mistakes-past-the-tutorial.txt"));
}

/// One GPU alone does not have them.
#[test]
#[ignore = "runs in CI: all that one GPU does is verified before"]
fn mistakes_of_several_gpus_are_found() {
    expect_found(&LADDER, include_str!("mistakes-of-several-gpus.txt"));
}

mod long {
    use super::*;

    #[test]
    #[ignore = "runs in CI as a job of its own: a minute"]
    fn every_step_is_verified() {
        drift_little(verified(&LADDER, EXCUSES));
    }

    /// What readers have without a GPU: all of a tree's cells, all accelerations, and the launches of a whole chip.
    #[test]
    #[ignore = "runs in CI as a job of its own: minutes"]
    fn every_step_is_verified_with_ten_thousand_bodies() {
        const N: u64 = 10_000;
        let kernels = workspace::root().expect("a clone").join("kernels/barnes-hut");
        let mut steps = LADDER.steps();
        steps.retain(|step| step.elsewhere.is_none());
        assert!(steps.len() > 20, "{}", steps.len());
        steps.par_iter().for_each(|step| {
            let mut open = LADDER.open(&Request::default()).expect("a problem");
            let mut device =
                device::open(Choice::Simt, CodeRoute::Committed, "h200").expect("it opens");
            let source = step.source(&kernels).expect("its code");
            let mut module = device.load(&source).expect("it loads");
            let input = Input::timed(N, 1);
            let mut pass = open.place(&mut *device, step, &mut module, input).expect("its place");
            let checked = run(&mut *device, &mut *pass);
            let checked = checked.unwrap_or_else(|failure| panic!("{}: {failure}", step.name));
            assert!(checked.errors.rms < 5e-3, "{}: {:e}", step.name, checked.errors.rms);
        });
    }
}
