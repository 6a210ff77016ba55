//! A detour: unrolling sixteen times further.
//! Device code: `kernels/nbody/09x-unroll-128.cu`.

use ladder::Code;
use nbody::Step;
use nbody_09_fma_order::STEP as PARENT;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    name: "09x-unroll-128",
    after: Some(PARENT.name),
    detour: true,
    title: "Unroll 128",
    changes: "unrolled 128 times",
    code: Code::Cuda { file: "09x-unroll-128", options: &[] },
    ..PARENT
};
