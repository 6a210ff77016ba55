//! The terms of a sum reordered, so that each product is fused with an addition.
//! Device code: `kernels/nbody/09-fma-order.cu`.

use ladder::Code;
use nbody::Step;
use nbody_08_no_if::STEP as PARENT;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    name: "09-fma-order",
    after: Some(PARENT.name),
    title: "FMA order",
    changes: "sums ordered so that multiply-adds fuse",
    code: Code::Cuda { file: "09-fma-order", options: &[] },
    ..PARENT
};
