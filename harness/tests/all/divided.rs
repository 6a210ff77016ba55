//! Steps that divide their work over several GPUs, on simulated ones, each in a thread: whatever their number, all of them have what one
//! would have.

use std::path::Path;
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use device::{Choice, CodeRoute, Member};
use ladder::verify::verify_shared;
use ladder::{Ladder, OpenProblem, Step, workspace};
use nbody_ladder::{LADDER, STEPS};
use report::Request;
use simt::Coverage;

use super::one_step::kernels;

/// Verifies a step on so many simulated GPUs; what of its code ran on any of them.
fn verify(
    kernels: &Path,
    step: &Step,
    size: usize,
    open: &Mutex<Box<dyn OpenProblem>>,
) -> Vec<Coverage> {
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
        let mut module = device.load(&step.source(kernels).unwrap()).unwrap();
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
        let gaps = gaps(&kernels(), &step.facts(), &[1, 5], &open);
        assert!(gaps.is_empty(), "{}, never verified: {}", step.name, gaps.join("; "));
    }
}

/// What of a step's code never ran while so many GPUs verified it.
fn gaps(
    kernels: &Path,
    step: &Step,
    sizes: &[usize],
    open: &Mutex<Box<dyn OpenProblem>>,
) -> Vec<String> {
    let verified = sizes.iter().flat_map(|&size| verify(kernels, step, size, open));
    let all = verified.reduce(|mut all, one| {
        all.merge(&one);
        all
    });
    all.expect("GPUs").gaps().iter().map(ToString::to_string).collect()
}

/// The tree is as on one GPU, where all of its code is verified; the walk and what comes after it is divided.
#[test]
fn a_walk_is_divided() {
    let ladder = &barnes_hut_ladder::LADDER;
    let open = Mutex::new(ladder.open(&Request::default()).expect("a problem"));
    let kernels = workspace::root().expect("the workspace").join("kernels").join(ladder.name());
    let divided = ladder.steps().into_iter().filter(|step| step.elsewhere.is_some());
    for step in divided {
        let gaps = gaps(&kernels, &step, &[3], &open);
        let own =
            gaps.iter().filter(|gap| ["`force`", "`collect`"].iter().any(|it| gap.contains(it)));
        let own: Vec<&String> = own.collect();
        assert!(own.is_empty(), "{}, never verified: {own:?}", step.name);
    }
}
