//! Steps of n-body with what their problem knows of them, and ladders of a step that a test has changed.

use std::path::PathBuf;

use ladder::{Ladder, OpenProblem, Steps, workspace};
use nbody::{Nbody, Step};
use report::Request;

/// A step of the ladder `nbody`.
pub fn step(name: &str) -> Step {
    *nbody_ladder::STEPS.iter().find(|step| step.name == name).expect("a step of the ladder")
}

/// The folder of its kernels.
pub fn kernels() -> PathBuf {
    workspace::root().expect("the workspace").join("kernels/nbody")
}

/// The problem of a ladder that has this step alone.
pub fn open(step: Step) -> Box<dyn OpenProblem> {
    let steps = Box::leak(Box::new([step]));
    let ladder = Steps::<Nbody>::of("toy", steps);
    Ladder::open(&ladder, &Request::default()).expect("a problem")
}
