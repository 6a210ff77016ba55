//! The reciprocal square root as one approximate instruction instead of two exact sequences.
//! Device code: `kernels/nbody/05-rsqrt.cu`.

use ladder::Code;
use nbody::Step;
use nbody_04_constant_params::STEP as PARENT;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    name: "05-rsqrt",
    after: Some(PARENT.name),
    title: "rsqrtf",
    changes: "rsqrtf instead of 1 / sqrtf",
    code: Code::Cuda { file: "05-rsqrt", options: &[] },
    ..PARENT
};
