//! No test in the loop: softening makes a body's pull on itself exactly zero.
//! Device code: `kernels/nbody/08-no-if.cu`.

use ladder::Code;
use nbody::Step;
use nbody_07_unroll::STEP as PARENT;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    name: "08-no-if",
    after: Some(PARENT.name),
    title: "No if",
    changes: "softening makes the test i != j needless",
    code: Code::Cuda { file: "08-no-if", options: &[] },
    ..PARENT
};
