//! The ladder as a whole, on the simulator.

mod divided;
mod graph;
mod one_launch;
mod rests;
mod verified;

use std::path::PathBuf;

use ladder::workspace;
use nbody::Step;
use nbody_ladder::STEPS;

/// A step of the ladder.
fn step(name: &str) -> Step {
    *STEPS.iter().find(|step| step.name == name).expect("a step of the ladder")
}

/// The folder of its kernels.
fn kernels() -> PathBuf {
    workspace::root().expect("the workspace").join("kernels/nbody")
}
