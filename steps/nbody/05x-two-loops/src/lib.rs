//! A detour: two loops instead of one with a test in it.
//! Device code: `kernels/nbody/05x-two-loops.cu`.

use ladder::Code;
use nbody::Step;
use nbody_05_rsqrt::STEP as PARENT;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    name: "05x-two-loops",
    after: Some(PARENT.name),
    detour: true,
    title: "Two loops",
    changes: "the loop split around j == i",
    code: Code::Cuda { file: "05x-two-loops", options: &[] },
    ..PARENT
};
